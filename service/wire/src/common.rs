//! Messages that all rulesets share.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{self, Ranking, Seat};
use prost_types::Timestamp;
use unicode_width::UnicodeWidthStr;

use crate::Malformed;

/// The maximum length of the name of a player, in characters.
const MAX_NAME_LEN: usize = 64;

/// Returns the seat with this number.
///
/// # Errors
/// Fails for 0 and for numbers beyond the largest table.
pub fn seat(number: u32, field: &str) -> Result<Seat, Malformed> {
    u8::try_from(number)
        .ok()
        .and_then(Seat::new)
        .ok_or_else(|| {
            Malformed::new(
                field,
                format!("there is no seat {number}; seats are numbered from 1"),
            )
        })
}

/// Returns the number of a seat on the wire, from 1.
#[must_use]
pub fn seat_number(seat: Seat) -> u32 {
    u32::from(seat.number())
}

/// Returns the numbers of seats, in the same order.
#[must_use]
pub fn seat_numbers(seats: &[Seat]) -> Vec<u32> {
    seats.iter().copied().map(seat_number).collect()
}

/// Returns the names of players, in seat order.
///
/// # Errors
/// Fails if [`check_name`] fails for one of them.
pub fn player_names(players: &[pb::Player]) -> Result<Vec<String>, Malformed> {
    let name = |(index, player): (usize, &pb::Player)| {
        check_name(&player.name, &format!("players[{index}].name"))?;
        Ok(player.name.clone())
    };
    players.iter().enumerate().map(name).collect()
}

/// Checks that the text can be the name of a player.
///
/// # Errors
/// Fails if it is empty, too long or invisible, or if [`check_text`] fails.
pub fn check_name(name: &str, field: &str) -> Result<(), Malformed> {
    if name.trim().is_empty() {
        return Err(Malformed::new(field, "is empty"));
    }
    if name.trim().width() == 0 {
        return Err(Malformed::new(field, "has no visible character"));
    }
    if name.chars().count() > MAX_NAME_LEN {
        let text = format!("is longer than {MAX_NAME_LEN} characters");
        return Err(Malformed::new(field, text));
    }
    check_text(name, field)
}

/// Checks that the text stays on its line and does not change the text around it, against **text spoofing**.
///
/// # Errors
/// Fails if it contains control characters, separators of lines or paragraphs, or characters that change the direction
/// of the text around them.
pub fn check_text(text: &str, field: &str) -> Result<(), Malformed> {
    if text.chars().any(char::is_control) {
        return Err(Malformed::new(field, "holds a control character"));
    }
    if text.contains(is_line_or_direction_control) {
        let description = "holds a character that changes the direction or the lines of other text";
        return Err(Malformed::new(field, description));
    }
    Ok(())
}

/// Returns whether this is a separator of lines or paragraphs, or an embedding, override or isolate of Unicode's
/// bidirectional algorithm (UAX #9). The directional marks are allowed, because names in Arabic and Hebrew contain
/// them.
const fn is_line_or_direction_control(letter: char) -> bool {
    matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Converts the pending decisions.
#[must_use]
pub fn pending(list: &table::PendingList) -> Vec<pb::PendingDecision> {
    let decision = |pending: &table::Pending| pb::PendingDecision {
        seat: seat_number(pending.seat),
        decision: pending.decision.to_owned(),
        ..pb::PendingDecision::default()
    };
    list.iter().map(decision).collect()
}

/// Converts a ranking, best rank first.
#[must_use]
pub fn standings(ranking: &Ranking) -> Vec<pb::Standing> {
    let item = |item: &table::ScoreItem| pb::ScoreItem {
        source: item.source.id.to_owned(),
        points: item.points,
    };
    let standing = |standing: &table::Standing| pb::Standing {
        seat: seat_number(standing.seat),
        rank: u32::from(standing.rank),
        score: standing.score,
        breakdown: standing.breakdown.iter().map(item).collect(),
        tie_breaks: standing.tie_breaks.iter().map(item).collect(),
    };
    ranking.standings.iter().map(standing).collect()
}

/// Converts a recorded draw.
#[must_use]
pub fn draw<R: Ruleset>(draw: &table::Draw) -> pb::Draw {
    pb::Draw {
        name: draw.name.clone().into_owned(),
        seat: draw.seat.map_or(0, seat_number),
        values: draw.values.iter().map(|&value| u32::from(value)).collect(),
        labels: draw
            .values
            .iter()
            .map(|&value| R::draw_label(&draw.name, value))
            .collect(),
    }
}

/// Converts a time, given in milliseconds since the Unix epoch.
#[must_use]
pub fn timestamp(ms: u64) -> Timestamp {
    Timestamp {
        seconds: i64::try_from(ms / 1000).unwrap_or(i64::MAX),
        nanos: i32::try_from(ms % 1000).unwrap_or(0) * 1_000_000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names, each with the reason why it is refused; empty if it is allowed.
    const NAMES: &[(&str, &str)] = &[
        ("Ada", ""),
        ("\u{5d0}\u{5d3}\u{5d4}\u{200f}", ""),
        ("\u{1f469}\u{200d}\u{1f680}", ""),
        (" \t", "is empty"),
        ("\u{200b}", "has no visible character"),
        (" \u{2060}\u{ad} ", "has no visible character"),
        ("Ada\nBob", "holds a control character"),
        (
            "Ada\u{202e}",
            "holds a character that changes the direction or the lines of other text",
        ),
        (
            "Ada\u{2028}Bob",
            "holds a character that changes the direction or the lines of other text",
        ),
    ];

    #[test]
    fn a_name_can_be_seen_and_leaves_other_text_alone() {
        for (name, description) in NAMES {
            let checked = check_name(name, "name").map_err(|malformed| malformed.to_string());
            match checked {
                Ok(()) => assert_eq!(*description, "", "{name:?}"),
                Err(text) => assert!(
                    !description.is_empty() && text.contains(description),
                    "{name:?}: {text}"
                ),
            }
        }
    }
}
