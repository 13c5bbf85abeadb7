//! Where the luck of a record comes from: the seed of the game and, for the past of a fork, the seeds of
//! its origins. Draws whose seed is still secret are repeated from the record.

use gamekeeper_proto::gamekeeper::v1::{self as pb, ForkOrigin, SeedReveal};
use gamekeeper_rules::life::{Branching, made_by};
use gamekeeper_rules::table::{Chance, Draw, Seed};
use gamekeeper_wire::seat;
use prost_reflect::prost_types::Timestamp;

use super::differ::{difference, same};
use super::record::{Record, Version};
use crate::failure::Failure;

/// Where the luck of a replay comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Luck {
    /// From the seed: every draw is proved.
    Recomputed,
    /// From the record: the seed is still secret.
    Repeated,
}

/// The luck of a whole line: that of each origin for the versions it contributed, and the game's own.
pub(crate) struct Lucks {
    /// The version at which each origin was left.
    line: Vec<Branching>,
    /// Of each origin, the oldest first, and of the game itself; `None`: repeated from the record.
    streams: Vec<Option<Chance>>,
}

impl Lucks {
    /// The luck that the record's seeds give, if they fit the commitments.
    pub(crate) fn of(record: &Record) -> Result<Self, Failure> {
        let line = line(record)?;
        let mut streams = Vec::with_capacity(line.len() + 1);
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
        let own = record.reveal.as_ref();
        let own = own.map(|reveal| revealed(reveal, &record.game.seed_commitment));
        streams.push(own.transpose()?);
        Ok(Self { line, streams })
    }

    /// The version at which each origin was left.
    pub(crate) fn line(&self) -> &[Branching] {
        &self.line
    }

    /// Is every draw of the record proved?
    pub(crate) fn kind(&self, versions: usize) -> Luck {
        let mut versions = 1..=u64::try_from(versions).unwrap_or(u64::MAX);
        if versions.any(|version| self.streams[self.maker(version)].is_none()) {
            Luck::Repeated
        } else {
            Luck::Recomputed
        }
    }

    /// The luck that a version was played with.
    pub(crate) fn before(&self, version: u64, recorded: &Version) -> Result<Chance, Failure> {
        match &self.streams[self.maker(version)] {
            Some(stream) => Ok(stream.clone()),
            None => {
                let draws = recorded.draws.iter().map(recorded_draw);
                let draws = draws.collect::<Result<Vec<_>, Failure>>()?;
                Ok(Chance::scripted(draws))
            }
        }
    }

    /// The luck after that version.
    pub(crate) fn after(&mut self, version: u64, chance: &Chance) -> Result<(), Failure> {
        let maker = self.maker(version);
        match &mut self.streams[maker] {
            Some(stream) => *stream = chance.clone(),
            None => {
                let luck = chance.clone().finish();
                luck.map_err(|fault| {
                    Failure::Difference(format!("version {version}: draws: {fault}"))
                })?;
            }
        }
        Ok(())
    }

    fn maker(&self, version: u64) -> usize {
        made_by(&self.line, version).unwrap_or(self.line.len())
    }
}

/// The version at which each origin was left, if the record is consistent about it.
fn line(record: &Record) -> Result<Vec<Branching>, Failure> {
    let last = record.origins.last();
    let origin = last.and_then(|origin| origin.forked_from.as_ref());
    same("the origin", &origin, &record.game.forked_from.as_ref())?;
    let begun_ms = begun_ms(record);
    let branching = |origin: &ForkOrigin| {
        let version = origin.forked_from.as_ref().map_or(0, |left| left.version);
        let fork_ms = milliseconds(origin.fork_time.as_ref());
        let at_ms = fork_ms.checked_sub(begun_ms).filter(|_| version > 0);
        let wrong = || Failure::Difference("an origin was left before it began".to_owned());
        let at_ms = at_ms.ok_or_else(wrong)?;
        Ok(Branching { version, at_ms })
    };
    let line: Vec<Branching> = record
        .origins
        .iter()
        .map(branching)
        .collect::<Result<_, Failure>>()?;
    if let Some(last) = last {
        let (created, forked) = (&record.game.create_time, &last.fork_time);
        same("the time of the fork", forked, created)?;
    }
    Ok(line)
}

/// When the log begins: for a fork, when its oldest origin began.
pub(crate) fn begun_ms(record: &Record) -> u64 {
    let first = record.versions.first();
    let begun = match record.origins.is_empty() {
        true => record.game.create_time.as_ref(),
        false => first.and_then(|first| first.entry.play_time.as_ref()),
    };
    milliseconds(begun)
}

/// Luck from the seed, if it is the one that was committed to.
fn revealed(reveal: &SeedReveal, commitment: &[u8]) -> Result<Chance, Failure> {
    let bytes = |name: &str, bytes: &[u8]| {
        <[u8; 32]>::try_from(bytes).map_err(|_| {
            Failure::Difference(format!("the {name} has {} bytes, not 32", bytes.len()))
        })
    };
    let (salt, seed) = (
        bytes("salt", &reveal.salt)?,
        Seed::new(bytes("seed", &reveal.seed)?),
    );
    if seed.commitment(&salt)[..] != *commitment {
        return difference("salt and seed do not fit the commitment");
    }
    Ok(Chance::from_seed(&seed))
}

fn recorded_draw(draw: &pb::Draw) -> Result<Draw, Failure> {
    let impossible = || Failure::Difference(format!("no table has a draw {draw:?}"));
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

/// Milliseconds since the Unix epoch.
pub(super) fn milliseconds(time: Option<&Timestamp>) -> u64 {
    let ms = time.map(|time| time.seconds * 1_000 + i64::from(time.nanos) / 1_000_000);
    ms.and_then(|ms| u64::try_from(ms).ok()).unwrap_or_default()
}
