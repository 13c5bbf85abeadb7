//! The source of the draws in a record: the seed of the game and, for the past of a fork, the seeds of its origins.
//! Draws whose seed is still secret are replayed from the record.

use gamekeeper_proto::gamekeeper::v1::{self as pb, ForkOrigin, SeedReveal};
use gamekeeper_rules::starts::{Start, StartPoint, start_seed};
use gamekeeper_rules::table::{Chance, Draw, Seed};
use gamekeeper_rules::table_life::{ForkPoint, rng_owner};
use prost_types::Timestamp;

use super::RecordFault;
use super::differ::{difference, same};
use super::parts::{Record, Version};
use crate::{Position, StartKind, StartTable, Wire, seat, start};

/// The source of the draws in a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawProof {
    /// The draws were recomputed from the seed, which proves every one of them.
    Recomputed,
    /// The draws were taken from the record, because the seed is still secret. Only their possibility is checked.
    Repeated,
}

/// The sources of the draws of a game: one for each origin, for the versions that were played there, and the game's
/// own.
pub(super) struct RandomStreams {
    /// The version and time at which the game was forked from each origin.
    branches: Vec<ForkPoint>,
    /// The random stream of each origin, the oldest first, and of the game itself. `None` where the draws are replayed
    /// from the record.
    streams: Vec<Option<Chance>>,
}

impl RandomStreams {
    /// Opens the random streams of the seeds in a record, after checking the seeds against their commitments.
    pub(super) fn of(record: &Record) -> Result<Self, RecordFault> {
        let branches = fork_branches(record)?;
        let mut streams = Vec::with_capacity(branches.len() + 1);
        for ForkOrigin {
            seed_reveal,
            seed_commitment,
            ..
        } in &record.origins
        {
            let reveal = seed_reveal.as_ref();
            let stream = reveal.map(|reveal| revealed(reveal, seed_commitment));
            streams.push(stream.transpose()?);
        }
        let own_stream = record.reveal.as_ref();
        let own_stream = own_stream.map(|reveal| revealed(reveal, &record.game.seed_commitment));
        streams.push(own_stream.transpose()?);
        Ok(Self { branches, streams })
    }

    /// Returns the version and time at which the game was forked from each origin.
    pub(super) fn branches(&self) -> &[ForkPoint] {
        &self.branches
    }

    /// Returns whether the draws of all these versions are recomputed from seeds.
    pub(super) fn kind(&self, versions: usize) -> DrawProof {
        let mut versions = 1..=u64::try_from(versions).unwrap_or(u64::MAX);
        if versions.any(|version| self.streams[self.stream_index(version)].is_none()) {
            DrawProof::Repeated
        } else {
            DrawProof::Recomputed
        }
    }

    /// Returns the random stream with which a version was played.
    pub(super) fn before(&self, version: u64, recorded: &Version) -> Result<Chance, RecordFault> {
        match &self.streams[self.stream_index(version)] {
            Some(stream) => Ok(stream.clone()),
            None => {
                let draws = recorded.draws.iter().map(recorded_draw);
                let draws = draws.collect::<Result<Vec<_>, RecordFault>>()?;
                Ok(Chance::scripted(draws))
            }
        }
    }

    /// Stores the random stream as it is after a version. Fails if recorded draws were left over.
    pub(super) fn after(&mut self, version: u64, chance: &Chance) -> Result<(), RecordFault> {
        let maker = self.stream_index(version);
        match &mut self.streams[maker] {
            Some(stream) => *stream = chance.clone(),
            None => {
                let luck = chance.clone().finish();
                luck.map_err(|fault| {
                    RecordFault::Difference(format!("version {version}: draws: {fault}"))
                })?;
            }
        }
        Ok(())
    }

    fn stream_index(&self, version: u64) -> usize {
        rng_owner(&self.branches, version).unwrap_or(self.branches.len())
    }
}

/// Returns the table on which the game began. Returns `None` if it began at the set-up.
///
/// # Errors
/// If the record contradicts itself about it.
pub(super) fn start_table<W: Wire>(record: &Record) -> Result<Option<StartTable>, RecordFault> {
    let kind = start(record.game.start, "start")
        .map_err(|error| RecordFault::Difference(format!("the header: {error}")))?;
    if kind != StartKind::Described {
        let given = (record.start_position.is_some(), record.start_salt.len());
        same("a described table and its salt", &(false, 0), &given)?;
    }
    let start = match kind {
        StartKind::Described => return described::<W>(record).map(Some),
        StartKind::Named(Start::SetUp) => {
            same("the seed of the start", &Vec::new(), &record.start_seed)?;
            return Ok(None);
        }
        StartKind::Named(start @ (Start::Rich | Start::Late)) => start,
    };
    made(record, start).map(|point| Some(StartTable::Made(point)))
}

