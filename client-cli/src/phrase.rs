//! Words for the names of the contract and for players.

use gamekeeper_proto::gamekeeper::v1::proposal::{End, Kind, Pause, TakeBack};
use gamekeeper_proto::gamekeeper::v1::{EndReason, GameInfo, GameStart, Proposal};

use crate::terms;

/// Converts `THRONE_ROOM` and `throne_room` to `Throne Room`.
pub(crate) fn title(name: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().collect::<String>() + &letters.as_str().to_lowercase()
    };
    name.split('_').map(capital).collect::<Vec<_>>().join(" ")
}

/// Returns the title of a ruleset as it stands on the box: `No Thanks!`.
pub(crate) fn ruleset(id: &str) -> String {
    terms::ruleset(id).map_or_else(|| title(id), str::to_owned)
}

/// Converts `buy_card` and `BUY_CARD` to `buy card`.
pub(crate) fn words(name: &str) -> String {
    name.replace('_', " ").to_lowercase()
}

/// Converts `buy_card` to `Buy card`.
fn sentence(name: &str) -> String {
    let words = words(name);
    let (first, rest) = words.split_at(words.chars().next().map_or(0, char::len_utf8));
    first.to_uppercase() + rest
}

/// Returns the name of a seat's player.
pub(crate) fn player(info: &GameInfo, seat: u32) -> String {
    let player = info.players.iter().find(|player| player.seat == seat);
    player.map_or_else(|| format!("seat {seat}"), |player| player.name.clone())
}

/// Returns the table on which a game began. Returns `None` for the set-up.
pub(crate) fn start(game: &GameInfo) -> Option<&'static str> {
    match game.start() {
        GameStart::Unspecified | GameStart::SetUp => None,
        GameStart::Rich => Some("with much more for every player than the rules give"),
        GameStart::Late => Some("late, on the table of a game played at random"),
        GameStart::Position if game.start_dealt => {
            Some("on a table that its creator has described; luck has dealt what was left out")
        }
        GameStart::Position => Some("on a table that its creator has described"),
    }
}

/// Returns the title of a decision for use within a sentence.
pub(crate) fn decision(ruleset: &str, id: &str) -> String {
    let title = terms::decision(ruleset, id).map(|decision| decision.title);
    title.map_or_else(|| words(id), within)
}

/// Converts a title for use within a sentence.
fn within(title: &str) -> String {
    let (first, rest) = title.split_at_checked(1).unwrap_or((title, ""));
    first.to_lowercase() + rest
}

/// Returns the title of a kind of action: `Buy a card`.
pub(crate) fn kind(ruleset: &str, id: &str) -> String {
    terms::action(ruleset, id).map_or_else(|| sentence(id), str::to_owned)
}

/// Returns the title of a kind of action for use within a sentence: `buy a card`.
pub(crate) fn kind_within(ruleset: &str, id: &str) -> String {
    within(&kind(ruleset, id))
}

/// Returns the title of a source of points: `Town Hall`.
pub(crate) fn source(ruleset: &str, id: &str) -> String {
    terms::source(ruleset, id).map_or_else(|| sentence(id), str::to_owned)
}

/// Returns the question of a seat's pending decision. Empty if there is none or this program does not know it.
pub(crate) fn question(info: &GameInfo, seat: u32) -> &'static str {
    let pending_decision = info
        .pending
        .iter()
        .find(|pending_decision| pending_decision.seat == seat);
    let decision = pending_decision
        .and_then(|pending_decision| terms::decision(&info.ruleset, &pending_decision.decision));
    decision.map_or("", |decision| decision.question)
}

/// Lists the pending decisions: `Ann (seat 1): buy phase`.
pub(crate) fn pending(info: &GameInfo) -> String {
    let pending = info.pending.iter().map(|pending| {
        let name = player(info, pending.seat);
        let decision = decision(&info.ruleset, &pending.decision);
        format!("{name} (seat {}): {decision}", pending.seat)
    });
    pending.collect::<Vec<_>>().join("; ")
}

/// Lists the players with pending decisions: `Ann (seat 1) and Bob (seat 2)`.
pub(crate) fn pending_players(info: &GameInfo) -> String {
    let pending = info.pending.iter();
    let names =
        pending.map(|pending| format!("{} (seat {})", player(info, pending.seat), pending.seat));
    let names: Vec<_> = names.collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// Formats a proposal with its number: `7, of Ann: go back to version 12`.
pub(crate) fn proposal(info: &GameInfo, proposal: &Proposal) -> String {
    let Proposal {
        number, seat, kind, ..
    } = proposal;
    let request_text = proposal_text(kind.as_ref());
    format!("{number}, of {}: {request_text}", player(info, *seat))
}

/// Explains why a game is over.
pub(crate) const fn end(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Unspecified => "for a reason unknown to this program",
        EndReason::Rules => "by the rules",
        EndReason::Resignation => "all players but one have left, the last by resigning",
        EndReason::Abandoned => "all players but one have left, the last by running out of time",
        EndReason::Agreed => "the players agreed",
        EndReason::Aborted => "by the owner, without a result",
    }
}

/// Describes the effect of a proposal: `go back to version 12`.
pub(crate) fn proposal_text(kind: Option<&Kind>) -> String {
    match kind {
        Some(Kind::TakeBack(TakeBack { to_version })) => format!("go back to version {to_version}"),
        Some(Kind::Pause(Pause {})) => "stop the clocks".to_owned(),
        Some(Kind::End(End { scored: true })) => {
            "end the game, ranked by the points of now".to_owned()
        }
        Some(Kind::End(End { scored: false })) => "end the game without a result".to_owned(),
        None => "unknown to this program".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_proto::gamekeeper::v1::PendingDecision;

    use super::*;

    #[test]
    fn names_become_words() {
        assert_eq!(title("THRONE_ROOM"), "Throne Room");
        assert_eq!(words("PLACE_WORKER"), "place worker");
    }

    #[test]
    fn words_of_rulesets_are_as_people_say_them() {
        let owing = |decision: &str| GameInfo {
            ruleset: "dominion".to_owned(),
            pending: vec![PendingDecision {
                seat: 2,
                decision: decision.to_owned(),
                ..PendingDecision::default()
            }],
            ..GameInfo::default()
        };
        let known_decision = owing("militia_discard");
        assert_eq!(
            pending(&known_decision),
            "seat 2 (seat 2): discard for the Militia"
        );
        assert_eq!(question(&known_decision, 2), "Which cards do you discard?");
        assert_eq!(question(&known_decision, 1), "");
        assert_eq!(kind("dominion", "buy_card"), "Buy a card");
        assert_eq!(kind_within("dominion", "buy_card"), "buy a card");
        assert_eq!(kind("dominion", "fold_map"), "Fold map");
        assert_eq!(source("kingsburg", "town_hall"), "Town Hall");
        assert_eq!(source("origami", "town_hall"), "Town hall");
        let unknown = owing("fold_map");
        assert_eq!(pending(&unknown), "seat 2 (seat 2): fold map");
        assert_eq!(question(&unknown, 2), "");
    }
}
