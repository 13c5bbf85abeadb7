//! Compares responses with recorded ones.

use gamekeeper_tools::digest;
use serde_json::Value;

/// The fields that differ from game to game, wherever they occur.
const VOLATILE: [&str; 8] = [
    "playTime",
    "createTime",
    "updateTime",
    "serverTime",
    "since",
    "due",
    "seedCommitment",
    "recordCommitment",
];

/// The fields that may have additional fields, like a response itself. Lists must have exactly the recorded items.
const OPEN: [&str; 12] = [
    "table", "game", "games", "results", "change", "left", "problem", "header", "version", "end",
    "rule", "rules",
];

/// Removes fields that differ from game to game, and replaces texts such as the ids of games by their placeholders.
pub(crate) fn steady(value: &mut Value, named: &[(&str, &str)]) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !VOLATILE.contains(&name.as_str()));
            fields.values_mut().for_each(|value| steady(value, named));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| steady(item, named)),
        Value::String(text) => {
            for (original, name) in named {
                if !original.is_empty() && text.contains(original) {
                    *text = text.replace(original, name);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Checks that a response contains everything expected. Additional fields are allowed at the top level and in open
/// fields; deeper values must be equal.
pub(crate) fn within(expected: &Value, actual: &Value, at: &str) -> Result<(), String> {
    match (expected, actual) {
        (Value::Object(fields), Value::Object(_)) => {
            for (name, value) in fields {
                let (inner, actual) = (format!("{at}.{name}"), &actual[name]);
                if OPEN.contains(&name.as_str()) {
                    within(value, actual, &inner)?;
                } else {
                    same(value, actual, &inner)?;
                }
            }
            Ok(())
        }
        (Value::Array(items), Value::Array(actual)) if items.len() == actual.len() => {
            for (index, (item, actual)) in items.iter().zip(actual).enumerate() {
                within(item, actual, &format!("{at}[{index}]"))?;
            }
            Ok(())
        }
        _ => same(expected, actual, at),
    }
}

fn same(expected: &Value, actual: &Value, at: &str) -> Result<(), String> {
    match (expected, actual) {
        _ if expected == actual => Ok(()),
        // Protobuf JSON omits empty lists.
        (Value::Array(items), Value::Null) if items.is_empty() => Ok(()),
        (Value::Object(one), Value::Object(other)) => {
            for name in one.keys().chain(other.keys()) {
                same(&expected[name], &actual[name], &format!("{at}.{name}"))?;
            }
            Ok(())
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (index, (one, other)) in one.iter().zip(other).enumerate() {
                same(one, other, &format!("{at}[{index}]"))?;
            }
            Ok(())
        }
        _ => Err(format!(
            "{at} is {}, not {}",
            brief(actual),
            brief(expected)
        )),
    }
}

/// Checks that the parts of a response have the digests of the recorded line.
pub(crate) fn digests_within(line: &Value, actual: &Value, at: &str) -> Result<(), String> {
    let expected = line["digests"].as_object().into_iter().flatten();
    for (pointer, expected) in expected {
        let part = actual.pointer(pointer).unwrap_or(&Value::Null);
        let digest = digest(part);
        if expected != &digest {
            let part = brief(part);
            return Err(format!(
                "{at}{pointer} has the digest {digest}, not {expected}: {part}"
            ));
        }
    }
    Ok(())
}

/// Formats a value for people, shortened if it is long.
fn brief(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_top_may_hold_more_but_what_is_deeper_must_be_the_same() {
        let actual = json!({
            "table": {"game": {"version": "2", "ruleset": "x"}, "viewer": {}},
            "game": {"version": "2", "ruleset": "x"},
            "view": {"a": 1, "b": [1, 2]},
        });
        let fits = |expected: Value| within(&expected, &actual, "").is_ok();
        assert!(fits(json!({"game": {"version": "2", "pending": []}})));
        assert!(fits(json!({"table": {"game": {"version": "2"}}})));
        assert!(!fits(json!({"table": {"game": {"version": "3"}}})));
        assert!(fits(json!({"view": {"a": 1, "b": [1, 2]}})));
        assert!(!fits(json!({"view": {"a": 1}})), "something more in a view");
        assert!(!fits(json!({"view": {"a": 1, "b": [1, 2], "c": 3}})));
        assert!(!fits(json!({"game": {"version": "3"}})));
        assert!(!fits(json!({"game": {"pending": [1]}})));
        assert!(!fits(json!({"events": [1]})));
        assert!(!fits(json!({"end": {}})), "there is none");
        assert!(fits(json!({"left": null})));
        assert!(!fits(json!({"game": null})));
    }

    #[test]
    fn parts_are_compared_by_their_digests() {
        let actual = json!({"table": {"view": {"b": 1, "a": []}}, "actions": []});
        let fits = |pointer: &str, digest: String| {
            digests_within(&json!({"digests": {pointer: digest}}), &actual, "").is_ok()
        };
        let view = digest(&json!({"a": [], "b": 1}));
        assert!(fits("/table/view", view.clone()), "in any order");
        assert!(!fits("/table/view", digest(&json!({"a": [], "b": 2}))));
        assert!(!fits("/table", view));
        assert!(fits("/entry/events", digest(&Value::Null)), "not there");
        assert!(fits("/actions", digest(&Value::Null)), "empty");
        assert!(digests_within(&json!({}), &actual, "").is_ok());
    }

    #[test]
    fn a_list_of_games_has_as_many_as_are_recorded() {
        let actual = json!({"games": [{"gameId": "a", "version": "2"}, {"gameId": "b"}]});
        let fits = |expected: Value| within(&json!({"games": expected}), &actual, "").is_ok();
        assert!(fits(json!([{"gameId": "a"}, {"gameId": "b"}])));
        assert!(!fits(json!([{"gameId": "b"}, {"gameId": "a"}])));
        assert!(!fits(json!([{"gameId": "a"}])));
        assert!(!fits(json!([])));
    }

    #[test]
    fn what_differs_from_game_to_game_does_not_count() {
        let game = json!({"gameId": "g1", "createTime": "now", "forkedFrom": {"gameId": "g2"}});
        let mut actual = json!({
            "game": game,
            "versions": [{"playTime": "t", "version": "1", "user": "r1 ada"}],
        });
        let named = [
            ("g1", "$game"),
            ("g2", "$fork"),
            ("r1", "$run"),
            ("", "$other"),
        ];
        steady(&mut actual, &named);
        let expected = json!({
            "game": {"gameId": "$game", "forkedFrom": {"gameId": "$fork"}},
            "versions": [{"version": "1", "user": "$run ada"}],
        });
        assert_eq!(actual, expected);
    }
}
