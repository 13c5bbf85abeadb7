//! The first entry of a log: the creation of the game, and the ancestry of a fork.

use gamekeeper_rules::ruleset::Applied;
use gamekeeper_rules::starts::{Start, StartPoint};
use gamekeeper_rules::table::{Draw, Seat, Seed, SeedCommitment};
use gamekeeper_rules::table_life::{ForkPoint, TableOptions};
use gamekeeper_store::{GameId, Version};
use gamekeeper_wire::{
    Commitment, Malformed, Position, StartKind, StartTable, Wire, start, start_value,
    table_options, table_options_message,
};
use uuid::Uuid;

use super::envelope::{damaged, decode_any_revision, decode_envelope, encode_envelope};
use super::{GenesisOf, RecordOf, RequestFingerprint, messages};
use crate::errors::ServiceError;
use crate::log::decode_context::DecodeContext;
use crate::log::entry_record::{Effects, EntryRecord, decode_record, encode_record};
use crate::metadata::placeholder_name;

/// The first entry of a log: the creation of the game. `O` and `E` are options and events of the ruleset.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GenesisEntry<O, E> {
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
    pub(crate) request_fingerprint: RequestFingerprint,
    pub(crate) draws: Vec<Draw>,
    /// The events and fingerprint of the set-up. Is `None` if they were dropped, or are stored in a layout that this
    /// build cannot decode; setting up the game again restores them.
    pub(crate) effects: Option<Effects<E>>,
    /// The options of table life.
    pub(crate) table_options: TableOptions,
    /// The ancestry of a fork. Is `None` if the game is not a fork.
    pub(crate) fork: Option<Box<Fork>>,
    /// The commitments that were published at creation. Is `None` if an earlier build created the game.
    pub(crate) commitments: Option<CreationCommitments>,
    /// The table on which the game began; of a fork, its oldest ancestor. Is `None` if that was the set-up.
    pub(crate) start: Option<StartTable>,
}

/// The **commitments** that were published at creation, and that the record of the game must match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CreationCommitments {
    /// The commitments to the names, in seat order.
    pub(crate) name_commitments: Vec<Commitment>,
    /// The commitment to everything that defines the new game, as the names, options and seed.
    pub(crate) record_commitment: Commitment,
}

/// The ancestry of a fork.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fork {
    /// The ancestors, the oldest first; the last one is the game that was forked.
    pub(crate) ancestors: Vec<Ancestor>,
    /// Whether one of the ancestors was still being played when the fork was made.
    pub(crate) shares_hidden_info: bool,
}

/// An ancestor of a fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ancestor {
    pub(crate) game: GameId,
    /// The commitment to the ancestor's seed, which tells it from other games with the same id.
    pub(crate) commitment: SeedCommitment,
    /// The version and time at which the next game in the line branched off.
    pub(crate) fork_point: ForkPoint,
    /// The facts that only the record of an imported game tells. Are `None` for games that were kept in the store.
    pub(crate) record: AncestorRecord,
}

/// The facts about an ancestor that come from an imported record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AncestorRecord {
    /// The commitment to the initial data of the ancestor.
    pub(crate) commitment: Option<Commitment>,
    /// The digest of the imported versions.
    pub(crate) versions_digest: Option<Commitment>,
    /// The salt and the seed of the ancestor, one after the other.
    pub(crate) reveal: Option<[u8; 64]>,
}

impl Fork {
    /// Returns the number of versions that come from an imported record.
    pub(crate) fn imported_versions(&self) -> Version {
        let is_imported = |ancestor: &Ancestor| ancestor.record.versions_digest.is_some();
        let Some(last) = self.ancestors.iter().rposition(is_imported) else {
            return 0;
        };
        let left = self.ancestors[last..].iter();
        let left = left.map(|ancestor| ancestor.fork_point.version);
        left.min().unwrap_or_default()
    }

    /// Returns the game that was forked, with the version and time of the fork.
    pub(crate) fn origin(&self) -> Option<&Ancestor> {
        self.ancestors.last()
    }

    /// Returns where each ancestor was forked, the oldest first.
    pub(crate) fn fork_points(&self) -> Vec<ForkPoint> {
        let points = self.ancestors.iter().map(|ancestor| ancestor.fork_point);
        points.collect()
    }

    fn message(&self) -> messages::Fork {
        let encode_ancestor = |ancestor: &Ancestor| messages::Ancestor {
            game: ancestor.game.as_bytes().to_vec(),
            commitment: ancestor.commitment.to_vec(),
            version: ancestor.fork_point.version,
            at_ms: ancestor.fork_point.at_ms,
            record_commitment: optional_bytes(ancestor.record.commitment.as_ref()),
            versions_digest: optional_bytes(ancestor.record.versions_digest.as_ref()),
            reveal: optional_bytes(ancestor.record.reveal.as_ref()),
        };
        messages::Fork {
            ancestors: self.ancestors.iter().map(encode_ancestor).collect(),
            is_secret: self.shares_hidden_info,
        }
    }

