//! The **refusals** of a ruleset as every door says them: code, rule, message and values, and for options the values that
//! would be accepted.

use gamekeeper_proto::EncodedMessage;
use gamekeeper_rules::ruleset::{RefusedBy, RefusedOptionBy};
use gamekeeper_rules::table::{Field, RefusedOption};

use crate::allowed::allowed_values;
use crate::unknown_enum_path::UnknownEnumPath;
use crate::{Detail, Wire, detail};

/// A refusal by the rules, independent of the ruleset.
#[derive(Clone, Debug, PartialEq)]
pub struct RulesRefusal {
    /// The stable code, such as `CARD_NOT_IN_HAND`.
    pub code: &'static str,
    /// The id of the rule, such as `DOM-6.5`.
    pub rule: &'static str,
    /// The reason, in plain English.
    pub message: String,
    /// The values that the message names. Is `None` if there are none.
    pub detail: Option<Box<Detail>>,
}

impl RulesRefusal {
    /// Converts the refusal of a ruleset.
    #[must_use]
    pub fn of<W: Wire>(refusal: &RefusedBy<W>) -> Self {
        Self {
            code: refusal.code(),
            rule: refusal.rule,
            message: refusal.to_string(),
            detail: detail::<W>(&refusal.reason).map(Box::new),
        }
    }

    /// Completes the refusal of a name that does not exist in the game with its path in the request and the value that
    /// was sent. `outer` is the path of the action in the request.
    pub fn locate_unknown_name<W: Wire>(&mut self, action: &EncodedMessage, outer: &str) {
        let detail = self.detail.as_deref_mut();
        let unknown = detail.and_then(|detail| detail.locate::<W>(action, outer));
        self.name_unknown(unknown);
    }

    fn name_unknown(&mut self, unknown: Option<UnknownEnumPath>) {
        let Some(UnknownEnumPath { path, value, .. }) = unknown else {
            return;
        };
        self.message = match &*value {
            "" => format!("`{path}` is missing."),
            _ => format!("`{path}` is {value}, which names nothing in this game."),
        };
    }
}

/// A refusal of the requested options by the rules.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", option_refusal_text(.refusal, .field, .allowed, *.is_number_of_players))]
pub struct OptionRefusal {
    /// The refusal.
    pub refusal: RulesRefusal,
    /// The path of the field from the request, such as `options.kingsburg.colors[1]`.
    pub field: String,
    /// The values that the field accepts, in words.
    pub allowed: String,
    /// Whether there are too few or too many players.
    pub is_number_of_players: bool,
}

impl OptionRefusal {
    /// Converts the refusal of options for these players, and lists the values of the field that fit the other options
    /// that were sent. `outer` is the path of the options' message in the request, with its last dot: empty, or
    /// `plan.`.
    #[must_use]
    pub fn of<W: Wire>(
        refusal: &RefusedOptionBy<W>,
        players: &[String],
        sent: Option<&W::PbOptions>,
        outer: &str,
    ) -> Self {
        let RefusedOption {
            field,
            refused: rules_refusal,
        } = refusal;
        let is_number_of_players = *field == Field::Players;
        let path = match (is_number_of_players, outer) {
            // A plan has the number of players, not their names.
            (true, "plan.") => String::from("plan.seats"),
            _ => format!(
                "{outer}{}",
                with_ruleset_prefix(&field.to_string(), W::INFO.id)
            ),
        };
        let none = W::PbOptions::default();
        let sent = sent.unwrap_or(&none);
        let mut refusal = RulesRefusal::of::<W>(rules_refusal);
        let detail = refusal.detail.as_deref_mut();
        let unknown = detail.and_then(|detail| detail.locate_option::<W>(sent, *field, &path));
        refusal.name_unknown(unknown);
        Self {
            refusal,
            field: path,
            allowed: allowed_values::<W>(*field, players, sent),
            is_number_of_players,
        }
    }
}

/// Formats the sentence of the refusal, and the values that the field accepts. The sentence about the number of players
/// has them already.
fn option_refusal_text(
    refusal: &RulesRefusal,
    field: &str,
    allowed: &str,
    is_number_of_players: bool,
) -> String {
    if is_number_of_players {
        return refusal.message.clone();
    }
    let message = refusal.message.trim_end_matches('.');
    format!("{message}. Allowed for {field}: {allowed}.")
}

/// Returns the path of an option from the request, in which each ruleset's options have a field of their own.
fn with_ruleset_prefix(field: &str, id: &str) -> String {
    match field.strip_prefix("options.") {
        Some(path) => format!("options.{id}.{path}"),
        None => field.to_owned(),
    }
}
