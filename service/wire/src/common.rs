//! Messages that all rulesets share.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{self, Ranking, Seat};
use prost_types::Timestamp;

use crate::Malformed;

/// The longest name of a player, in characters.
const MAX_NAME_LEN: usize = 64;

/// The seat of this number.
///
/// # Errors
/// For 0 and for numbers that no table has.
pub fn seat(number: u32, field: &str) -> Result<Seat, Malformed> {
    u8::try_from(number)
        .ok()
        .and_then(Seat::new)
        .ok_or_else(|| {
            Malformed::new(
                field,
                format!("there is no seat {number}; seats count from 1"),
            )
        })
}

/// The number of a seat on the wire, from 1.
#[must_use]
pub fn seat_number(seat: Seat) -> u32 {
    u32::from(seat.number())
}

/// The numbers of seats, in the same order.
#[must_use]
pub fn seat_numbers(seats: &[Seat]) -> Vec<u32> {
    seats.iter().copied().map(seat_number).collect()
}

/// The names of players, in seat order.
///
/// # Errors
/// For a name that is empty, too long or holds control characters.
pub fn player_names(players: &[pb::Player]) -> Result<Vec<String>, Malformed> {
    let name = |(index, player): (usize, &pb::Player)| {
        check_name(&player.name, &format!("players[{index}].name"))?;
        Ok(player.name.clone())
    };
    players.iter().enumerate().map(name).collect()
}

/// Can this be the name of a player?
///
/// # Errors
/// When it is empty, too long, or holds control characters.
pub fn check_name(name: &str, field: &str) -> Result<(), Malformed> {
    if name.trim().is_empty() {
        return Err(Malformed::new(field, "is empty"));
    }
    if name.chars().count() > MAX_NAME_LEN {
        let text = format!("is longer than {MAX_NAME_LEN} characters");
        return Err(Malformed::new(field, text));
    }
    if name.chars().any(char::is_control) {
        return Err(Malformed::new(field, "holds a control character"));
    }
    Ok(())
}

/// The pending decisions.
#[must_use]
pub fn pending(list: &table::PendingList) -> Vec<pb::PendingDecision> {
    let decision = |pending: &table::Pending| pb::PendingDecision {
        seat: seat_number(pending.seat),
        decision: pending.decision.to_owned(),
        ..pb::PendingDecision::default()
    };
    list.iter().map(decision).collect()
}

/// A ranking, best rank first.
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

/// A recorded draw.
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

/// A time, given in milliseconds since the Unix epoch.
#[must_use]
pub fn timestamp(ms: u64) -> Timestamp {
    Timestamp {
        seconds: i64::try_from(ms / 1000).unwrap_or(i64::MAX),
        nanos: i32::try_from(ms % 1000).unwrap_or(0) * 1_000_000,
    }
}
