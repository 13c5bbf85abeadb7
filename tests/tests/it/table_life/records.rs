//! Records of such games verify offline, and are shown as text on the command line.

use gamekeeper_tests::cli::{Cli, json, server};
use gamekeeper_tests::server::Gamekeeperd;
use serde_json::Value;

use super::verified;

/// Plays the first legal action this number of times.
fn play(cli: &Cli, actions: u32) {
    for _ in 0..actions {
        let info = json(&cli.out("info last"));
        let Some(seat) = info["pending"][0]["seat"].as_u64() else {
            return;
        };
        let legal = cli.out(&format!("legal last --seat {seat}"));
        let first = legal.lines().next().unwrap();
        let applied = cli.run_with(&format!("apply last --seat {seat} -f -"), first);
        assert_eq!(applied.code, 0, "{}", applied.err);
    }
}

#[test]
fn a_game_with_leavers_and_take_backs_verifies() {
    let (_server, cli) = server();
    let _done =
        cli.out("create caylus Ada Bob Cyd --quiet --take-back unseen --bank 1h --increment 1s");
    play(&cli, 9);
    let before = json(&cli.out("show last --spectator"));
    let seat = json(&cli.out("info last"))["pending"][0]["seat"]
        .as_u64()
        .unwrap();
    play(&cli, 1);
    let _done = cli.out(&format!("take-back last --seat {seat}"));
    let after = json(&cli.out("show last --spectator"));
    assert!(after["table"]["view"]["caylus"].is_object());
    assert_eq!(after["table"]["view"], before["table"]["view"]);
    let _done = cli.out("pause last");
    let _done = cli.out("resume last");
    let _done = cli.out("resign last --seat 2");
    play(&cli, 9);
    assert_eq!(verified(&cli)["verified"], true);
    let _done = cli.out("fill-seat last --seat 2");
    play(&cli, 9);
    let _done = cli.out("resign last --seat 1");
    let over = json(&cli.out("resign last --seat 3"));
    assert_eq!(over["endReason"], "END_REASON_RESIGNATION");
    let checked = verified(&cli);
    assert_eq!(
        (&checked["verified"], &checked["seedRevealed"]),
        (&true.into(), &true.into())
    );

    // Forgeries are detected.
    let record = std::fs::read_to_string(cli.file("record.jsonl")).unwrap();
    for (honest, forged) in [
        (
            r#""table":{"resigned":{"seat":2}}"#,
            r#""table":{"resigned":{"seat":3}}"#,
        ),
        (r#""resigned":[1,3]"#, r#""resigned":[3,1]"#),
        ("END_REASON_RESIGNATION", "END_REASON_ABANDONED"),
    ] {
        let forged = record.replacen(honest, forged, 1);
        assert_ne!(forged, record, "{honest}");
        let ended = cli.run_with("verify -", &forged);
        assert_ne!(ended.code, 0, "{honest}: {}", ended.out);
    }
}

#[test]
fn an_agreed_take_back_verifies() {
    let (_server, cli) = server();
    let _done = cli.out("create dominion Ada Bob --quiet --take-back agreed");
    play(&cli, 30);
    let proposed = json(&cli.out("take-back last --seat 1 --to 3"));
    assert_eq!(proposed["proposal"]["takeBack"]["toVersion"], "3");
    let back = json(&cli.out("answer last --seat 2"));
    assert!(back["proposal"].is_null());
    play(&cli, 30);
    assert_eq!(verified(&cli)["verified"], true);
}

/// Ends a game beyond the rules, and returns its facts and its record.
fn ended(server: &Gamekeeperd, end: impl Fn(&Cli)) -> (Value, String) {
    let cli = Cli::at(server.address());
    let create = "create dominion Ada Bob Cyd --quiet --bank 1h --take-back unseen-or-agreed";
    let _done = cli.out(&format!("{create} --pause-by-agreement --end-by-agreement"));
    play(&cli, 30);
    let _done = cli.out("label last --name 1=Lovelace");
    let _done = cli.out("pause last --seat 1");
    let _done = cli.out("answer last --seat 2");
    let _done = cli.out("answer last --seat 3");
    let _done = cli.out("resume last --seat 2");
    end(&cli);
    let checked = verified(&cli);
    assert_eq!(
        (&checked["verified"], &checked["seedRevealed"]),
        (&true.into(), &true.into())
    );
    let printed = cli.out("info last");
    (
        json(&printed),
        std::fs::read_to_string(cli.file("record.jsonl")).unwrap(),
    )
}

#[test]
fn games_that_end_beside_the_rules_verify() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let (aborted, _) = ended(&server, |cli| {
        let _done = cli.out("end last");
    });
    assert_eq!(aborted["endReason"], "END_REASON_ABORTED");
    assert!(aborted["standings"].is_null());
    assert_eq!(aborted["players"][0]["name"], "Lovelace");
    let (agreed, record) = ended(&server, |cli| {
        let _done = cli.out("end last --seat 3 --scored");
        let _done = cli.out("answer last --seat 1");
        let _done = cli.out("answer last --seat 2");
    });
    assert_eq!(agreed["endReason"], "END_REASON_AGREED");
    assert_eq!(agreed["standings"].as_array().unwrap().len(), 3);

    // Forgeries are detected.
    let cli = Cli::at(server.address());
    for (honest, forged) in [
        (r#""agreedBy":2,"scored":true"#, r#""agreedBy":2"#),
        (
            r#""agreedBy":2,"scored":true"#,
            r#""agreedBy":3,"scored":true"#,
        ),
        (r#""end":{"scored":true}"#, r#""end":{}"#),
        ("END_REASON_AGREED", "END_REASON_ABORTED"),
    ] {
        let forged = record.replace(honest, forged);
        assert_ne!(forged, record, "{honest}");
        let verification = cli.run_with("verify -", &forged);
        assert_ne!(verification.code, 0, "{honest}: {}", verification.out);
    }
}
