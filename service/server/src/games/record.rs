//! What is written to the store: the first entry, further entries, snapshots.
//!
//! Every piece is an envelope: format number, rules revision, body in postcard, checksum. A build
//! reads only the revision that it plays: it refuses a piece that it would read differently.
//!
//! What is written of a plain game has format 1. Where anything beside the rules belongs to a piece
//! (a table entry, a clock, a seat that left), it has format 2. The first entry of a fork has format 3.

use gamekeeper_rules::life::{Branching, Deed, Life, TableOptions};
use gamekeeper_rules::table::{Automatic, Draw, Fingerprint, Seat, SeedCommitment, decode};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::problem::Problem;
use crate::store::{GameId, Version};

/// The format of what the rules alone brought about.
const PLAIN: u8 = 1;

/// The format of pieces with something beside the rules.
const BESIDE: u8 = 2;

/// The format of the first entry of a fork; the newest that this build knows.
const FORKED: u8 = 3;

/// The bytes of the checksum at the end of an envelope.
const CHECKSUM: usize = 4;

/// How a request can be recognized when it is sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum RequestMark {
    /// The caller gave an id: the beginnings of SHA-256 of the id and of the body.
    Named { id: [u8; 16], body: [u8; 8] },
    /// The caller gave none: a random mark makes the entry unlike any other.
    Unnamed([u8; 8]),
}

impl RequestMark {
    /// The mark of a request with this id (may be empty) and this body.
    pub(crate) fn new(request_id: &str, body: &[u8]) -> Self {
        if request_id.is_empty() {
            return Self::Unnamed(rand::random());
        }
        Self::Named {
            id: beginning(request_id.as_bytes()),
            body: beginning(body),
        }
    }
}

fn beginning<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let hash = Sha256::digest(bytes);
    std::array::from_fn(|at| hash[at])
}

/// The first entry of a log: how the game began. `O` and `E` are options and events of the ruleset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Birth<O, E> {
    pub(crate) ruleset: String,
    pub(crate) tenant: String,
    pub(crate) players: Vec<String>,
    pub(crate) options: O,
    pub(crate) seed: [u8; 32],
    pub(crate) salt: [u8; 32],
    /// Milliseconds since the Unix epoch: the beginning of the log, which a fork has from its origin.
    pub(crate) time_ms: u64,
    pub(crate) request: RequestMark,
    pub(crate) draws: Vec<Draw>,
    pub(crate) events: Vec<E>,
    pub(crate) fingerprint: [u8; 8],
    /// How the table is kept; not in the plain part.
    #[serde(skip)]
    pub(crate) table: TableOptions,
    /// Where the past of a fork comes from; not in the plain part.
    #[serde(skip)]
    pub(crate) fork: Option<Box<Fork>>,
}

/// Where the past of a fork comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fork {
    /// The oldest first; the last one is the game that was forked.
    pub(crate) ancestors: Vec<Ancestor>,
    /// Was one of them still being played?
    pub(crate) is_secret: bool,
}

/// A game that a fork comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ancestor {
    pub(crate) game: GameId,
    /// Tells it from other games that had its id.
    pub(crate) commitment: SeedCommitment,
    /// Where the next in the line left it.
    pub(crate) branching: Branching,
}

impl Fork {
    /// The game that was forked, and where.
    pub(crate) fn origin(&self) -> Option<&Ancestor> {
        self.ancestors.last()
    }

    /// Where each ancestor was left.
    pub(crate) fn line(&self) -> Vec<Branching> {
        let branchings = self.ancestors.iter().map(|ancestor| ancestor.branching);
        branchings.collect()
    }
}

impl<O: Serialize + DeserializeOwned, E: Serialize + DeserializeOwned> Birth<O, E> {
    /// Wraps the entry for the store.
    pub(crate) fn seal(&self, revision: u32) -> Result<Vec<u8>, Problem> {
        match &self.fork {
            None if self.table == TableOptions::default() => seal(PLAIN, revision, 1, self),
            None => seal(BESIDE, revision, 1, &(self, self.table)),
            Some(fork) => seal(FORKED, revision, 1, &(self, self.table, fork)),
        }
    }

