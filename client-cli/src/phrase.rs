//! Names of the contract, and players, in words.

use gamekeeper_proto::gamekeeper::v1::table_entry::Kind;
use gamekeeper_proto::gamekeeper::v1::{GameInfo, TableEntry};

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

/// The pending decisions: `Ann (seat 1): buy phase`.
pub(crate) fn pending(info: &GameInfo) -> String {
    let owed = info.pending.iter().map(|pending| {
        let name = player(info, pending.seat);
        let decision = words(&pending.decision);
        format!("{name} (seat {}): {decision}", pending.seat)
    });
    owed.collect::<Vec<_>>().join("; ")
}

/// An entry about the table rather than the rules, as a sentence.
pub(crate) fn table_entry(entry: &TableEntry) -> String {
    let kind = entry.kind.as_ref();
    kind.map_or_else(String::new, |kind| match kind {
        Kind::Resigned(entry) => format!("Seat {} leaves the game.", entry.seat),
        Kind::Returned(entry) => format!("Seat {} plays again.", entry.seat),
        Kind::TimedOut(entry) => match entry.claimed_by {
            0 => format!("Seat {} runs out of time.", entry.seat),
            by => format!("Seat {} runs out of time, claims seat {by}.", entry.seat),
        },
        Kind::Paused(_) => "The clocks are stopped.".to_owned(),
        Kind::Resumed(_) => "The clocks go on.".to_owned(),
        Kind::TakeBackAsked(entry) => {
            let (seat, version) = (entry.seat, entry.to_version);
            format!("Seat {seat} asks to go back to version {version}.")
        }
        Kind::TakeBackAnswered(entry) => match entry.agrees {
            true => format!("Seat {} agrees.", entry.seat),
            false => format!("Seat {} does not agree.", entry.seat),
        },
        Kind::TakenBack(entry) => {
            format!("The table is as it was at version {}.", entry.to_version)
        }
    })
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
