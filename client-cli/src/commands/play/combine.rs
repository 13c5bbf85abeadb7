//! Combines several listed actions, such as cards, armies and payments, into one.

use gamekeeper_proto::raw::{Action, LegalAction};
use prost::Message;
use prost_reflect::{DynamicMessage, Value};

use crate::contract::to_dynamic;
use crate::failure::Failure;
use crate::phrase;

/// Builds one action from one or several listed ones. The inner error says why they cannot be combined.
pub(in crate::commands) fn one_of(
    actions: &[(usize, &LegalAction)],
) -> Result<Result<Action, String>, Failure> {
    let bare = |legal: &LegalAction| legal.action.clone().unwrap_or_default();
    if let [(_, only)] = actions {
        return Ok(Ok(bare(only)));
    }
    let described = actions
        .iter()
        .map(|(number, legal)| Ok((*number, to_dynamic("Action", &bare(legal))?)))
        .collect::<Result<Vec<_>, Failure>>()?;
    match combined(&described) {
        Ok(total) => Ok(Ok(Action::decode(&*total.encode_to_vec())?)),
        Err(text) => Ok(Err(text)),
    }
}

/// Merges actions into one. An item that occurs in several lists counts once, a field that one action leaves unset may
/// be set by another, and an action that is named twice counts twice. The server judges whether the result is legal.
fn combined(actions: &[(usize, DynamicMessage)]) -> Result<DynamicMessage, String> {
    let ((_, first), others) = actions.split_first().ok_or("No action was named.")?;
    let mut total = first.clone();
    for (index, (number, action)) in (1..).zip(others) {
        let again = actions[..index].iter().any(|(other, _)| other == number);
        add(&mut total, action, again)?;
    }
    Ok(total)
}

fn add(total: &mut DynamicMessage, part: &DynamicMessage, again: bool) -> Result<(), String> {
    for (field, value) in part.fields() {
        if !total.has_field(&field) {
            let oneof = field.containing_oneof();
            if oneof.is_some_and(|oneof| oneof.fields().any(|other| total.has_field(&other))) {
                return Err("These are different kinds of actions.".to_owned());
            }
            total.set_field(&field, value.clone());
            continue;
        }
        match (total.get_field_mut(&field), value) {
            (Value::Message(total), Value::Message(part)) => add(total, part, again)?,
            (Value::List(total), Value::List(part)) => join(total, part, again),
            (total, part) if total == part => {}
            (_, _) => {
                let name = phrase::words(field.name());
                return Err(format!("These actions differ in {name}."));
            }
        }
    }
    Ok(())
}

fn join(total: &mut Vec<Value>, part: &[Value], again: bool) {
    let count = |list: &[Value], value: &Value| list.iter().filter(|it| *it == value).count();
    let had = if again { Vec::new() } else { total.clone() };
    let mut seen: Vec<Value> = Vec::new();
    for value in part {
        seen.push(value.clone());
        if count(&seen, value) > count(&had, value) {
            total.push(value.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{json_line, parse, ruleset_message};

    fn combine(ruleset: &str, actions: &[(usize, &str)]) -> Result<String, String> {
        let action = ruleset_message(ruleset, "Action").unwrap();
        let actions: Vec<_> = actions
            .iter()
            .map(|(number, text)| (*number, parse(&action, text).unwrap()))
            .collect();
        combined(&actions).map(|total| json_line(&total).unwrap())
    }

    #[test]
    fn armies_are_placed_together_and_food_is_paid_once() {
        let army = |card: &str| {
            format!(
                r#"{{"placeArmies":{{"province":"PROVINCE_DARB","armies":[{{"card":"{card}"}}],"food":[{{"card":"CARD_START_RED_MARKET_1"}}]}}}}"#
            )
        };
        let (first, second) = (army("CARD_START_RED_ARMY_1"), army("CARD_IMPROVEMENT_ARMY"));
        let both = combine("mythotopia", &[(1, &first), (4, &second)]).unwrap();
        assert!(
            both.contains(
                r#""armies":[{"card":"CARD_START_RED_ARMY_1"},{"card":"CARD_IMPROVEMENT_ARMY"}]"#
            ),
            "{both}"
        );
        assert_eq!(both.matches("CARD_START_RED_MARKET_1").count(), 1, "{both}");
    }

    #[test]
    fn an_action_that_is_named_twice_counts_twice() {
        let copper = r#"{"cellarDiscard":{"cards":["CARD_COPPER"]}}"#;
        let estate = r#"{"cellarDiscard":{"cards":["CARD_ESTATE","CARD_COPPER"]}}"#;
        let twice = combine("dominion", &[(1, copper), (1, copper)]).unwrap();
        assert_eq!(
            twice,
            r#"{"cellarDiscard":{"cards":["CARD_COPPER","CARD_COPPER"]}}"#
        );
        let both = combine("dominion", &[(1, copper), (2, estate)]).unwrap();
        assert_eq!(
            both,
            r#"{"cellarDiscard":{"cards":["CARD_COPPER","CARD_ESTATE"]}}"#
        );
    }

    #[test]
    fn what_differs_is_not_combined() {
        let village = r#"{"buyCard":{"card":"CARD_VILLAGE"}}"#;
        let moat = r#"{"buyCard":{"card":"CARD_MOAT"}}"#;
        let differ = combine("dominion", &[(1, village), (2, moat)]).unwrap_err();
        assert_eq!(differ, "These actions differ in card.");
        let kinds = combine("dominion", &[(1, village), (2, r#"{"endTurn":{}}"#)]).unwrap_err();
        assert_eq!(kinds, "These are different kinds of actions.");
    }
}