    /// Unwraps what [`seal`](Self::seal) wrote.
    pub(crate) fn open(revision: u32, bytes: &[u8]) -> Result<Self, Problem> {
        match open(revision, 1, bytes)? {
            (PLAIN, body) => read(1, body),
            (BESIDE, body) => {
                let (birth, table): (Self, _) = read(1, body)?;
                Ok(Self { table, ..birth })
            }
            (_, body) => {
                let (birth, table, fork): (Self, _, _) = read(1, body)?;
                let fork = Some(fork);
                Ok(Self {
                    table,
                    fork,
                    ..birth
                })
            }
        }
    }
}

impl<O, E> Birth<O, E> {
    /// When the game was created, in milliseconds since the Unix epoch.
    pub(crate) fn created_ms(&self) -> u64 {
        let origin = self.fork.as_ref().and_then(|fork| fork.origin());
        self.time_ms + origin.map_or(0, |origin| origin.branching.at_ms)
    }

    /// The last version that the game has from its origin; 0: it has none.
    pub(crate) fn past(&self) -> Version {
        let origin = self.fork.as_ref().and_then(|fork| fork.origin());
        origin.map_or(0, |origin| origin.branching.version)
    }

    /// Drops what only the log must know: a game in memory does without the story of its set-up.
    pub(crate) fn forget_story(&mut self) {
        self.draws = Vec::new();
        self.events = Vec::new();
    }
}

/// The beginning of [`Birth`], for readers that do not know the ruleset yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BirthHead {
    pub(crate) ruleset: String,
    pub(crate) tenant: String,
}

/// A further entry: what one thing that was done brought about. `A` and `E` are the ruleset's.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry<A, E> {
    pub(crate) done: Done<A>,
    pub(crate) story: Story<A, E>,
}

/// What was done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Done<A> {
    /// A seat acted.
    Act(Act<A>),
    /// Something happened beside the rules.
    Beside(Beside),
}

/// An action of a seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Act<A> {
    pub(crate) seat: Seat,
    pub(crate) action: A,
}

/// Something that happened beside the rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Beside {
    pub(crate) deed: Deed,
    /// The encoded state to which something was taken back; empty for other deeds.
    pub(crate) back: Vec<u8>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Story<A, E> {
    pub(crate) automatic: Vec<Automatic<A>>,
    pub(crate) draws: Vec<Draw>,
    pub(crate) events: Vec<E>,
    /// Milliseconds since the game was created.
    pub(crate) after_ms: u64,
    pub(crate) request: RequestMark,
    pub(crate) fingerprint: [u8; 8],
}

impl<A: Serialize + DeserializeOwned, E: Serialize + DeserializeOwned> Entry<A, E> {
    /// Wraps the entry for the store.
    pub(crate) fn seal(&self, revision: u32, version: Version) -> Result<Vec<u8>, Problem> {
        match &self.done {
            Done::Act(act) => seal(PLAIN, revision, version, &(act, &self.story)),
            Done::Beside(beside) => seal(BESIDE, revision, version, &(beside, &self.story)),
        }
    }

    /// Unwraps what [`seal`](Self::seal) wrote.
    pub(crate) fn open(revision: u32, version: Version, bytes: &[u8]) -> Result<Self, Problem> {
        Ok(match open(revision, version, bytes)? {
            (PLAIN, body) => {
                let (act, story) = read(version, body)?;
                let done = Done::Act(act);
                Self { done, story }
            }
            (BESIDE, body) => {
                let (beside, story) = read(version, body)?;
                let done = Done::Beside(beside);
                Self { done, story }
            }
            _ => return Err(misplaced(version)),
        })
    }
}

impl<A, E> Entry<A, E> {
    /// The seat that did it; nobody: the owner of the game.
    pub(crate) fn actor(&self) -> Option<Seat> {
        match &self.done {
            Done::Act(act) => Some(act.seat),
            Done::Beside(beside) => beside.deed.actor(),
        }
    }

    /// The state to which it takes something back; nothing: it does not.
    pub(crate) fn restored<S: DeserializeOwned>(
        &self,
        version: Version,
    ) -> Result<Option<S>, Problem> {
        match &self.done {
            Done::Act(_) => Ok(None),
            Done::Beside(Beside { back, .. }) if back.is_empty() => Ok(None),
            Done::Beside(Beside { back, .. }) => decode(back)
                .map(Some)
                .map_err(|error| Problem::Damaged(format!("version {version}: {error}"))),
        }
    }
}

/// The state at one version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Snapshot<S> {
    /// Milliseconds since the Unix epoch.
    pub(crate) time_ms: u64,
    /// Words taken from the game's stream of luck.
    pub(crate) chance_position: u64,
    pub(crate) state: S,
}

