//! The options that `ListRulesets` describes are correct: every listed value creates a game, and any other value is
//! refused with the path of its field and the allowed values.

use std::collections::BTreeSet;

use gamekeeper_proto::gamekeeper::v1::{self, OptionInfo, OptionValues};
use gamekeeper_proto::{EncodedMessage, raw};
use gamekeeper_tests::dominion::Client;
use gamekeeper_tests::raw::typed;
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_wire::contract::{message_name, pool};
use gamekeeper_wire::{Wire, value_text};
use prost::Message;
use prost_reflect::DynamicMessage;
use serde_json::{Map, Value, json};
use tonic::{Code, Status};
use tonic_types::StatusExt;

/// A number that no enum uses.
const NO_NAME: i32 = 9_999;

/// Returns the other options that have to be set with an option, according to its description.
fn beside(ruleset: &str, path: &str) -> Value {
    match (ruleset, path) {
        ("terra_mystica", "factions.factions" | "scoring_tiles.tiles" | "bonus_cards.cards") => {
            json!({
                "setup_mode": "SETUP_MODE_CUSTOM",
                "promo_tiles": {"shipping_bonus_card": true, "temple_scoring_tile": true},
            })
        }
        _ => json!({}),
    }
}

/// Encodes the options of a ruleset with one field set.
fn options_with<W: Wire>(path: &str, value: Value) -> Vec<u8> {
    let mut options = beside(W::INFO.id, path);
    let (outer, name) = path.rsplit_once('.').unwrap_or(("", path));
    let inner = outer.split('.').filter(|name| !name.is_empty());
    let inner = inner.fold(&mut options, |at, name| {
        let fields: &mut Map<_, _> = at.as_object_mut().unwrap();
        fields.entry(name).or_insert(json!({}))
    });
    inner[name] = value;
    let kind = pool().get_message_by_name(&message_name::<W>("Options"));
    let message = DynamicMessage::deserialize(kind.unwrap(), options).unwrap();
    message.encode_to_vec()
}

/// Converts a ruleset's message `Options` to protobuf JSON.
pub(crate) fn json_of<W: Wire>(options: &W::Options) -> Value {
    let kind = pool().get_message_by_name(&message_name::<W>("Options"));
    let message =
        DynamicMessage::decode(kind.unwrap(), &*W::options_message(options).encode_to_vec())
            .unwrap();
    serde_json::to_value(message).unwrap()
}

/// Returns the values of an option at one table, as JSON: all names, or the ends of a range of numbers.
fn listed(values: &OptionValues) -> Vec<Value> {
    let json = |value: &prost_types::Value| match value_text(value).as_str() {
        "true" => json!(true),
        "false" => json!(false),
        "{}" => json!({}),
        name => json!(name),
    };
    let names = values.values.iter().filter_map(|one| one.value.as_ref());
    let numbers = [values.min_value, values.max_value].into_iter().flatten();
    let numbers: Vec<u32> = match (values.min_value, values.max_value) {
        (Some(least), Some(most)) if values.max_items > 0 => (least..=most).collect(),
        _ => numbers.collect(),
    };
    names
        .map(json)
        .chain(numbers.into_iter().map(|number| json!(number)))
        .collect()
}

/// Returns values that an option does not accept: other names of its type, and numbers outside its range.
fn beyond(option: &OptionInfo, values: &OptionValues) -> Vec<Value> {
    let listed = listed(values);
    let mut beyond = Vec::new();
    if let Some(names) = pool().get_enum_by_name(&option.r#type) {
        let names = names.values().filter(|name| name.number() != 0);
        beyond.extend(names.map(|name| json!(name.name())));
        beyond.push(json!(NO_NAME));
    }
    if option.r#type == "bool" {
        beyond.extend([json!(false), json!(true)]);
    }
    if let (Some(least), Some(most)) = (values.min_value, values.max_value) {
        beyond.extend(least.checked_sub(1).map(|number| json!(number)));
        beyond.push(json!(most + 1));
    }
    beyond.retain(|value| !listed.contains(value));
    beyond
}

