//! The first entry of a log: how the game began, and where the past of a fork comes from.

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

/// The first entry of a log: how the game began. `O` and `E` are options and events of the ruleset.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Birth<O, E> {
    pub(crate) ruleset: String,
    pub(crate) tenant: String,
    /// What the players are called who have no names beside the log. Earlier builds kept the names here.
    pub(crate) players: Vec<String>,
    pub(crate) options: O,
    pub(crate) seed: [u8; 32],
    pub(crate) salt: [u8; 32],
    /// The time at which the log begins, in milliseconds since the Unix epoch. A fork has it from its origin.
    pub(crate) time_ms: u64,
    pub(crate) request: RequestMark,
    pub(crate) draws: Vec<Draw>,
    /// `None`: forgotten, or stored in another layout than this build's; setting up the game again gives them.
    pub(crate) effects: Option<Effects<E>>,
    /// The options of table life.
    pub(crate) table: TableOptions,
    /// Where the past of a fork comes from.
    pub(crate) fork: Option<Box<Fork>>,
    /// What was published at creation; `None`: an earlier build created the game.
    pub(crate) bound: Option<Bound>,
}

/// What was published of a game at creation, and binds its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bound {
    /// The commitments to the names, in seat order.
    pub(crate) names: Vec<Commitment>,
    /// The commitment to everything that the game began with.
    pub(crate) commitment: Commitment,
}

/// Where the past of a fork comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fork {
    /// The oldest first; the last one is the game that was forked.
    pub(crate) ancestors: Vec<Ancestor>,
    /// Was one of them still being played when the fork was made?
    pub(crate) is_secret: bool,
}

/// A game that a fork comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ancestor {
    pub(crate) game: GameId,
    /// Distinguishes it from other games with the same id.
    pub(crate) commitment: SeedCommitment,
    /// Where the next game in the line branched off.
    pub(crate) branching: Branching,
}

impl Fork {
    /// The game that was forked, and where.
    pub(crate) fn origin(&self) -> Option<&Ancestor> {
        self.ancestors.last()
    }

    /// Where each ancestor was forked.
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

/// Wraps a first entry for the store.
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

/// Unwraps what [`seal_birth`] wrote.
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

/// What was published at creation.
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
    /// When the game was created, in milliseconds since the Unix epoch.
    pub(crate) fn created_ms(&self) -> u64 {
        let origin = self.fork.as_ref().and_then(|fork| fork.origin());
        self.time_ms + origin.map_or(0, |origin| origin.branching.at_ms)
    }

    /// The last version that the game has from its origin; 0 if it is not a fork.
    pub(crate) fn past(&self) -> Version {
        let origin = self.fork.as_ref().and_then(|fork| fork.origin());
        origin.map_or(0, |origin| origin.branching.version)
    }

    /// What happened during the set-up; nothing as long as only a replay can tell.
    pub(crate) fn events(&self) -> &[E] {
        let effects = self.effects.as_ref();
        effects.map_or(&[], |effects| &effects.events)
    }

    /// Compares a set-up with the recorded one. What is stored in another layout follows from it.
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

    /// Drops the draws and events of the set-up, which a game in memory does not need.
    pub(crate) fn forget_story(&mut self) {
        self.draws = Vec::new();
        self.effects = None;
    }
}

/// The beginning of [`Birth`], for readers that do not know the ruleset yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BirthHead {
    pub(crate) ruleset: String,
    pub(crate) tenant: String,
    /// Of a fork: the game that was created first.
    pub(crate) first_game: Option<GameId>,
}

/// Reads the beginning of a first entry, whatever its ruleset.
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