/// Wraps a snapshot for the store.
pub(crate) fn seal_snapshot<S: Serialize>(
    revision: u32,
    version: Version,
    snapshot: (u64, u64, &S),
    life: Option<&Life>,
) -> Result<Vec<u8>, Problem> {
    match life {
        None => seal(PLAIN, revision, version, &snapshot),
        Some(life) => seal(BESIDE, revision, version, &(snapshot, life)),
    }
}

/// Unwraps what [`seal_snapshot`] wrote.
pub(crate) fn open_snapshot<S: DeserializeOwned>(
    revision: u32,
    version: Version,
    bytes: &[u8],
) -> Result<(Snapshot<S>, Option<Box<Life>>), Problem> {
    match open(revision, version, bytes)? {
        (PLAIN, body) => Ok((read(version, body)?, None)),
        (BESIDE, body) => {
            let (snapshot, life) = read(version, body)?;
            Ok((snapshot, Some(life)))
        }
        _ => Err(misplaced(version)),
    }
}

/// A fingerprint as it is stored: eight bytes, since no integer coding makes a hash shorter.
pub(crate) fn stored(fingerprint: Fingerprint) -> [u8; 8] {
    fingerprint.to_be_bytes()
}

/// Wraps a body for the store. The checksum binds it to its version.
fn seal<T: Serialize>(
    format: u8,
    revision: u32,
    version: Version,
    body: &T,
) -> Result<Vec<u8>, Problem> {
    let mut bytes = postcard_bytes(&(format, revision, body))?;
    let sum = checksum(version, &bytes);
    bytes.extend_from_slice(&sum);
    Ok(bytes)
}

/// Format and body of what [`seal`] wrote.
fn open(revision: u32, version: Version, bytes: &[u8]) -> Result<(u8, &[u8]), Problem> {
    let Envelope {
        format,
        revision: found,
        body,
    } = envelope(version, checked(version, bytes)?)?;
    match found.cmp(&revision) {
        std::cmp::Ordering::Equal => Ok((format, body)),
        std::cmp::Ordering::Greater => Err(Problem::SnapshotTooNew),
        std::cmp::Ordering::Less => Err(Problem::RulesTooOld),
    }
}

fn read<T: DeserializeOwned>(version: Version, body: &[u8]) -> Result<T, Problem> {
    decode(body).map_err(|error| damaged(version, &error))
}

/// Reads the beginning of a first entry, whatever its ruleset.
pub(crate) fn open_birth_head(bytes: &[u8]) -> Result<BirthHead, Problem> {
    let Envelope { body, .. } = envelope(1, checked(1, bytes)?)?;
    postcard::take_from_bytes(body)
        .map(|(head, _)| head)
        .map_err(|error| damaged(1, &error))
}

/// The bytes without their checksum, if it holds.
fn checked(version: Version, bytes: &[u8]) -> Result<&[u8], Problem> {
    match bytes.split_last_chunk::<CHECKSUM>() {
        Some((body, sum)) if *sum == checksum(version, body) => Ok(body),
        Some(_) => Err(Problem::Damaged(format!(
            "version {version}: the checksum does not hold"
        ))),
        None => Err(Problem::Damaged(format!(
            "version {version}: {} bytes only",
            bytes.len()
        ))),
    }
}

/// What is around a body.
struct Envelope<'a> {
    format: u8,
    revision: u32,
    body: &'a [u8],
}

/// An envelope of a format that this build knows.
fn envelope(version: Version, bytes: &[u8]) -> Result<Envelope<'_>, Problem> {
    let (format, rest) =
        postcard::take_from_bytes::<u8>(bytes).map_err(|error| damaged(version, &error))?;
    if format > FORKED {
        return Err(Problem::SnapshotTooNew);
    }
    let (revision, body) =
        postcard::take_from_bytes::<u32>(rest).map_err(|error| damaged(version, &error))?;
    Ok(Envelope {
        format,
        revision,
        body,
    })
}

fn checksum(version: Version, bytes: &[u8]) -> [u8; CHECKSUM] {
    let hash = xxh3_64_with_seed(bytes, version).to_be_bytes();
    std::array::from_fn(|at| hash[at])
}

/// Most pieces have fewer bytes: they need not grow step by step.
const USUAL: usize = 512;

