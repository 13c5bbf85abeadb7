//! The first entry of a log: the creation of the game, and the ancestry of a fork.

use gamekeeper_rules::life::{Branching, TableOptions};
use gamekeeper_rules::ruleset::Applied;
use gamekeeper_rules::table::{Draw, Seat, SeedCommitment};
use gamekeeper_store::{GameId, Version};
use gamekeeper_wire::{Commitment, Wire, table_options, table_options_message};
use uuid::Uuid;

use super::envelope::{damaged, open, open_any, seal};
use super::known::Origin;
use super::story::{Effects, Story, read_story, story_message};
use super::{BirthOf, RequestMark, StoryOf, messages};
use crate::heart::access::nameless;
use crate::heart::problem::{OptionRefused, Problem};

/// The first entry of a log: the creation of the game. `O` and `E` are options and events of the ruleset.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Birth<O, E> {
    pub(crate) ruleset: String,
    pub(crate) tenant: String,
    /// The names of players that have no names beside the log: placeholders, or the real names if an earlier build
    /// created the game.
    pub(crate) players: Vec<String>,
    pub(crate) options: O,
    pub(crate) seed: [u8; 32],
    pub(crate) salt: [u8; 32],
    /// The time at which the log begins, in milliseconds since the Unix epoch. A fork copies it from its origin.
    pub(crate) time_ms: u64,
    pub(crate) request: RequestMark,
    pub(crate) draws: Vec<Draw>,
    /// The events and fingerprint of the set-up. Is `None` if they were dropped, or are stored in a layout that this
    /// build cannot decode; setting up the game again restores them.
    pub(crate) effects: Option<Effects<E>>,
    /// The options of table life.
    pub(crate) table: TableOptions,
    /// The ancestry of a fork. Is `None` if the game is not a fork.
    pub(crate) fork: Option<Box<Fork>>,
    /// The commitments that were published at creation. Is `None` if an earlier build created the game.
    pub(crate) bound: Option<Bound>,
}

/// The **commitments** that were published at creation, and that the record of the game must match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bound {
    /// The commitments to the names, in seat order.
    pub(crate) names: Vec<Commitment>,
    /// The commitment to everything that defines the new game, as the names, options and seed.
    pub(crate) commitment: Commitment,
}

/// The ancestry of a fork.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fork {
    /// The ancestors, the oldest first; the last one is the game that was forked.
    pub(crate) ancestors: Vec<Ancestor>,
    /// Whether one of the ancestors was still being played when the fork was made.
    pub(crate) is_secret: bool,
}

/// An ancestor of a fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ancestor {
    pub(crate) game: GameId,
    /// The commitment to the ancestor's seed, which tells it from other games with the same id.
    pub(crate) commitment: SeedCommitment,
    /// The version and time at which the next game in the line branched off.
    pub(crate) branching: Branching,
}

impl Fork {
    /// Returns the game that was forked, with the version and time of the fork.
    pub(crate) fn origin(&self) -> Option<&Ancestor> {
        self.ancestors.last()
    }

    /// Returns where each ancestor was forked, the oldest first.
    pub(crate) fn line(&self) -> Vec<Branching> {
        let branchings = self.ancestors.iter().map(|ancestor| ancestor.branching);
        branchings.collect()
    }

    fn message(&self) -> messages::Fork {
        let ancestor = |ancestor: &Ancestor| messages::Ancestor {
            game: ancestor.game.as_bytes().to_vec(),
            commitment: ancestor.commitment.to_vec(),
            version: ancestor.branching.version,
            at_ms: ancestor.branching.at_ms,
        };
        messages::Fork {
            ancestors: self.ancestors.iter().map(ancestor).collect(),
            is_secret: self.is_secret,
        }
    }

    fn read(origin: Origin, message: &messages::Fork) -> Result<Box<Self>, Problem> {
        if message.ancestors.is_empty() {
            return Err(damaged(origin.version, &"a fork without an origin"));
        }
        let ancestor = |ancestor: &messages::Ancestor| {
            Ok(Ancestor {
                game: Uuid::from_bytes(origin.bytes(&ancestor.game)?),
                commitment: origin.bytes(&ancestor.commitment)?,
                branching: Branching {
                    version: ancestor.version,
                    at_ms: ancestor.at_ms,
                },
            })
        };
        let ancestors = message.ancestors.iter().map(ancestor);
        Ok(Box::new(Self {
            ancestors: ancestors.collect::<Result<_, Problem>>()?,
            is_secret: message.is_secret,
        }))
    }
}

