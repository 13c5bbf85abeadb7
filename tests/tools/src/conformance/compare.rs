//! Compares answers with recorded ones.

use serde_json::Value;

/// The placeholder for the id of the session's game.
pub(crate) const GAME: &str = "$game";

/// The placeholder for the id of the last fork.
pub(crate) const FORK: &str = "$fork";

/// Fields that differ from game to game, wherever they occur.
const VOLATILE: [&str; 5] = [
    "playTime",
    "createTime",
    "updateTime",
    "seedCommitment",
    "recordCommitment",
];

/// Removes what differs from game to game. `named`: the ids of games, with their placeholders.
pub(crate) fn steady(value: &mut Value, named: &[(&str, &str)]) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !VOLATILE.contains(&name.as_str()));
            fields.values_mut().for_each(|value| steady(value, named));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| steady(item, named)),
        Value::String(text) => {
            let mut named = named.iter();
            if let Some((_, name)) = named.find(|(id, _)| !id.is_empty() && text == id) {
                (*name).clone_into(text);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Is everything expected found? At the top level, in a table and in the facts of a game, additional fields are
/// allowed; deeper values must be equal.
pub(crate) fn within(expected: &Value, found: &Value, at: &str) -> Result<(), String> {
    let Value::Object(fields) = expected else {
        return same(expected, found, at);
    };
    for (name, value) in fields {
        let (inner, found) = (format!("{at}.{name}"), &found[name]);
        if matches!(name.as_str(), "table" | "game") {
            within(value, found, &inner)?;
        } else {
            same(value, found, &inner)?;
        }
    }
    Ok(())
}

fn same(expected: &Value, found: &Value, at: &str) -> Result<(), String> {
    match (expected, found) {
        _ if expected == found => Ok(()),
        // Protobuf JSON leaves out empty lists.
        (Value::Array(items), Value::Null) if items.is_empty() => Ok(()),
        (Value::Object(one), Value::Object(other)) => {
            for name in one.keys().chain(other.keys()) {
                same(&expected[name], &found[name], &format!("{at}.{name}"))?;
            }
            Ok(())
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (place, (one, other)) in one.iter().zip(other).enumerate() {
                same(one, other, &format!("{at}[{place}]"))?;
            }
            Ok(())
        }
        _ => Err(format!("{at} is {}, not {}", brief(found), brief(expected))),
    }
}

/// A value, shortened for people.
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
        let found = json!({
            "table": {"game": {"version": "2", "ruleset": "x"}, "viewer": {}},
            "game": {"version": "2", "ruleset": "x"},
            "view": {"a": 1, "b": [1, 2]},
        });
        let fits = |expected: Value| within(&expected, &found, "").is_ok();
        assert!(fits(json!({"game": {"version": "2", "pending": []}})));
        assert!(fits(json!({"table": {"game": {"version": "2"}}})));
        assert!(!fits(json!({"table": {"game": {"version": "3"}}})));
        assert!(fits(json!({"view": {"a": 1, "b": [1, 2]}})));
        assert!(!fits(json!({"view": {"a": 1}})), "something more in a view");
        assert!(!fits(json!({"view": {"a": 1, "b": [1, 2], "c": 3}})));
        assert!(!fits(json!({"game": {"version": "3"}})));
        assert!(!fits(json!({"game": {"pending": [1]}})));
        assert!(!fits(json!({"events": [1]})));
    }

    #[test]
    fn what_differs_from_game_to_game_does_not_count() {
        let mut found = json!({"game": {"gameId": "g1", "createTime": "now", "forkedFrom": {"gameId": "g2"}}, "versions": [{"playTime": "t", "version": "1"}]});
        steady(&mut found, &[("g1", GAME), ("g2", FORK)]);
        let expected = json!({"game": {"gameId": "$game", "forkedFrom": {"gameId": "$fork"}}, "versions": [{"version": "1"}]});
        assert_eq!(found, expected);
    }
}
