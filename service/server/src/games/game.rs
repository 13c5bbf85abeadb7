//! A game in memory: decoded, and able to step on with its log.

use std::collections::BTreeMap;
use std::sync::Arc;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::ruleset::{Applied, Ruleset, apply, create};
use gamekeeper_rules::table::{Chance, Seed, SeedCommitment, fingerprint};
use gamekeeper_wire::{Wire, pending, standings};
use prost_types::Timestamp;
use uuid::Uuid;

use super::recent::Recent;
use super::record::{Birth, Move, Snapshot, open, stored};
use crate::auth::{Access, Subject};
use crate::problem::Problem;
use crate::store::{GameId, Head, StoredEntry, StoredSnapshot, Version};

/// The first entry of a game of this ruleset.
pub(crate) type BirthOf<W> = Birth<<W as Ruleset>::Options, <W as Ruleset>::Event>;
/// A further entry of a game of this ruleset.
pub(crate) type MoveOf<W> = Move<<W as Ruleset>::Action, <W as Ruleset>::Event>;

/// A game at one version.
pub(crate) struct Game<W: Wire> {
    pub(crate) id: GameId,
    pub(crate) birth: Arc<BirthOf<W>>,
    /// Of the seed and the salt; in every answer, so it is worked out once.
    pub(crate) commitment: SeedCommitment,
    pub(crate) version: Version,
    /// The mark of the entry of this version.
    pub(crate) mark: u32,
    pub(crate) time_ms: u64,
    pub(crate) state: W::State,
    pub(crate) chance: Chance,
    pub(crate) recent: Recent,
    pub(crate) access: Access,
}

