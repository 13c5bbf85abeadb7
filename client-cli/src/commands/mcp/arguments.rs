//! The arguments of the tools. The comments of the fields are what models read of them.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde_json::{Map, Value};

/// The arguments of `list_rulesets`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListRulesets {
    /// Only this ruleset, such as `dominion`, with the options of a new game and its kinds of actions as JSON.
    pub(super) ruleset: Option<String>,
    /// The part of a long answer, from 1.
    pub(super) part: Option<usize>,
}

/// The arguments of `list_games`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListGames {
    /// Whether to list finished games instead of those that are being played.
    #[serde(default)]
    pub(super) finished: bool,
    /// The text at the end of the previous page, for the next one.
    pub(super) page: Option<String>,
}

/// The arguments of `begin_game`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BeginGame {
    /// The ruleset, such as `dominion`.
    pub(super) ruleset: String,
    /// The bot at each other seat, in seat order, such as `["easy", "medium"]`; as many as there are other seats. The
    /// levels are easy, medium and strong; `list_rulesets` has all bots.
    pub(super) opponents: Vec<String>,
    /// Your seat, from 1. Default: 1.
    pub(super) seat: Option<u32>,
    /// Your name. Default: Agent.
    pub(super) name: Option<String>,
    /// Options of the game as a JSON object; `list_rulesets` with this ruleset describes them. Default: the plain game.
    pub(super) options: Option<Map<String, Value>>,
    /// Seed of all luck; the same number gives the same game. Needs a server that allows seeds.
    pub(super) seed: Option<u64>,
}

/// The form in which a table is shown.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub(super) enum Form {
    /// As text for people.
    #[default]
    Board,
    /// As JSON, with every field that the rules have.
    View,
    /// As a picture, beside a line of text.
    Picture,
}

/// The arguments of `look_at_table`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Look {
    /// The id of the game.
    pub(super) game: String,
    /// Your seat, from 1. Default: the one that your token, or the table, leaves you; otherwise you look as a spectator.
    pub(super) seat: Option<u32>,
    /// The form: `board` (default), `view` or `picture`.
    #[serde(default)]
    pub(super) form: Form,
    /// The version to look at. Default: the newest.
    pub(super) version: Option<u64>,
    /// The part of a long answer, from 1.
    pub(super) part: Option<usize>,
}

/// The arguments of `list_actions`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListActions {
    /// The id of the game.
    pub(super) game: String,
    /// Your seat, from 1. Default: the one that your token, or the table, leaves you.
    pub(super) seat: Option<u32>,
    /// Only actions whose names have these words, such as `buy silver`.
    pub(super) words: Option<String>,
    /// Only the actions from this number on: the first number of a folded line such as `12-45`, or of the next page.
    pub(super) from: Option<usize>,
    /// Only the actions up to this number.
    pub(super) to: Option<usize>,
    /// A kind of action, such as `buy_card`, to list with every way to pay for it and to combine it. The numbers of this list
    /// are its own: give the same value to `play_action`.
    pub(super) all_ways_of: Option<String>,
}

/// The arguments of `play_action`: a number, several numbers, words, or an action.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Play {
    /// The id of the game.
    pub(super) game: String,
    /// Your seat, from 1. Default: the one that your token, or the table, leaves you.
    pub(super) seat: Option<u32>,
    /// The version of the list that you choose from. If the game has moved on, nothing is played and you get the new list.
    pub(super) version: u64,
    /// The number of the action in the list of this version.
    pub(super) number: Option<usize>,
    /// Several numbers to play as one action: cards, armies or payments together.
    pub(super) numbers: Option<Vec<usize>>,
    /// Words of the action's name that fit only one listed action, such as `buy silver`.
    pub(super) words: Option<String>,
    /// The action as a JSON object, listed or not, such as `{"buyCard": {"card": "CARD_SILVER"}}`.
    pub(super) action: Option<Map<String, Value>>,
    /// The value of `all_ways_of` with which the list was made.
    pub(super) all_ways_of: Option<String>,
}

/// The arguments of `check_action`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Check {
    /// The id of the game.
    pub(super) game: String,
    /// Your seat, from 1. Default: the one that your token, or the table, leaves you.
    pub(super) seat: Option<u32>,
    /// The action as a JSON object, such as `{"buyCard": {"card": "CARD_GOLD"}}`; `list_rulesets` with the ruleset has all
    /// kinds.
    pub(super) action: Map<String, Value>,
}

/// The arguments of `what_happened`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Happened {
    /// The id of the game.
    pub(super) game: String,
    /// Your seat, from 1. Default: the one that your token, or the table, leaves you; otherwise you look as a spectator.
    pub(super) seat: Option<u32>,
    /// Only what happened after this version. Default: 0, everything.
    #[serde(default)]
    pub(super) after_version: u64,
}

/// The arguments of `wait`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Wait {
    /// The id of the game.
    pub(super) game: String,
    /// Your seat, from 1. Default: the one that your token, or the table, leaves you.
    pub(super) seat: Option<u32>,
    /// The last version that you have seen; the answer begins with what happened after it. Default: the newest.
    pub(super) after_version: Option<u64>,
    /// The most seconds to wait, up to 30. Default: 30.
    pub(super) seconds: Option<u64>,
}

/// The arguments of `look_up_rule`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LookUpRule {
    /// The id of a rule, such as `DOM-6.10`; or the name of a card, tile or building; or words.
    pub(super) query: String,
    /// Only the rules of this ruleset, such as `dominion`. Default: of all.
    pub(super) ruleset: Option<String>,
    /// The part of a long answer, from 1.
    pub(super) part: Option<usize>,
}

/// The arguments of `resign`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Resign {
    /// The id of the game.
    pub(super) game: String,
    /// The seat to leave, from 1.
    pub(super) seat: u32,
}