/// Builds lists of this number of values that begin with one of them.
fn lists(values: &[Value], first: usize, items: usize) -> impl Iterator<Item = Vec<Value>> {
    (1..values.len().max(2)).filter_map(move |step| {
        let mut list: Vec<Value> = Vec::new();
        for at in 0..items {
            let value = &values[(first + at * step) % values.len()];
            if list.contains(value) {
                return None;
            }
            list.push(value.clone());
        }
        Some(list)
    })
}

/// Checks that a refusal names the field and its allowed values, the same in all its details.
fn check_refusal(status: &Status, field: &str, values: &[Value], sent: &Value) {
    let details = status.get_error_details();
    let info = details.error_info().unwrap();
    let violations = &details.bad_request().unwrap().field_violations;
    assert_eq!(status.code(), Code::InvalidArgument, "{sent}: {status:?}");
    assert_eq!(info.metadata["field"], field, "{sent}: {status:?}");
    assert_eq!((violations.len(), &*violations[0].field), (1, field));
    let allowed = &info.metadata["allowed"];
    let sentence = format!("Allowed for {field}: {allowed}.");
    for text in [status.message(), &violations[0].description] {
        // The sentence about the number of players has it already.
        assert_eq!(text.contains(&sentence), field != "players", "{text}");
    }
    // A range of numbers is given by its ends; values of an item, and names, are those that fit the other options of
    // the request.
    let ends = [values.first(), values.last()].into_iter().flatten();
    let is_mentioned = |value: &&Value| allowed.contains(value.to_string().trim_matches('"'));
    if values.iter().all(Value::is_number) && !field.ends_with(']') {
        assert!(
            ends.clone().all(|end| is_mentioned(&end)),
            "{allowed}: {values:?}"
        );
    } else if !values.iter().any(Value::is_object) {
        assert!(
            values.iter().any(|value| is_mentioned(&value)),
            "{allowed}: {values:?}"
        );
    }
}

/// Returns the names that a refusal allows.
fn names_in(status: &Status) -> BTreeSet<String> {
    let details = status.get_error_details();
    let allowed = &details.error_info().unwrap().metadata["allowed"];
    let names = allowed.split(", ").flat_map(|part| part.split(" or "));
    names.map(str::to_owned).collect()
}

