//! The rule documents over the wire: every rule by its id, every document as a list.

use std::collections::BTreeMap;

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_rules::rulebook::Rulebook;
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_tests::dominion::{assert_reason, field_of};
use gamekeeper_tests::evidence::Channel;
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::KeyFiles;
use tonic::{Code, Status};
use tonic_types::StatusExt;
use v1::ruleset_service_client::RulesetServiceClient;

type Client = RulesetServiceClient<Channel>;

/// A ruleset, the text of its documents, and its rules as parsed.
type Book = (&'static str, String, Rulebook);

macro_rules! books {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        fn books() -> Vec<Book> {
            use gamekeeper_rules::{$($module::$Ruleset),*};
            vec![$((
                $Ruleset::SHEET.id,
                $Ruleset::RULES.texts.concat(),
                Rulebook::read($Ruleset::RULES),
            )),*]
        }
    };
}
gamekeeper_wire::for_each_ruleset!(books);

/// A server that requires tokens; the tests call it without one.
fn house() -> (Gamekeeperd, KeyFiles) {
    let keys = KeyFiles::new();
    (keys.server(&["--store=memory", "--max-rate=0"]), keys)
}

async fn rule(client: &mut Client, id: &str) -> Result<v1::Rule, Status> {
    let request = v1::GetRuleRequest { id: id.to_owned() };
    let answer = client.get_rule(request).await?;
    Ok(answer.into_inner().rule.unwrap())
}

/// All rules of a ruleset, or of a chapter, in pages of this size.
async fn rules(
    client: &mut Client,
    ruleset: &str,
    chapter: &str,
    page_size: i32,
) -> Result<Vec<v1::Rule>, Status> {
    let mut rules = Vec::new();
    let mut page_token = String::new();
    loop {
        let request = v1::ListRulesRequest {
            ruleset: ruleset.to_owned(),
            chapter: chapter.to_owned(),
            page_size,
            page_token,
        };
        let page = client.list_rules(request).await?.into_inner();
        let most = if page_size == 0 { 100 } else { page_size };
        assert!(page.rules.len() <= usize::try_from(most).unwrap());
        rules.extend(page.rules);
        page_token = page.next_page_token;
        if page_token.is_empty() {
            return Ok(rules);
        }
    }
}

fn text(rules: &[v1::Rule]) -> String {
    rules.iter().map(|rule| rule.text.as_str()).collect()
}

#[tokio::test]
async fn the_rules_of_a_ruleset_are_its_document() {
    let (server, _keys) = house();
    let mut client = server.rulesets();
    for (ruleset, document, _) in books() {
        let all = rules(&mut client, ruleset, "", 1_000).await.unwrap();
        assert_eq!(text(&all), document, "{ruleset}");
        assert!(all.iter().all(|rule| rule.ruleset == ruleset));
        assert_eq!(rules(&mut client, ruleset, "", 0).await.unwrap(), all);

        let mut chapters: BTreeMap<&str, Vec<v1::Rule>> = BTreeMap::new();
        for rule in &all {
            chapters
                .entry(&rule.chapter)
                .or_default()
                .push(rule.clone());
        }
        assert!(chapters.len() > 13, "{:?}", chapters.keys());
        for (chapter, expected) in chapters {
            if !chapter.is_empty() {
                let found = rules(&mut client, ruleset, chapter, 7).await.unwrap();
                assert_eq!(found, expected, "{ruleset} {chapter}");
            }
        }
    }
}

#[tokio::test]
async fn every_id_has_its_rule() {
    let (server, _keys) = house();
    let mut client = server.rulesets();
    for (ruleset, _, book) in books() {
        for expected in book.paragraphs().iter().chain(book.sections()) {
            if expected.id.is_empty() {
                continue;
            }
            let found = rule(&mut client, &expected.id).await.unwrap();
            assert_eq!((&found.id, &*found.ruleset), (&expected.id, ruleset));
            assert!(found.text.trim().len() > 3, "{}", found.id);
        }
        for listed in rules(&mut client, ruleset, "", 1_000).await.unwrap() {
            if !listed.id.is_empty() {
                assert_eq!(rule(&mut client, &listed.id).await.unwrap(), listed);
            }
        }
    }
    let found = rule(&mut client, "DOM-6.10").await.unwrap();
    assert_eq!((&*found.chapter, &*found.chapter_title), ("6", "Flow"));
    assert!(
        found.text.starts_with("- DOM-6.10 You can buy a card"),
        "{}",
        found.text
    );
    for id in [
        "TM-P.44",
        "TM-J24",
        "CAY-6.1.5",
        "CAY-AC-91",
        "CAY-6.7",
        "MYT-T52",
        "MYT-4.4.6",
    ] {
        assert_eq!(rule(&mut client, id).await.unwrap().id, id);
    }
}

#[tokio::test]
async fn what_is_not_in_a_document_is_not_found() {
    let (server, _keys) = house();
    let mut client = server.rulesets();
    let long = "X".repeat(10_000);
    for id in [
        "",
        "DOM",
        "DOM-",
        concat!("DOM", "-6.10.99"),
        "dom-6.10",
        "6.10",
        "CHESS-1",
        &long,
    ] {
        let status = rule(&mut client, id).await.unwrap_err();
        assert_reason(&status, Code::NotFound, "NO_SUCH_RULE");
        let details = status.get_error_details();
        let named = &details.error_info().unwrap().metadata["id"];
        assert!(
            id.starts_with(named.as_str()) && named.len() <= 64,
            "{named}"
        );
    }
    for (ruleset, chapter, field) in [
        ("chess", "", "ruleset"),
        ("", "", "ruleset"),
        ("dominion", "99", "chapter"),
    ] {
        let status = rules(&mut client, ruleset, chapter, 0).await.unwrap_err();
        assert_reason(&status, Code::InvalidArgument, "MALFORMED");
        assert_eq!(field_of(&status), field);
    }
}

#[tokio::test]
async fn a_page_goes_on_in_its_own_list_alone() {
    let (server, _keys) = house();
    let mut client = server.rulesets();
    let mut ask = v1::ListRulesRequest {
        ruleset: String::from("dominion"),
        page_size: 10,
        ..Default::default()
    };
    let first = client.list_rules(ask.clone()).await.unwrap().into_inner();
    ask.page_token = first.next_page_token;
    ask.chapter = String::from("6");
    let status = client.list_rules(ask).await.unwrap_err();
    assert_reason(&status, Code::InvalidArgument, "MALFORMED");
}
