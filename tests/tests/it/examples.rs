//! The example rulesets are offered only if the server is configured to do so.

use std::collections::BTreeMap;

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_tests::dominion::{assert_reason, field_of, players};
use gamekeeper_tests::server::{EXAMPLES, Gamekeeperd};
use tonic::Code;

async fn listed(server: &Gamekeeperd) -> Vec<String> {
    let ask = v1::ListRulesetsRequest {};
    let answer = server.rulesets().list_rulesets(ask).await.unwrap();
    let rulesets = answer.into_inner().rulesets.into_iter();
    rulesets.map(|ruleset| ruleset.id).collect()
}

async fn create(server: &Gamekeeperd, ruleset: &str) -> Result<(), tonic::Status> {
    let call = v1::CreateGameRequest {
        ruleset: ruleset.to_owned(),
        players: players(&["Ada", "Bob"]),
        ..Default::default()
    };
    server.games().create_game(call).await.map(|_| ())
}

#[tokio::test]
async fn examples_are_offered_on_demand() {
    let all = gamekeeper_rules::of_each_ruleset!(R => (R::INFO.id.to_owned(), R::IS_EXAMPLE));
    let all = BTreeMap::from(all);
    let usual = Gamekeeperd::start_with(&["--store=memory"], &[(EXAMPLES, "false")]);
    let offering = Gamekeeperd::start(&["--store=memory", "--serve-examples"]);
    let ids = |examples_too: bool| -> Vec<String> {
        let offered = all
            .iter()
            .filter(|(_, is_example)| examples_too || !**is_example);
        offered.map(|(id, _)| id.clone()).collect()
    };
    assert_ne!(ids(false), ids(true));
    assert_eq!(listed(&usual).await, ids(false));
    assert_eq!(listed(&offering).await, ids(true));
    for (id, is_example) in &all {
        create(&offering, id).await.unwrap();
        let created = create(&usual, id).await;
        assert_eq!(created.is_err(), *is_example, "{id}");
        if let Err(status) = created {
            let unknown = create(&usual, "chess").await.unwrap_err();
            assert_reason(&status, Code::InvalidArgument, "MALFORMED");
            assert_eq!(field_of(&status), "ruleset");
            assert_eq!(status.message(), unknown.message());
        }
    }
}