/// Returns the described table on which the game began.
fn described<W: Wire>(record: &Record) -> Result<StartTable, RecordFault> {
    same("the seed of the start", &Vec::new(), &record.start_seed)?;
    let view = record.start_position.clone();
    let view = view.and_then(|view| view.ruleset).and_then(W::unwrap_view);
    let Some(view) = view else {
        return difference("the table on which the game began is missing, or of another ruleset");
    };
    let salt = record.start_salt.as_slice().try_into().map_err(|_| {
        let count = record.start_salt.len();
        RecordFault::Difference(format!("the salt of the start has {count} bytes, not 16"))
    })?;
    let is_dealt = record.game.start_dealt;
    Ok(StartTable::Described(Position {
        view,
        salt,
        is_dealt,
    }))
}

/// Returns the point at which the game began, checked against the seed that gave it, if that is known.
fn made(record: &Record, start: Start) -> Result<StartPoint, RecordFault> {
    let seed = Seed::new(bytes("seed of the start", &record.start_seed)?);
    // Version 1 is that of the oldest origin.
    let reveal = match record.origins.first() {
        Some(oldest) => oldest.seed_reveal.as_ref(),
        None => record.reveal.as_ref(),
    };
    if let Some(reveal) = reveal
        && start_seed(&Seed::new(bytes("seed", &reveal.seed)?)) != seed
    {
        return difference("the seed of the start does not follow from the seed of the game");
    }
    Ok(StartPoint { start, seed })
}

/// Reads 32 bytes of a record.
fn bytes(name: &str, bytes: &[u8]) -> Result<[u8; 32], RecordFault> {
    bytes.try_into().map_err(|_| {
        RecordFault::Difference(format!("the {name} has {} bytes, not 32", bytes.len()))
    })
}

/// Returns the version and time of each fork in the game's past, if the record is consistent about them.
fn fork_branches(record: &Record) -> Result<Vec<ForkPoint>, RecordFault> {
    let last = record.origins.last();
    let origin = last.and_then(|origin| origin.forked_from.as_ref());
    same("the origin", &origin, &record.game.forked_from.as_ref())?;
    let begun_ms = begun_ms(record);
    let branching = |origin: &ForkOrigin| {
        let version = origin.forked_from.as_ref().map_or(0, |left| left.version);
        let fork_ms = milliseconds(origin.fork_time.as_ref());
        let at_ms = fork_ms.checked_sub(begun_ms).filter(|_| version > 0);
        let wrong = || RecordFault::Difference("an origin was left before it began".to_owned());
        let at_ms = at_ms.ok_or_else(wrong)?;
        Ok(ForkPoint { version, at_ms })
    };
    let branches: Vec<ForkPoint> = record
        .origins
        .iter()
        .map(branching)
        .collect::<Result<_, RecordFault>>()?;
    if let Some(last) = last {
        let (created, forked) = (&record.game.create_time, &last.fork_time);
        same("the time of the fork", forked, created)?;
    }
    Ok(branches)
}

/// Returns when the log begins, in milliseconds: for a fork, when its oldest origin began.
pub(super) fn begun_ms(record: &Record) -> u64 {
    let first = record.versions.first();
    let begun = match record.origins.is_empty() {
        true => record.game.create_time.as_ref(),
        false => first.and_then(|first| first.entry.play_time.as_ref()),
    };
    milliseconds(begun)
}

/// Returns the random stream of a revealed seed, if the seed matches its commitment.
fn revealed(reveal: &SeedReveal, commitment: &[u8]) -> Result<Chance, RecordFault> {
    let (salt, seed) = (
        bytes("salt", &reveal.salt)?,
        Seed::new(bytes("seed", &reveal.seed)?),
    );
    if seed.commitment(&salt)[..] != *commitment {
        return difference("salt and seed do not fit the commitment");
    }
    Ok(Chance::from_seed(&seed))
}

fn recorded_draw(draw: &pb::Draw) -> Result<Draw, RecordFault> {
    let impossible = || RecordFault::Difference(format!("no table has a draw {draw:?}"));
    let seat = match draw.seat {
        0 => None,
        number => Some(seat(number, "seat").map_err(|_| impossible())?),
    };
    let values = draw
        .values
        .iter()
        .map(|value| u16::try_from(*value))
        .collect::<Result<_, _>>();
    Ok(Draw {
        values: values.map_err(|_| impossible())?,
        seat,
        name: draw.name.clone().into(),
    })
}

/// Converts a timestamp to milliseconds since the Unix epoch. A missing one is 0.
pub(super) fn milliseconds(time: Option<&Timestamp>) -> u64 {
    let ms = time.map(|time| time.seconds * 1_000 + i64::from(time.nanos) / 1_000_000);
    ms.and_then(|ms| u64::try_from(ms).ok()).unwrap_or_default()
}
