//! Learned policies at tables of real servers.

#[cfg(feature = "onnx")]
mod playing;

use std::process::Command;

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::assert_reason;
use gamekeeper_tests::server::binary;
use tonic::Code;
use tonic_types::StatusExt;

use super::Store;
use super::bots::with_bots;

/// Returns what a server says of its configuration with this folder of policies, and whether it would start.
fn check(folder: &str) -> (bool, String) {
    let mut command = Command::new(binary("gamekeeperd"));
    command.args(["--store=memory", "--check", "--policies", folder]);
    let ended = command.output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    (ended.status.success(), said)
}

#[test]
fn a_folder_that_cannot_be_used_keeps_the_server_from_starting() {
    let (starts, said) = check("/no/such/folder");
    assert!(!starts && said.contains("--policies: "), "{said}");
}

#[tokio::test]
async fn policies_that_the_server_does_not_have_are_refused() {
    let server = Store::memory().server(&[]);
    let mut games = server.games();
    for policy in ["policy:", "policy:best", "policy:../best"] {
        let create = with_bots("dominion", &["Ada", "Bob"], &[(2, policy)]);
        let refused = games.create_game(create).await.unwrap_err();
        assert_reason(&refused, Code::InvalidArgument, "MALFORMED");
        let details = refused.get_error_details();
        let field = &details.error_info().unwrap().metadata["field"];
        assert_eq!(field, "players[1].bot.policy");
    }
    let mut create = with_bots("dominion", &["Ada", "Bob"], &[(2, "random")]);
    let bot = create.players[1].bot.as_mut().unwrap();
    bot.policy_hash = "0".repeat(64);
    let refused: v1::CreateGameRequest = create;
    let refused = games.create_game(refused).await.unwrap_err();
    let details = refused.get_error_details();
    let field = &details.error_info().unwrap().metadata["field"];
    assert_eq!(field, "players[1].bot.policy_hash");
}
