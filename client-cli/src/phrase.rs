//! Names of the contract, and players, in words.

use gamekeeper_proto::gamekeeper::v1::GameInfo;

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

/// Who owes what: `Ann (seat 1): buy phase`.
pub(crate) fn pending(info: &GameInfo) -> String {
    let owed = info.pending.iter().map(|pending| {
        let name = player(info, pending.seat);
        let decision = words(&pending.decision);
        format!("{name} (seat {}): {decision}", pending.seat)
    });
    owed.collect::<Vec<_>>().join("; ")
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