fn postcard_bytes<T: Serialize>(value: &T) -> Result<Vec<u8>, Problem> {
    postcard::to_extend(value, Vec::with_capacity(USUAL))
        .map_err(|error| Problem::Fault(error.to_string()))
}

/// Only first entries have this format.
fn misplaced(version: Version) -> Problem {
    damaged(version, &"a piece of another kind")
}

fn damaged(version: Version, error: &dyn std::fmt::Display) -> Problem {
    Problem::Damaged(format!("version {version}: {error}"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use gamekeeper_rules::ruleset::Ruleset;

    use super::*;

    fn sealed() -> Vec<u8> {
        seal(PLAIN, 3, 7, &String::from("table")).unwrap()
    }

    #[test]
    fn what_is_sealed_opens() {
        let sealed = sealed();
        let (format, body) = open(3, 7, &sealed).unwrap();
        assert_eq!(format, PLAIN);
        assert_eq!(read::<String>(7, body).unwrap(), "table");
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        for at in 0..sealed().len() * 8 {
            let mut bytes = sealed();
            bytes[at / 8] ^= 1 << (at % 8);
            assert!(
                matches!(open(3, 7, &bytes), Err(Problem::Damaged(_))),
                "bit {at}"
            );
        }
    }

    #[test]
    fn pieces_of_another_place_or_time_are_refused() {
        assert!(matches!(open(3, 8, &sealed()), Err(Problem::Damaged(_))));
        assert!(matches!(
            open(2, 7, &sealed()),
            Err(Problem::SnapshotTooNew)
        ));
        assert!(matches!(open(4, 7, &sealed()), Err(Problem::RulesTooOld)));
        let mut newer = postcard_bytes(&(FORKED + 1, 3_u32, "table")).unwrap();
        let sum = checksum(7, &newer);
        newer.extend_from_slice(&sum);
        assert!(matches!(open(3, 7, &newer), Err(Problem::SnapshotTooNew)));
        assert!(matches!(open(3, 7, &[]), Err(Problem::Damaged(_))));
    }

    #[test]
    fn a_request_is_recognized_by_id_and_body() {
        assert_eq!(RequestMark::new("a", b"x"), RequestMark::new("a", b"x"));
        assert_ne!(RequestMark::new("a", b"x"), RequestMark::new("a", b"y"));
        assert_ne!(RequestMark::new("", b"x"), RequestMark::new("", b"x"));
    }

    /// What stands in the store is written with the same bytes again: games of `tests/data`, which
    /// earlier builds wrote.
    fn is_written_as_it_was<R: Ruleset>() {
        let revision = R::SHEET.revision;
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
        let folder = folder.join(format!("{}/revision_{revision}", R::SHEET.id));
        let log = std::fs::read(folder.join("log.bin")).unwrap();
        let (mut rest, mut version) = (&log[..], 0);
        while let Some((length, following)) = rest.split_first_chunk() {
            let length = usize::try_from(u32::from_be_bytes(*length)).unwrap();
            let (entry, following) = following.split_at(length);
            (rest, version) = (following, version + 1);
            let again = if version == 1 {
                let birth = Birth::<R::Options, R::Event>::open(revision, entry);
                birth.unwrap().seal(revision)
            } else {
                let read = Entry::<R::Action, R::Event>::open(revision, version, entry);
                read.unwrap().seal(revision, version)
            };
            assert_eq!(again.unwrap(), entry, "{} version {version}", R::SHEET.id);
        }
        assert!(version > 1);
        let snapshot = std::fs::read(folder.join("snapshot.bin")).unwrap();
        let (version, snapshot) = snapshot.split_first_chunk().unwrap();
        let version = u64::from_be_bytes(*version);
        let (read, life) = open_snapshot::<R::State>(revision, version, snapshot).unwrap();
        assert_eq!(life, None);
        let pieces = (read.time_ms, read.chance_position, &read.state);
        let again = seal_snapshot(revision, version, pieces, None).unwrap();
        assert_eq!(again, snapshot, "{} snapshot", R::SHEET.id);
    }

    macro_rules! written_as_they_were {
        ($($module:ident: $Ruleset:ident),* $(,)?) => {
            $(is_written_as_it_was::<gamekeeper_rules::$module::$Ruleset>();)*
        };
    }

    #[test]
    fn entries_and_snapshots_are_written_as_they_were() {
        gamekeeper_wire::for_each_ruleset!(written_as_they_were);
    }
}