impl<W: Wire> Game<W> {
    /// The game as the subject of a wish.
    pub(super) fn subject(&self) -> Subject<'_> {
        Subject {
            id: self.id,
            tenant: &self.birth.tenant,
            birth: self.birth_mark(),
            access: &self.access,
            over: self.is_over(),
        }
    }

    /// A game that was just set up, and its first entry.
    pub(crate) fn born(
        id: GameId,
        birth: Arc<BirthOf<W>>,
        applied: Applied<W>,
        entry: &[u8],
    ) -> Self {
        let mut recent = Recent::default();
        recent.note(1, birth.request, birth.time_ms);
        Self {
            id,
            version: 1,
            mark: Head::of(1, entry).mark,
            time_ms: birth.time_ms,
            state: applied.state,
            chance: applied.chance,
            recent,
            access: Access::default(),
            commitment: commitment(&birth),
            birth,
        }
    }

    /// A game from its first entry alone: the rules set it up again.
    pub(crate) fn reborn(id: GameId, first: &StoredEntry) -> Result<Self, Problem> {
        let birth: Arc<BirthOf<W>> = Arc::new(read_birth::<W>(first)?);
        let applied = create::<W>(&birth.options, Chance::from_seed(&Seed::new(birth.seed)));
        same_state(1, birth.fingerprint, &applied.state)?;
        Ok(Self::born(id, birth, applied, &first.bytes))
    }

    /// A game from its first entry, a snapshot, and the last entry that the snapshot contains.
    pub(crate) fn restored(
        id: GameId,
        first: &StoredEntry,
        snapshot: &StoredSnapshot,
        last: &StoredEntry,
    ) -> Result<Self, Problem> {
        let mut birth = read_birth::<W>(first)?;
        birth.forget_story();
        let birth = Arc::new(birth);
        let Snapshot {
            time_ms,
            chance_position,
            state,
        } = open(W::SHEET.revision, snapshot.version, &snapshot.bytes)?;
        let chance = Chance::resume(&Seed::new(birth.seed), chance_position);
        Ok(Self {
            id,
            version: snapshot.version,
            mark: Head::of(last.version, &last.bytes).mark,
            time_ms,
            state,
            chance,
            recent: Recent::default(),
            access: Access::default(),
            commitment: commitment(&birth),
            birth,
        })
    }

    /// The same game once more, without the requests that may be sent again.
    pub(crate) fn copied(&self) -> Self {
        Self {
            id: self.id,
            birth: Arc::clone(&self.birth),
            commitment: self.commitment,
            version: self.version,
            mark: self.mark,
            time_ms: self.time_ms,
            state: self.state.clone(),
            chance: self.chance.clone(),
            recent: Recent::default(),
            access: self.access.clone(),
        }
    }

    /// The game as it is kept in memory.
    pub(crate) fn without_story(mut self) -> Self {
        if let Some(birth) = Arc::get_mut(&mut self.birth) {
            birth.forget_story();
        }
        self
    }

    /// Reads a further entry.
    pub(crate) fn read_move(entry: &StoredEntry) -> Result<MoveOf<W>, Problem> {
        open(W::SHEET.revision, entry.version, &entry.bytes)
    }

    /// Steps on with the next entry: judges the action again, and makes sure that the outcome is
    /// the one that was stored.
    pub(crate) fn advance(&mut self, entry: &StoredEntry) -> Result<MoveOf<W>, Problem> {
        if entry.version != self.version + 1 {
            return Err(Problem::Damaged(format!(
                "version {} follows version {}",
                entry.version, self.version
            )));
        }
        let played = Self::read_move(entry)?;
        let applied = apply::<W>(&self.state, &self.chance, played.seat, &played.action)
            .map_err(|refusal| Problem::Damaged(format!("version {}: {refusal}", entry.version)))?;
        same_state(entry.version, played.fingerprint, &applied.state)?;
        self.take(applied.state, applied.chance, &played, &entry.bytes);
        Ok(played)
    }

    /// Becomes the next version, with this entry.
    pub(crate) fn take(
        &mut self,
        state: W::State,
        chance: Chance,
        played: &MoveOf<W>,
        entry: &[u8],
    ) {
        self.version += 1;
        self.mark = Head::of(self.version, entry).mark;
        self.state = state;
        self.chance = chance;
        self.time_ms = self.birth.time_ms + played.after_ms;
        self.recent.note(self.version, played.request, self.time_ms);
    }

    /// What the next action is judged on.
    pub(crate) fn head(&self) -> Head {
        let Self { version, mark, .. } = *self;
        Head { version, mark }
    }

    /// The snapshot of this version.
    pub(crate) fn snapshot(&self) -> Snapshot<W::State> {
        Snapshot {
            time_ms: self.time_ms,
            chance_position: self.chance.position(),
            state: self.state.clone(),
        }
    }

    /// Is the game over?
    pub(crate) fn is_over(&self) -> bool {
        W::pending(&self.state).is_empty()
    }

    /// The public facts.
    pub(crate) fn info(&self) -> pb::GameInfo {
        let player = |(seat, name): (u32, &String)| pb::Player {
            seat,
            name: name.clone(),
            user: String::new(),
        };
        let pending = pending(&W::pending(&self.state));
        let status = if pending.is_empty() {
            pb::GameStatus::Finished
        } else {
            pb::GameStatus::Active
        };
        let mut digits = Uuid::encode_buffer();
        pb::GameInfo {
            game_id: self.id.hyphenated().encode_lower(&mut digits).to_owned(),
            ruleset: W::SHEET.id.to_owned(),
            rules_revision: W::SHEET.revision,
            version: self.version,
            status: status.into(),
            players: (1..).zip(&self.birth.players).map(player).collect(),
            pending,
            standings: W::ranking(&self.state).map_or_else(Vec::new, |ranking| standings(&ranking)),
            create_time: Some(timestamp(self.birth.time_ms)),
            update_time: Some(timestamp(self.time_ms)),
            seed_commitment: self.commitment.to_vec(),
            labels: BTreeMap::new(),
        }
    }

    /// Tells this game from others that had its id before: an id follows from a request, which can be
    /// sent again when the game was deleted.
    pub(crate) fn birth_mark(&self) -> u32 {
        let [one, two, three, four, ..] = self.commitment;
        u32::from_be_bytes([one, two, three, four])
    }

    /// Salt and seed, when the game is over.
    pub(crate) fn seed_reveal(&self) -> Option<pb::SeedReveal> {
        let Birth { salt, seed, .. } = &*self.birth;
        self.is_over().then(|| pb::SeedReveal {
            salt: salt.to_vec(),
            seed: seed.to_vec(),
        })
    }
}

fn commitment<O, E>(birth: &Birth<O, E>) -> SeedCommitment {
    Seed::new(birth.seed).commitment(&birth.salt)
}

/// Reads a first entry of this ruleset.
pub(crate) fn read_birth<W: Wire>(first: &StoredEntry) -> Result<BirthOf<W>, Problem> {
    open(W::SHEET.revision, first.version, &first.bytes)
}

fn same_state<S: serde::Serialize>(
    version: Version,
    expected: [u8; 8],
    state: &S,
) -> Result<(), Problem> {
    if stored(fingerprint(state)) == expected {
        return Ok(());
    }
    Err(Problem::Damaged(format!(
        "version {version}: the rules give another state than the one kept"
    )))
}

/// A time on the wire.
pub(crate) fn timestamp(ms: u64) -> Timestamp {
    Timestamp {
        seconds: i64::try_from(ms / 1000).unwrap_or(i64::MAX),
        nanos: i32::try_from(ms % 1000).unwrap_or(0) * 1_000_000,
    }
}
