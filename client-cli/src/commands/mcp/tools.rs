//! The tools: their descriptions, and the functions behind them.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use rmcp::schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::answer::Answer;
use super::{arguments, begin, happened, list, play, rulebook, rulesets, show};
use crate::failure::Failure;
use crate::session::Session;

/// The effect of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    /// Changes nothing.
    Reads,
    /// Adds a game.
    Adds,
    /// Changes a game in a way that cannot be undone.
    Destroys,
}

/// The name of the tool that needs a tenant's key, or an open server.
pub(super) const BEGIN_GAME: &str = "begin_game";

/// Returns all tools.
pub(super) fn all() -> Vec<Tool> {
    use Effect::{Adds, Destroys, Reads};

    vec![
        tool::<arguments::ListRulesets>(
            "list_rulesets",
            Reads,
            "List the board games that can be played, with seats and bots; or describe one, with its options.",
        ),
        tool::<arguments::ListGames>(
            "list_games",
            Reads,
            "List your games and who has to act. A token of a seat needs none: it is for one game.",
        ),
        tool::<arguments::BeginGame>(
            BEGIN_GAME,
            Adds,
            "Begin a game against bots. Answers with your first decision.",
        ),
        tool::<arguments::Look>(
            "look_at_table",
            Reads,
            "Show the table as your seat sees it: as text, as JSON (view) or as a picture.",
        ),
        tool::<arguments::ListActions>(
            "list_actions",
            Reads,
            "List the legal actions of your seat, numbered, by kind. The numbers are for this game, seat and version.",
        ),
        tool::<arguments::Play>(
            "play_action",
            Destroys,
            "Play an action: by its number in the list of this version, by words that fit only one action, or as JSON. \
             Answers with what happened and your next decision. A refusal names its reason and rule, and changes nothing.",
        ),
        tool::<arguments::Check>(
            "check_action",
            Reads,
            "Say whether an action is legal now, or by which rule it is refused, without playing it.",
        ),
        tool::<arguments::Happened>(
            "what_happened",
            Reads,
            "Tell what happened after a version, as your seat may know it.",
        ),
        tool::<arguments::Wait>(
            "wait",
            Reads,
            "Wait until your seat must decide or the game is over, up to 30 seconds; then tell what happened and list your \
             legal actions. Call it again if others still have to decide.",
        ),
        tool::<arguments::LookUpRule>(
            "look_up_rule",
            Reads,
            "Find rules by id, by the name of a card, tile or building, or by words.",
        ),
        tool::<arguments::Resign>(
            "resign",
            Destroys,
            "Leave a game for good. The fallback of the rules plays on for your seat.",
        ),
    ]
}

fn tool<A: JsonSchema + 'static>(name: &'static str, effect: Effect, about: &'static str) -> Tool {
    let annotations = ToolAnnotations::new()
        .read_only(effect == Effect::Reads)
        .destructive(effect == Effect::Destroys)
        .idempotent(effect == Effect::Reads)
        .open_world(false);
    let mut tool = Tool::new(name, about, JsonObject::new())
        .with_title(title(name))
        .with_input_schema::<A>()
        .with_annotations(annotations);
    let schema = Arc::make_mut(&mut tool.input_schema);
    if let Some(Value::Object(arguments)) = schema.get_mut("properties") {
        arguments.values_mut().for_each(make_portable);
    }
    tool
}

/// Leaves one type of an argument that may be left out. Hosts differ in how they read a list of types.
fn make_portable(argument: &mut Value) {
    let Some(Value::Array(types)) = argument.get_mut("type") else {
        return;
    };
    if !types.is_empty() {
        let first = types.swap_remove(0);
        argument["type"] = first;
    }
}

/// Converts `look_at_table` to `Look at table`.
fn title(name: &str) -> String {
    let words = name.replace('_', " ");
    let (first, rest) = words.split_at(1);
    first.to_uppercase() + rest
}

/// Calls a tool. Returns `None` if there is none with this name.
pub(super) async fn call(session: &Session, name: &str, arguments: JsonObject) -> Option<Answer> {
    let arguments = Arguments(arguments);
    // Async closures do not say that their futures can be sent to other threads, blocks do.
    macro_rules! hand_to {
        ($work:path) => {
            arguments.hand(|it| async move { $work(session, &it).await })
        };
    }
    let result = match name {
        "list_rulesets" => hand_to!(rulesets::list_rulesets).await,
        "list_games" => hand_to!(begin::list_games).await,
        BEGIN_GAME => hand_to!(begin::begin_game).await,
        "look_at_table" => hand_to!(show::look).await,
        "list_actions" => hand_to!(list::list_actions).await,
        "play_action" => hand_to!(play::play_action).await,
        "check_action" => hand_to!(play::check_action).await,
        "what_happened" => hand_to!(happened::what_happened).await,
        "wait" => hand_to!(happened::wait).await,
        "look_up_rule" => hand_to!(rulebook::look_up_rule).await,
        "resign" => hand_to!(begin::resign).await,
        _ => return None,
    };
    Some(result.unwrap_or_else(Answer::from))
}

/// The arguments of a call, as they came.
struct Arguments(JsonObject);

impl Arguments {
    /// Decodes the arguments and hands them to a function.
    async fn hand<A: DeserializeOwned, F: Future<Output = Result<Answer, Failure>> + Send>(
        self,
        work: impl FnOnce(A) -> F + Send,
    ) -> Result<Answer, Failure> {
        let arguments = serde_json::from_value(Value::Object(self.0));
        let arguments =
            arguments.map_err(|error| Failure::Usage(format!("the arguments: {error}")))?;
        work(arguments).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tools_are_few_and_say_what_they_do() {
        let tools = all();
        assert!(tools.len() <= 12);
        for tool in &tools {
            let annotations = tool.annotations.as_ref().unwrap();
            assert!(annotations.read_only_hint.is_some(), "{}", tool.name);
            assert!(annotations.destructive_hint.is_some(), "{}", tool.name);
            let schema = serde_json::to_value(&tool.input_schema).unwrap();
            assert_eq!(schema["type"], "object", "{}", tool.name);
            assert_eq!(schema["additionalProperties"], false, "{}", tool.name);
            let properties = schema["properties"].as_object().unwrap();
            for (name, property) in properties {
                let about = property["description"].as_str().unwrap_or_default();
                assert!(about.ends_with('.'), "{}: {name}", tool.name);
                assert!(!property["type"].is_array(), "{}: {name}", tool.name);
                let word = |word| name.contains(word);
                assert!(!word("token") && !word("key"), "{}: {name}", tool.name);
            }
        }
    }
}
