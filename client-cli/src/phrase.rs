//! Names of the contract, and players, in words.

use gamekeeper_proto::gamekeeper::v1::proposal::{Kind, TakeBack};
use gamekeeper_proto::gamekeeper::v1::{GameInfo, Proposal};

use crate::terms;

/// `THRONE_ROOM` and `throne_room` are `Throne Room`.
pub(crate) fn title(name: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().collect::<String>() + &letters.as_str().to_lowercase()
    };
    name.split('_').map(capital).collect::<Vec<_>>().join(" ")
}

/// `buy_card` and `BUY_CARD` are `buy card`.
pub(crate) fn words(name: &str) -> String {
    name.replace('_', " ").to_lowercase()
}

/// The name of a seat's player.
pub(crate) fn player(info: &GameInfo, seat: u32) -> String {
    let player = info.players.iter().find(|player| player.seat == seat);
    player.map_or_else(|| format!("seat {seat}"), |player| player.name.clone())
}

/// What people call a decision.
fn decision(ruleset: &str, id: &str) -> String {
    let title = terms::decision(ruleset, id).map(|term| term.title);
    let title = title.filter(|title| !title.is_empty());
    title.unwrap_or_else(|| words(id))
}

/// The pending decisions: `Ann (seat 1): buy phase`.
pub(crate) fn pending(info: &GameInfo) -> String {
    let owed = info.pending.iter().map(|pending| {
        let name = player(info, pending.seat);
        let decision = decision(&info.ruleset, &pending.decision);
        format!("{name} (seat {}): {decision}", pending.seat)
    });
    owed.collect::<Vec<_>>().join("; ")
}

/// A proposal with its number: `7, of Ann: back to version 12`.
pub(crate) fn proposal(info: &GameInfo, proposal: &Proposal) -> String {
    let Proposal {
        number, seat, kind, ..
    } = proposal;
    let wish = match kind {
        Some(Kind::TakeBack(TakeBack { to_version })) => format!("back to version {to_version}"),
        None => "unknown to this program".to_owned(),
    };
    format!("{number}, of {}: {wish}", player(info, *seat))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_words() {
        assert_eq!(title("THRONE_ROOM"), "Throne Room");
        assert_eq!(words("PLACE_WORKER"), "place worker");
    }
}