/// Encodes a first entry for the store.
pub(crate) fn seal_birth<W: Wire>(birth: &BirthOf<W>) -> Vec<u8> {
    let story = StoryOf::<W> {
        automatic: Vec::new(),
        draws: birth.draws.clone(),
        effects: birth.effects.clone(),
        after_ms: 0,
        request: birth.request,
    };
    let has_table = birth.table != TableOptions::default();
    let (players, names, commitment) = match &birth.bound {
        None => (birth.players.clone(), Vec::new(), Vec::new()),
        Some(Bound { names, commitment }) => {
            let names = names.iter().map(|name| name.to_vec());
            (Vec::new(), names.collect(), commitment.to_vec())
        }
    };
    let message = messages::Birth {
        ruleset: birth.ruleset.clone(),
        tenant: birth.tenant.clone(),
        players,
        options: Some(W::encoded_options(&birth.options)),
        seed: birth.seed.to_vec(),
        salt: birth.salt.to_vec(),
        time_ms: birth.time_ms,
        table: has_table.then(|| table_options_message(&birth.table)),
        fork: birth.fork.as_ref().map(|fork| fork.message()),
        story: Some(story_message::<W>(&story)),
        names,
        commitment,
    };
    seal(W::SHEET.revision, 1, &message)
}

/// Decodes a first entry that [`seal_birth`] encoded.
pub(crate) fn open_birth<W: Wire>(bytes: &[u8]) -> Result<BirthOf<W>, Problem> {
    let message: messages::Birth = open(W::SHEET.revision, 1, bytes)?;
    let (story, origin) = read_story::<W>(1, message.story)?;
    let Story {
        draws,
        effects,
        request,
        automatic: _,
        after_ms: _,
    } = story;
    let draft = origin.read(message.options.as_ref(), W::draft)?;
    let bound = bound(origin, &message.names, &message.commitment)?;
    let players = match &bound {
        None => message.players,
        Some(bound) => Seat::all(bound.names.len()).map(nameless).collect(),
    };
    let options = W::options(&players, &draft)
        .map_err(|refusal| damaged(1, &OptionRefused::of::<W>(&refusal, players.len())))?;
    let table = table_options(message.table.as_ref()).map_err(|malformed| match origin.is_own {
        true => damaged(1, &malformed),
        false => Problem::SnapshotTooNew,
    })?;
    let fork = message.fork.as_ref();
    Ok(BirthOf::<W> {
        ruleset: message.ruleset,
        tenant: message.tenant,
        players,
        options,
        seed: origin.bytes(&message.seed)?,
        salt: origin.bytes(&message.salt)?,
        time_ms: message.time_ms,
        request,
        draws,
        effects,
        table,
        fork: fork.map(|fork| Fork::read(origin, fork)).transpose()?,
        bound,
    })
}

/// Decodes the commitments that were published at creation. Returns `None` if an earlier build created the game.
fn bound(origin: Origin, names: &[Vec<u8>], commitment: &[u8]) -> Result<Option<Bound>, Problem> {
    if commitment.is_empty() {
        return Ok(None);
    }
    let names = names.iter().map(|name| origin.bytes(name));
    Ok(Some(Bound {
        names: names.collect::<Result<_, Problem>>()?,
        commitment: origin.bytes(commitment)?,
    }))
}

impl<O, E> Birth<O, E> {
    /// Returns the time at which the game was created, in milliseconds since the Unix epoch.
    pub(crate) fn created_ms(&self) -> u64 {
        let origin = self.fork.as_ref().and_then(|fork| fork.origin());
        self.time_ms + origin.map_or(0, |origin| origin.branching.at_ms)
    }

    /// Returns the last version that a fork shares with its origin. Returns 0 if the game is not a fork.
    pub(crate) fn past(&self) -> Version {
        let origin = self.fork.as_ref().and_then(|fork| fork.origin());
        origin.map_or(0, |origin| origin.branching.version)
    }

    /// Returns the events of the set-up. The slice is empty while only a replay can restore them.
    pub(crate) fn events(&self) -> &[E] {
        let effects = self.effects.as_ref();
        effects.map_or(&[], |effects| &effects.events)
    }

    /// Checks a repeated set-up against the recorded one, and restores effects that this build cannot decode.
    pub(crate) fn replayed<W: Wire<Event = E>>(
        &mut self,
        applied: &mut Applied<W>,
    ) -> Result<(), Problem> {
        if self.draws != applied.draws {
            return Err(damaged(1, &"the rules give different draws"));
        }
        match &self.effects {
            Some(effects) => effects.check(1, applied),
            None => {
                self.effects = Some(Effects::of(applied));
                Ok(())
            }
        }
    }

    /// Drops the draws, events and fingerprint of the set-up, which a game in memory does not need.
    pub(crate) fn forget_story(&mut self) {
        self.draws = Vec::new();
        self.effects = None;
    }
}

/// The header of [`Birth`], for readers that do not know the ruleset yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BirthHead {
    pub(crate) ruleset: String,
    pub(crate) tenant: String,
    /// The oldest ancestor of a fork. Is `None` if the game is not a fork.
    pub(crate) first_game: Option<GameId>,
}

/// Decodes the header of a first entry of any ruleset.
pub(crate) fn open_birth_head(bytes: &[u8]) -> Result<BirthHead, Problem> {
    let messages::BirthHead {
        ruleset,
        tenant,
        fork,
    } = open_any(1, bytes)?;
    let first = fork.and_then(|fork| fork.ancestors.into_iter().next());
    let first_game = first.and_then(|first| Uuid::from_slice(&first.game).ok());
    Ok(BirthHead {
        ruleset,
        tenant,
        first_game,
    })
}
