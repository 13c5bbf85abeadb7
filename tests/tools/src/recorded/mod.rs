//! Recorded games of Terra Mystica, as other programs have kept them, become **records** of this service.
//!
//! The set-up is given by options of the game, round scoring tiles and bonus cards included, so luck decides nothing. A
//! record proves all of a game but the times, which the recordings do not have.

#[path = "../../../../service/rules/tests/terra_mystica_replay/actions.rs"]
mod actions;
#[path = "../../../../service/rules/tests/terra_mystica_replay/game.rs"]
#[allow(
    dead_code,
    reason = "only the moves and the final points are used here, not the tables on the way"
)]
mod game;
#[cfg(test)]
mod tests;
mod writer;

use gamekeeper_proto::raw::ExportGameResponse;
use gamekeeper_proto::raw::export_game_response::Part;
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::Seat;
use gamekeeper_rules::terra_mystica::TerraMystica;
use gamekeeper_wire::contract::pool;
use prost::Message;
use prost_reflect::DynamicMessage;

use self::game::{Game, Move};
use self::writer::{RecordWriter, Source};

/// The reason why a recorded game does not become a record.
#[derive(Debug, thiserror::Error)]
pub enum ConversionError {
    /// The text is not in the format of recorded games.
    #[error("this is no recorded game of Terra Mystica: {0}")]
    Malformed(#[from] serde_json::Error),
    /// The rules refuse the set-up.
    #[error("set-up: {0}")]
    SetUp(String),
    /// A move cannot be read, or the rules refuse it.
    #[error("move {number}: {reason}")]
    Move {
        /// The number of the move in the recording.
        number: u32,
        /// The explanation.
        reason: String,
    },
    /// The recording leaves something open that a draw decides.
    #[error("{at}: the recording leaves {draw} to luck")]
    Drawn {
        /// The place in the recording.
        at: String,
        /// The name of the draw.
        draw: String,
    },
    /// The recording has a final scoring, but the rules say that the game goes on.
    #[error("the moves end before the game does")]
    NotOver,
    /// The rules give other points than the recording.
    #[error("{faction} ends with {found} points, the recording says {recorded}")]
    Points {
        /// The faction.
        faction: String,
        /// The points by the rules.
        found: i32,
        /// The points in the recording.
        recorded: i32,
    },
    /// The record cannot be written as JSON.
    #[error("{0}")]
    Unwritable(String),
}

/// A record as `gamekeeper export` writes it.
#[derive(Debug)]
pub struct Converted {
    /// The JSON Lines.
    pub lines: String,
    /// The number of versions.
    pub versions: usize,
    /// The points of each seat, in seat order. Empty if the recording breaks off before the end of the game.
    pub points: Vec<i32>,
}

/// Converts a recorded game to a record whose versions all have this time, in milliseconds since the Unix epoch. The same
/// text gives the same record; players are called by their factions.
///
/// # Errors
/// If the text is no recorded game, the rules refuse a part of it, or they give another result.
pub fn convert(text: &str, time_ms: u64) -> Result<Converted, ConversionError> {
    let game: Game = serde_json::from_str(text)?;
    let (names, draft) = game.draft().map_err(ConversionError::SetUp)?;
    let options = TerraMystica::options(&names, &draft)
        .map_err(|refusal| ConversionError::SetUp(refusal.to_string()))?;
    let mut writer = RecordWriter::<TerraMystica>::begin(Source::of(text), names, options, time_ms);
    nothing_is_drawn(&writer, || "set-up".to_owned())?;
    // The rules carry out automatic actions by themselves.
    for one in game.moves.iter().filter(|one| !one.is_automatic()) {
        play(&mut writer, &game, one)?;
    }
    let points = points(&game, &writer)?;
    let parts = writer.finish();
    let versions = parts.iter().filter(|part| matches!(part, Part::Version(_)));
    Ok(Converted {
        versions: versions.count(),
        points,
        lines: parts
            .into_iter()
            .map(line)
            .collect::<Result<_, ConversionError>>()?,
    })
}

fn play(
    writer: &mut RecordWriter<TerraMystica>,
    game: &Game,
    one: &Move,
) -> Result<(), ConversionError> {
    let wrong = |reason: String| ConversionError::Move {
        number: one.n,
        reason,
    };
    let seat = game.seat(&one.faction).map_err(wrong)?;
    for op in &one.ops {
        let action = actions::read(op).map_err(wrong)?;
        let played = writer.play(seat, &action);
        played.map_err(|refusal| wrong(format!("{op}: {refusal}")))?;
        nothing_is_drawn(writer, || format!("move {}", one.n))?;
    }
    Ok(())
}

/// Luck that the recording does not give would be another one than that of the game.
fn nothing_is_drawn(
    writer: &RecordWriter<TerraMystica>,
    at: impl Fn() -> String,
) -> Result<(), ConversionError> {
    match writer.now().draws.first() {
        None => Ok(()),
        Some(draw) => Err(ConversionError::Drawn {
            at: at(),
            draw: draw.name.to_string(),
        }),
    }
}

/// Returns the final points in seat order, once they are those of the recording.
fn points(game: &Game, writer: &RecordWriter<TerraMystica>) -> Result<Vec<i32>, ConversionError> {
    let ranking = TerraMystica::ranking(&writer.now().state);
    let Some(ranking) = ranking else {
        return match game.results.is_empty() {
            true => Ok(Vec::new()),
            false => Err(ConversionError::NotOver),
        };
    };
    let score = |seat: Seat| {
        let mut standings = ranking.standings.iter();
        standings.find(|standing| standing.seat == seat)
    };
    let mut points = Vec::new();
    for (seat, faction) in game.factions() {
        let found = score(seat).map_or(0, |standing| standing.score);
        let recorded = game.results.get(faction);
        let recorded = recorded.map_or(found, |finale| i32::from(finale.total));
        if found != recorded {
            return Err(ConversionError::Points {
                faction: faction.to_owned(),
                found,
                recorded,
            });
        }
        points.push(found);
    }
    Ok(points)
}

/// Formats a part of the record as a line of JSON.
fn line(part: Part) -> Result<String, ConversionError> {
    let unwritable = |error: &dyn std::fmt::Display| ConversionError::Unwritable(error.to_string());
    let kind = pool().get_message_by_name("gamekeeper.v1.ExportGameResponse");
    let kind = kind.ok_or_else(|| unwritable(&"the contract has no records"))?;
    let part = ExportGameResponse { part: Some(part) };
    let part = DynamicMessage::decode(kind, &*part.encode_to_vec());
    let part = part.map_err(|error| unwritable(&error))?;
    let line = serde_json::to_string(&part).map_err(|error| unwritable(&error))?;
    Ok(line + "\n")
}