    fn decode(context: DecodeContext, message: &messages::Fork) -> Result<Box<Self>, ServiceError> {
        if message.ancestors.is_empty() {
            return Err(damaged(context.version, &"a fork without an origin"));
        }
        let decode_ancestor = |ancestor: &messages::Ancestor| {
            Ok(Ancestor {
                game: Uuid::from_bytes(context.decode_bytes(&ancestor.game)?),
                commitment: context.decode_bytes(&ancestor.commitment)?,
                fork_point: ForkPoint {
                    version: ancestor.version,
                    at_ms: ancestor.at_ms,
                },
                record: AncestorRecord {
                    commitment: context.decode_optional_bytes(&ancestor.record_commitment)?,
                    versions_digest: context.decode_optional_bytes(&ancestor.versions_digest)?,
                    reveal: context.decode_optional_bytes(&ancestor.reveal)?,
                },
            })
        };
        let ancestors = message.ancestors.iter().map(decode_ancestor);
        Ok(Box::new(Self {
            ancestors: ancestors.collect::<Result<_, ServiceError>>()?,
            shares_hidden_info: message.is_secret,
        }))
    }
}

/// Encodes bytes that may be missing; empty if they are.
fn optional_bytes<const N: usize>(bytes: Option<&[u8; N]>) -> Vec<u8> {
    bytes.map_or_else(Vec::new, |bytes| bytes.to_vec())
}

/// Encodes a first entry for the store.
pub(crate) fn encode_genesis<W: Wire>(genesis: &GenesisOf<W>) -> Vec<u8> {
    let record = RecordOf::<W> {
        automatic: Vec::new(),
        draws: genesis.draws.clone(),
        effects: genesis.effects.clone(),
        after_ms: 0,
        request_fingerprint: genesis.request_fingerprint,
    };
    let has_table = genesis.table_options != TableOptions::default();
    let (players, names, commitment) = match &genesis.commitments {
        None => (genesis.players.clone(), Vec::new(), Vec::new()),
        Some(CreationCommitments {
            name_commitments,
            record_commitment,
        }) => {
            let bytes = name_commitments.iter().map(|name| name.to_vec());
            (Vec::new(), bytes.collect(), record_commitment.to_vec())
        }
    };
    let message = messages::GenesisEntry {
        ruleset: genesis.ruleset.clone(),
        tenant: genesis.tenant.clone(),
        players,
        options: Some(W::encoded_options(&genesis.options)),
        seed: genesis.seed.to_vec(),
        salt: genesis.salt.to_vec(),
        time_ms: genesis.time_ms,
        table: has_table.then(|| table_options_message(&genesis.table_options)),
        fork: genesis.fork.as_ref().map(|fork| fork.message()),
        record: Some(encode_record::<W>(&record)),
        names,
        commitment,
        start: genesis.start.as_ref().map(start_message),
    };
    encode_envelope(W::INFO.revision, 1, &message)
}

/// Decodes a first entry that [`encode_genesis`] encoded.
pub(crate) fn decode_genesis<W: Wire>(bytes: &[u8]) -> Result<GenesisOf<W>, ServiceError> {
    let message: messages::GenesisEntry = decode_envelope(W::INFO.revision, 1, bytes)?;
    let (record, context) = decode_record::<W>(1, message.record)?;
    let EntryRecord {
        draws,
        effects,
        request_fingerprint: request,
        automatic: _,
        after_ms: _,
    } = record;
    let draft = context.read(message.options.as_ref(), W::draft)?;
    let commitments = decode_commitments(context, &message.names, &message.commitment)?;
    let players = match &commitments {
        None => message.players,
        Some(commitments) => Seat::all(commitments.name_commitments.len())
            .map(placeholder_name)
            .collect(),
    };
    let options = W::options(&players, &draft).map_err(|refusal| damaged(1, &refusal))?;
    let unknown = |malformed: Malformed| match context.same_layout {
        true => damaged(1, &malformed),
        false => ServiceError::WrittenByNewerBuild,
    };
    let table = table_options(message.table.as_ref()).map_err(unknown)?;
    let start_table = |message: messages::StartPoint| {
        let kind = start(message.start, "start").map_err(unknown)?;
        decode_start(context, kind, message)
    };
    let fork = message.fork.as_ref();
    Ok(GenesisOf::<W> {
        ruleset: message.ruleset,
        tenant: message.tenant,
        players,
        options,
        seed: context.decode_bytes(&message.seed)?,
        salt: context.decode_bytes(&message.salt)?,
        time_ms: message.time_ms,
        request_fingerprint: request,
        draws,
        effects,
        table_options: table,
        fork: fork.map(|fork| Fork::decode(context, fork)).transpose()?,
        commitments,
        start: message.start.map(start_table).transpose()?,
    })
}

