//! The rule documents through the service: every rule by its id, name and words, every document as a list, and for
//! players.

use std::collections::BTreeMap;

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_rules::rulebook::{Rulebook, cited};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_tests::cli::Cli;
use gamekeeper_tests::dominion::{assert_reason, field_of};
use gamekeeper_tests::evidence::Channel;
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::KeyFiles;
use serde_json::Value;
use tonic::{Code, Status};
use tonic_types::StatusExt;
use v1::ruleset_service_client::RulesetServiceClient;

type Client = RulesetServiceClient<Channel>;

/// A ruleset, the text of its documents, and the parsed rules.
type Book = (&'static str, String, Rulebook);

fn books() -> Vec<Book> {
    gamekeeper_rules::of_each_ruleset!(R => (R::INFO.id, R::RULES.texts.concat(), Rulebook::read(R::RULES))).into()
}

/// Starts a server that requires tokens; the tests call it without one.
fn house() -> (Gamekeeperd, KeyFiles) {
    let keys = KeyFiles::new();
    (keys.server(&["--store=memory", "--max-rate=0"]), keys)
}

async fn rule(client: &mut Client, id: &str) -> Result<v1::Rule, Status> {
    Ok(look_up(client, "", id).await?.rule.unwrap())
}

/// Returns everything that matches in a ruleset, or in all of them.
async fn look_up(
    client: &mut Client,
    ruleset: &str,
    id: &str,
) -> Result<v1::GetRuleResponse, Status> {
    let request = v1::GetRuleRequest {
        id: id.to_owned(),
        ruleset: ruleset.to_owned(),
    };
    let answer = client.get_rule(request).await?.into_inner();
    assert_eq!(answer.rules.first(), answer.rule.as_ref());
    assert_eq!(
        answer.rules.len(),
        usize::try_from(answer.total.min(20)).unwrap()
    );
    Ok(answer)
}

/// Returns the ids of everything that matches in all rulesets.
async fn ids(client: &mut Client, id: &str) -> Vec<String> {
    let answer = look_up(client, "", id).await.unwrap();
    answer.rules.into_iter().map(|rule| rule.id).collect()
}

/// Reads all rules of a ruleset or a chapter, in pages of this size.
async fn rules(
    client: &mut Client,
    ruleset: &str,
    chapter: &str,
    page_size: i32,
) -> Result<Vec<v1::Rule>, Status> {
    let request = v1::ListRulesRequest {
        ruleset: ruleset.to_owned(),
        chapter: chapter.to_owned(),
        page_size,
        ..Default::default()
    };
    pages(client, request).await
}

/// Reads the players' edition of a ruleset, or a chapter of it.
async fn edition(
    client: &mut Client,
    ruleset: &str,
    chapter: &str,
) -> Result<Vec<v1::Rule>, Status> {
    let request = v1::ListRulesRequest {
        ruleset: ruleset.to_owned(),
        chapter: chapter.to_owned(),
        page_size: 50,
        players_edition: true,
        ..Default::default()
    };
    pages(client, request).await
}

async fn pages(
    client: &mut Client,
    mut request: v1::ListRulesRequest,
) -> Result<Vec<v1::Rule>, Status> {
    let most = match request.page_size {
        0 => 100,
        size => usize::try_from(size).unwrap(),
    };
    let mut rules = Vec::new();
    loop {
        let page = client.list_rules(request.clone()).await?.into_inner();
        assert!(page.rules.len() <= most);
        rules.extend(page.rules);
        request.page_token = page.next_page_token;
        if request.page_token.is_empty() {
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
                let listed = rules(&mut client, ruleset, chapter, 7).await.unwrap();
                assert_eq!(listed, expected, "{ruleset} {chapter}");
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
            let typed = expected.id.to_lowercase();
            let (_, short) = expected.id.split_once('-').unwrap();
            for (ruleset, id) in [("", &*expected.id), ("", &typed), (ruleset, short)] {
                let answer = look_up(&mut client, ruleset, id).await.unwrap();
                let fits = |rule: &v1::Rule| rule.id == expected.id && rule.text == expected.text;
                assert!(answer.rules.iter().any(fits), "{id}");
            }
        }
        for listed in rules(&mut client, ruleset, "", 1_000).await.unwrap() {
            if !listed.id.is_empty() {
                assert_eq!(rule(&mut client, &listed.id).await.unwrap(), listed);
            }
        }
    }
    let looked_up = rule(&mut client, "DOM-6.10").await.unwrap();
    assert_eq!(
        (&*looked_up.chapter, &*looked_up.chapter_title),
        ("6", "Flow")
    );
    assert!(
        looked_up.text.starts_with("- DOM-6.10 You can buy a card"),
        "{}",
        looked_up.text
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
async fn everything_that_fits_is_listed() {
    let (server, _keys) = house();
    let mut client = server.rulesets();
    assert_eq!(
        ids(&mut client, "ADJ-17").await,
        ["CAY-ADJ-17", "KIN-ADJ-17"]
    );
    assert_eq!(
        ids(&mut client, "adj-2").await,
        ["CAY-ADJ-2", "GOO-ADJ-02", "KIN-ADJ-02"]
    );
    assert_eq!(ids(&mut client, "A34").await, ["MYT-A34", "DOM-1.A34"]);
    assert_eq!(ids(&mut client, "J20").await, ["TM-J20"]);
    assert_eq!(ids(&mut client, "KIN-ADJ-17").await, ["KIN-ADJ-17"]);
    // An id matches a paragraph and those below it.
    assert_eq!(
        ids(&mut client, "DOM-7.21").await,
        ["DOM-7.21", "DOM-7.21a", "DOM-7.21b"]
    );
    let all = ids(&mut client, "6.10").await;
    assert_eq!(
        all[..3],
        ["CAY-6.10", "DOM-6.10", "KIN-6.10"].map(String::from)
    );
    let one = look_up(&mut client, "kingsburg", "6.10").await.unwrap();
    assert_eq!((one.total, &*one.rule.unwrap().id), (1, "KIN-6.10"));

    // Names match in upper and lower case, and come before paragraphs that contain them.
    let markets = ids(&mut client, "market").await;
    let mut first = markets[..2].to_vec();
    first.sort();
    assert!(
        first
            .iter()
            .all(|id| ["DOM-7.12", "KIN-7.6", "MYT-7.14"].contains(&&**id)),
        "{markets:?}"
    );
    assert_eq!(ids(&mut client, "THRONE  room").await[0], "DOM-7.21");
    assert_eq!(ids(&mut client, "Barracks").await[0], "KIN-7.11");
    // The words may be adjacent or anywhere in the paragraph, and a word may be incomplete.
    let moved = look_up(&mut client, "dominion", "shuffled draw pile")
        .await
        .unwrap();
    assert!(moved.total > 1, "{moved:?}");
    for rule in &moved.rules {
        for word in ["shuffled", "draw", "pile"] {
            assert!(rule.text.to_lowercase().contains(word), "{}", rule.text);
        }
    }
    // A row of a table comes with the titles of its columns.
    let row = rule(&mut client, "TM-J24").await.unwrap();
    assert_eq!(row.columns.len(), row.text.trim().matches('|').count() - 1);
    assert!(
        row.columns.iter().all(|title| !title.contains('|')),
        "{row:?}"
    );
    // Many rules match; at most twenty are sent.
    let many = look_up(&mut client, "", "player").await.unwrap();
    assert!(many.total > 100 && many.rules.len() == 20, "{}", many.total);
}

#[tokio::test]
async fn what_is_not_in_a_document_is_not_found() {
    let (server, _keys) = house();
    let mut client = server.rulesets();
    let long = "x".repeat(100);
    for (id, nearest) in [
        (concat!("DOM", "-6.10.99"), "DOM-6.10"),
        (concat!("KIN", "-6.14"), "KIN-6.13"),
        ("CHESS-99", ""),
        ("Throne Rome", "DOM-7.21"),
        ("Bararcks", "KIN-7.11"),
        ("?!", ""),
        (&long, ""),
    ] {
        let status = rule(&mut client, id).await.unwrap_err();
        assert_reason(&status, Code::NotFound, "NO_SUCH_RULE");
        let details = status.get_error_details();
        let metadata = &details.error_info().unwrap().metadata;
        let named = &metadata["id"];
        assert!(
            id.starts_with(named.as_str()) && named.len() <= 64,
            "{named}"
        );
        let first = metadata["nearest"].split(',').next().unwrap();
        assert_eq!(first, nearest, "{id}");
        assert!(status.message().contains(nearest));
    }
    let longer = "x".repeat(101);
    for (ruleset, id, field) in [
        ("", "", "id"),
        ("", " ", "id"),
        ("", &longer, "id"),
        ("chess", "DOM-6.10", "ruleset"),
    ] {
        let status = look_up(&mut client, ruleset, id).await.unwrap_err();
        assert_reason(&status, Code::InvalidArgument, "MALFORMED");
        assert_eq!(field_of(&status), field);
    }
    // The id belongs to another ruleset.
    let status = look_up(&mut client, "dominion", "KIN-6.10")
        .await
        .unwrap_err();
    assert_reason(&status, Code::NotFound, "NO_SUCH_RULE");
    for (ruleset, chapter, field) in [
        ("chess", "", "ruleset"),
        ("", "", "ruleset"),
        ("dominion", "99", "chapter"),
    ] {
        let status = rules(&mut client, ruleset, chapter, 0).await.unwrap_err();
        assert_reason(&status, Code::InvalidArgument, "MALFORMED");
        assert_eq!(field_of(&status), field);
    }
    let status = edition(&mut client, "dominion", "12").await.unwrap_err();
    assert_reason(&status, Code::InvalidArgument, "MALFORMED");
}

#[tokio::test]
async fn players_read_a_part_of_the_document() {
    let (server, _keys) = house();
    let mut client = server.rulesets();
    for (ruleset, document, book) in books() {
        let all = edition(&mut client, ruleset, "").await.unwrap();
        assert!(text(&all).len() < document.len(), "{ruleset}");
        let mut positions = BTreeMap::new();
        for (position, rule) in all.iter().enumerate() {
            assert!(!rule.text.contains("(for implementers)"), "{}", rule.text);
            if !rule.id.is_empty() {
                assert_eq!(
                    positions.insert(&*rule.id, position),
                    None,
                    "{} stands twice",
                    rule.id
                );
            }
        }
        // The chapters about the game are unchanged except for notes to implementers, which are left out.
        let mut expected = Vec::new();
        let mut clarifications = Vec::new();
        for rule in book.paragraphs() {
            let number = rule.chapter.number;
            let is_game = number
                .parse::<u8>()
                .map_or(number == "P", |number| (3..=9).contains(&number));
            if rule.for_players && is_game {
                expected.push(rule.text);
            } else if rule.for_players {
                clarifications.push(rule);
            }
        }
        let own_rules = all
            .iter()
            .filter(|rule| !rule.chapter_title.starts_with("Clarifications"));
        let texts: Vec<&str> = own_rules.map(|rule| &*rule.text).collect();
        assert_eq!(texts, expected, "{ruleset}");
        // A clarification follows the first paragraph that refers to it.
        for clarification in clarifications
            .into_iter()
            .filter(|rule| !rule.id.is_empty())
        {
            let id = &*clarification.id;
            let position = positions[id];
            let points = |rule: &&v1::Rule| {
                cited(&rule.text, &id[..id.find('-').unwrap()]).any(|it| it == id)
            };
            let first = all.iter().position(|rule| rule.id != id && points(&rule));
            let first = first.filter(|&at| !all[at].chapter_title.starts_with("Clarifications"));
            let between = first.map(|first| &all[first + 1..position]);
            let clarifies = |rule: &v1::Rule| rule.chapter_title.starts_with("Clarifications");
            assert!(
                between.is_none_or(|between| between.iter().all(clarifies)),
                "{id}"
            );
        }
        let chapter = edition(&mut client, ruleset, "6").await.unwrap();
        assert!(text(&all).contains(&text(&chapter)), "{ruleset}");
        let begins = &*chapter[0].text;
        assert!(begins.starts_with("## 6. "), "{begins}");
    }
}

/// The rule that all components of a kind share, and the name of the kind in it.
const OF_KINDS: [(&str, &str); 1] = [("MYT-7.30", "Province card")];

/// Collects every card, tile, building and other component of a catalogue, which is everything with a name and a text:
/// its name, and the rule that the catalogue cites for it.
fn components(value: &Value, listed: &mut Vec<(String, Option<String>)>) {
    match value {
        Value::Object(fields) => {
            let text = |key: &str| fields.get(key).and_then(Value::as_str);
            if let (Some(name), Some(_)) = (text("name"), text("text")) {
                listed.push((name.to_owned(), text("rule").map(str::to_owned)));
            }
            for inside in fields.values() {
                components(inside, listed);
            }
        }
        Value::Array(items) => {
            for item in items {
                components(item, listed);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[tokio::test]
async fn every_component_has_a_rule_that_names_it() {
    let (server, _keys) = house();
    let cli = Cli::at(server.address()).without_token();
    let mut client = server.rulesets();
    let mut faults = Vec::new();
    let (mut cites, mut names) = (0, 0);
    for (ruleset, _, book) in books() {
        let printed = cli.out(&format!("catalogue {ruleset}"));
        let mut ids = book
            .paragraphs()
            .iter()
            .filter_map(|rule| rule.id.split_once('-'));
        let (prefix, _) = ids.next().unwrap();
        for id in cited(&printed, prefix) {
            cites += 1;
            assert!(rule(&mut client, id).await.is_ok(), "{id}");
        }
        let catalogue: Value = serde_json::from_str(&printed).unwrap();
        let mut named = Vec::new();
        components(&catalogue[lower_camel(ruleset)], &mut named);
        names += named.len();
        for (name, cited) in named {
            let shows = |rule: &v1::Rule| rule.text.to_lowercase().contains(&name.to_lowercase());
            if let Some(id) = cited {
                let rule = rule(&mut client, &id).await.unwrap();
                let of_kind = OF_KINDS.iter().find(|(kind, _)| *kind == id);
                if !shows(&rule) && !of_kind.is_some_and(|(_, kind)| rule.text.contains(kind)) {
                    faults.push(format!("{ruleset}: {id} does not name {name}"));
                }
            }
            let answer = look_up(&mut client, ruleset, &name).await.ok();
            let best = answer.and_then(|answer| answer.rule);
            if !best.is_some_and(|best| shows(&best) && !best.id.is_empty()) {
                faults.push(format!("{ruleset}: no rule is named {name}"));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(cites > 40 && names > 60, "{cites} {names}");
}

/// Returns the JSON name of a field.
fn lower_camel(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| {
        name + &part[..1].to_uppercase() + &part[1..]
    })
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
