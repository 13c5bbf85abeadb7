//! The load client measures what it claims: calls of each kind, watches and the server's process.

use gamekeeper_tests::cli::Cli;
use gamekeeper_tests::server::Gamekeeperd;
use serde_json::Value;

const PROGRAM: &str = "gamekeeper-load";

#[test]
fn the_load_client_reports_every_kind_of_call() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let cli = Cli::at(server.address());
    let ended = cli.tool(
        PROGRAM,
        &format!(
            "dominion --games 3 --seats 2 --max-moves 20 --idle 2 --watchers 1 --mix apply=2,get=1,legal=1 \
             --warm-up 50ms --time 300ms --process server={} -o json",
            server.pid()
        ),
    );
    assert_eq!(ended.code, 0, "{}", ended.err);
    let report: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(report["ruleset"], "dominion");
    let names = |list: &str| {
        let rows = report[list].as_array().unwrap().iter();
        rows.map(|row| row["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names("methods"),
        ["create", "apply", "get", "legal", "watch"]
    );
    assert_eq!(names("processes"), ["server", "client"]);
    assert!(report["processes"][0]["memory_after"].as_u64().unwrap() > 0);
}

#[test]
fn without_a_server_or_a_ruleset_there_is_nothing_to_measure() {
    let nobody = Cli::of("http://127.0.0.1:1");
    let ended = nobody.tool(PROGRAM, "caylus --time 1s --retries 0");
    assert_eq!(ended.code, 5, "{}", ended.err);

    let server = Gamekeeperd::start(&["--store=memory"]);
    let ended = Cli::at(server.address()).tool(PROGRAM, "go --time 1s");
    assert_eq!(ended.code, 2, "{}", ended.err);
}