macro_rules! tests {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(mod $module {
            use gamekeeper_rules::$module::$Ruleset as Rules;
            use gamekeeper_rules::ruleset::Ruleset as _;
            use gamekeeper_wire::$module::pb;
            use gamekeeper_wire::option_infos;

            use super::*;

            async fn create(client: &mut Client, seats: u32, options: &[u8]) -> Result<(), Status> {
                let player = |seat| v1::Player { name: format!("Player {seat}"), ..Default::default() };
                let call = v1::CreateGameRequest {
                    ruleset: Rules::INFO.id.to_owned(),
                    players: (1..=seats).map(player).collect(),
                    options: Some(typed(&raw::Options {
                        ruleset: Some((Rules::ONEOF_CODEC.options)(EncodedMessage::from(options.to_vec()))),
                    })),
                    ..Default::default()
                };
                client.create_game(call).await.map(|_| ())
            }

            /// Returns whether the rules alone accept these options.
            fn accepts(seats: u32, options: &[u8]) -> bool {
                let names: Vec<String> = (1..=seats).map(|seat| seat.to_string()).collect();
                let draft = Rules::draft(pb::Options::decode(options).unwrap()).unwrap();
                Rules::options(&names, &draft).is_ok()
            }

            fn with(path: &str, value: impl Into<Value>) -> Vec<u8> {
                options_with::<Rules>(path, value.into())
            }

            #[tokio::test]
            async fn its_options_take_what_they_list() {
                let server = Gamekeeperd::start(&["--store=memory"]);
                let mut client = server.games();
                for option in option_infos::<Rules>() {
                    for values in &option.values {
                        for seats in values.min_seats..=values.max_seats {
                            match option.field.strip_suffix("[]") {
                                None => check_field(&mut client, &option, values, seats).await,
                                Some(path) => check_list(&mut client, &option, path, values, seats).await,
                            }
                        }
                    }
                }
            }

            async fn check_field(client: &mut Client, option: &OptionInfo, values: &OptionValues, seats: u32) {
                let path = &option.field;
                let listed = listed(values);
                for value in &listed {
                    let created = create(client, seats, &with(path, value.clone())).await;
                    assert!(created.is_ok(), "{path}: {value}: {created:?}");
                }
                for value in beyond(option, values) {
                    let refused = create(client, seats, &with(path, value.clone())).await.unwrap_err();
                    check_refusal(&refused, &format!("options.{}.{path}", Rules::INFO.id), &listed, &value);
                }
            }

            async fn check_list(
                client: &mut Client,
                option: &OptionInfo,
                path: &str,
                values: &OptionValues,
                seats: u32,
            ) {
                let listed = listed(values);
                let [least, most] = [values.min_items, values.max_items].map(|items| usize::try_from(items).unwrap());
                let whole = |first: usize, items| {
                    let mut lists = lists(&listed, first, items);
                    lists.find(|list| accepts(seats, &with(path, list.clone())))
                };
                for first in 0..listed.len() {
                    for items in [least, most] {
                        let list = whole(first, items).unwrap_or_else(|| panic!("{path}: {}", listed[first]));
                        create(client, seats, &with(path, list)).await.unwrap();
                    }
                }
                let list = whole(0, most).unwrap();
                for value in beyond(option, values) {
                    let mut list = list.clone();
                    list[0] = value.clone();
                    let refused = create(client, seats, &with(path, list)).await.unwrap_err();
                    check_refusal(&refused, &format!("options.{}.{path}[0]", Rules::INFO.id), &listed, &value);
                }
                let mut twice = list.clone();
                twice[1] = twice[0].clone();
                let refused = create(client, seats, &with(path, twice.clone())).await.unwrap_err();
                check_refusal(&refused, &format!("options.{}.{path}[1]", Rules::INFO.id), &listed, &twice.into());
                let fitting = names_in(&refused);
                for value in listed.iter().filter(|value| value.is_string()) {
                    let mut list = list.clone();
                    list[1] = value.clone();
                    let fits = accepts(seats, &with(path, list));
                    assert_eq!(fitting.contains(value.as_str().unwrap()), fits, "{path}: {value}: {fitting:?}");
                }
                let longer: Vec<Value> = list.iter().chain(listed.iter().rev()).take(most + 1).cloned().collect();
                let distinct = longer.iter().enumerate().all(|(at, value)| !longer[..at].contains(value));
                if longer.len() > most && distinct {
                    let refused = create(client, seats, &with(path, longer.clone())).await.unwrap_err();
                    check_refusal(&refused, &format!("options.{}.{path}", Rules::INFO.id), &listed, &longer.into());
                }
            }

            #[tokio::test]
            async fn its_tables_have_a_size() {
                let server = Gamekeeperd::start(&["--store=memory"]);
                let mut client = server.games();
                let sizes = [Rules::INFO.min_seats - 1, Rules::INFO.max_seats + 1];
                for seats in sizes {
                    let refused = create(&mut client, seats.into(), &[]).await.unwrap_err();
                    let details = refused.get_error_details();
                    assert_eq!(details.error_info().unwrap().reason, "INVALID_PLAYER_COUNT");
                    check_refusal(&refused, "players", &[], &Value::Null);
                }
            }
        })*
    };
}

gamekeeper_wire::for_each_ruleset!(tests);
