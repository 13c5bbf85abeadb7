//! The command line for many games.

use std::io::{BufRead, BufReader};

use gamekeeper_tests::cli::{Cli, server};
use serde_json::Value;

fn create(cli: &Cli, more: &str) -> String {
    let id = cli.out(&format!("create dominion Ada Bob --quiet {more}"));
    id.trim().to_owned()
}

fn listed(cli: &Cli, filter: &str) -> Vec<String> {
    let lines = cli.out(&format!("list -o json {filter}"));
    let id = |line: &str| {
        let game: Value = serde_json::from_str(line).unwrap();
        game["gameId"].as_str().unwrap().to_owned()
    };
    lines.lines().map(id).collect()
}

#[test]
fn games_are_called_listed_and_followed() {
    let (_server, cli) = server();
    let one = create(&cli, "--user 1=ada --user 2=bob --label league=gold");
    let two = create(&cli, "--user 2=ada");
    let plain = create(&cli, "");
    assert_eq!(listed(&cli, "--user ada"), [two.clone(), one.clone()]);
    let one_alone = vec![one.clone()];
    assert_eq!(listed(&cli, "--label league=gold"), one_alone);
    assert_eq!(listed(&cli, "--order changed"), [two.clone(), one.clone()]);
    assert_eq!(listed(&cli, ""), [plain.clone(), two.clone(), one.clone()]);
    assert!(listed(&cli, "--user ada --changed-until 2020-01-01T00:00:00Z").is_empty());
    let waits = [
        listed(&cli, "--awaiting ada"),
        listed(&cli, "--awaiting bob"),
    ]
    .concat();
    assert!(waits.contains(&one));

    let _facts = cli.out(&format!("label {plain} league=tin --user 1=cyd"));
    let called = listed(&cli, "--user cyd --label league=tin");
    assert_eq!(called, vec![plain.clone()]);
    let _facts = cli.out(&format!("label {plain} --remove league --user 1="));
    assert!(listed(&cli, "--label league=tin").is_empty());

    let infos = cli.out(&format!("info {one} {two} -o json"));
    let infos: Vec<Value> = infos
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(infos[0]["gameId"], one.as_str());
    assert_eq!(infos[0]["labels"]["league"], "gold");
    assert_eq!(infos[1]["players"][1]["user"], "ada");
    let missing = cli.run(&format!("info {one} 00000000-0000-4000-8000-000000000000"));
    assert_eq!(missing.code, 7, "{}", missing.err);

    let mut watch = cli.spawn("watch --user ada");
    let mut lines = BufReader::new(watch.stdout.take().unwrap()).lines();
    let printed = [
        lines.next().unwrap().unwrap(),
        lines.next().unwrap().unwrap(),
    ];
    let expected = [&one, &two];
    for id in expected {
        let line = printed.iter().find(|line| line.contains(&**id)).unwrap();
        let message: Value = serde_json::from_str(line).unwrap();
        assert_eq!(message["change"]["table"]["game"]["version"], "1");
    }
    watch.kill().unwrap();
    watch.wait().unwrap();
}