/// Encodes the table on which a game began.
fn start_message(table: &StartTable) -> messages::StartPoint {
    let message = messages::StartPoint {
        start: start_value(Some(table)).into(),
        ..messages::StartPoint::default()
    };
    match table {
        StartTable::Made(point) => messages::StartPoint {
            seed: point.seed.as_bytes().to_vec(),
            ..message
        },
        StartTable::Described(position) => messages::StartPoint {
            position: Some(position.view.clone()),
            salt: position.salt.to_vec(),
            is_dealt: position.is_dealt,
            ..message
        },
    }
}

/// Decodes the table on which a game began.
fn decode_start(
    context: DecodeContext,
    kind: StartKind,
    message: messages::StartPoint,
) -> Result<StartTable, ServiceError> {
    match kind {
        StartKind::Named(Start::SetUp) => Err(damaged(1, &"a start that is the set-up")),
        StartKind::Named(start @ (Start::Rich | Start::Late)) => {
            let seed = Seed::new(context.decode_bytes(&message.seed)?);
            Ok(StartTable::Made(StartPoint { start, seed }))
        }
        StartKind::Described => {
            let view = message.position;
            Ok(StartTable::Described(Position {
                view: view.ok_or_else(|| damaged(1, &"a start without its table"))?,
                salt: context.decode_bytes(&message.salt)?,
                is_dealt: message.is_dealt,
            }))
        }
    }
}

/// Decodes the commitments that were published at creation. Returns `None` if an earlier build created the game.
fn decode_commitments(
    context: DecodeContext,
    names: &[Vec<u8>],
    commitment: &[u8],
) -> Result<Option<CreationCommitments>, ServiceError> {
    if commitment.is_empty() {
        return Ok(None);
    }
    let names = names.iter().map(|name| context.decode_bytes(name));
    Ok(Some(CreationCommitments {
        name_commitments: names.collect::<Result<_, ServiceError>>()?,
        record_commitment: context.decode_bytes(commitment)?,
    }))
}

impl<O, E> GenesisEntry<O, E> {
    /// Returns the time at which the game was created, in milliseconds since the Unix epoch.
    pub(crate) fn created_ms(&self) -> u64 {
        let parent = self.fork.as_ref().and_then(|fork| fork.origin());
        self.time_ms + parent.map_or(0, |parent| parent.fork_point.at_ms)
    }

    /// Returns the last version that a fork shares with its origin. Returns 0 if the game is not a fork.
    pub(crate) fn inherited_versions(&self) -> Version {
        let parent = self.fork.as_ref().and_then(|fork| fork.origin());
        parent.map_or(0, |parent| parent.fork_point.version)
    }

    /// Returns the number of versions that come from an imported record.
    pub(crate) fn imported_versions(&self) -> Version {
        let fork = self.fork.as_ref();
        fork.map_or(0, |fork| fork.imported_versions())
    }

    /// Returns the events of the set-up. The slice is empty while only a replay can restore them.
    pub(crate) fn events(&self) -> &[E] {
        let effects = self.effects.as_ref();
        effects.map_or(&[], |effects| &effects.events)
    }

    /// Checks a repeated set-up against the recorded one, and restores effects that this build cannot decode.
    pub(crate) fn verify_replay<W: Wire<Event = E>>(
        &mut self,
        applied: &mut Applied<W>,
    ) -> Result<(), ServiceError> {
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
    pub(crate) fn drop_setup_events(&mut self) {
        self.draws = Vec::new();
        self.effects = None;
    }
}

/// The header of [`GenesisEntry`], for readers that do not know the ruleset yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GenesisHead {
    pub(crate) ruleset: String,
    pub(crate) tenant: String,
    /// The oldest ancestor of a fork. Is `None` if the game is not a fork.
    pub(crate) first_game: Option<GameId>,
}

/// Decodes the header of a first entry of any ruleset.
pub(crate) fn decode_genesis_head(bytes: &[u8]) -> Result<GenesisHead, ServiceError> {
    let messages::GenesisHead {
        ruleset,
        tenant,
        fork,
    } = decode_any_revision(1, bytes)?;
    let root = fork.and_then(|fork| fork.ancestors.into_iter().next());
    let first_game = root.and_then(|root| Uuid::from_slice(&root.game).ok());
    Ok(GenesisHead {
        ruleset,
        tenant,
        first_game,
    })
}
