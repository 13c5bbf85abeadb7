//! The state of a game that has begun.

use std::ops::ControlFlow;

use gamekeeper_rules::bots::Heuristics;
use gamekeeper_rules::ruleset::{Applied, apply_in_place, visit_legal};
use gamekeeper_rules::starts::{Start, warm_start};
use gamekeeper_rules::table::{Chance, MAX_SEATS, Pending, Seat, Seed, Viewer, decode, encode};
use gamekeeper_wire::Wire;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::xxh3_128;

use crate::action_decoder::ActionDecoder;
use crate::observe::encoded;
use crate::settings::{Fault, MAX_ACTIONS, Settings};
use crate::space::Space;

/// A game that has begun, with the legal actions of the seat to move.
pub(crate) struct Table<W: Wire> {
    pub(crate) state: W::State,
    chance: Chance,
    seed: Seed,
    pub(crate) version: u64,
    /// The seat to move. Is `None` if the game is over.
    pub(crate) seat_to_move: Option<Seat>,
    pub(crate) actions: Vec<W::Action>,
    pub(crate) decoder: ActionDecoder,
    /// The events since the oldest last decision of any seat.
    log: Vec<W::Event>,
    /// For each seat, the number of events in the log at its last decision.
    log_cursors: [usize; MAX_SEATS],
    /// The digest of everything that each seat has seen and said.
    memory_digests: [u128; MAX_SEATS],
}

/// The stored form of a game.
#[derive(Serialize, Deserialize)]
struct Snapshot {
    ruleset: String,
    layout_hash: u32,
    options: Vec<u8>,
    state: Vec<u8>,
    log: Vec<u8>,
    seed: [u8; 32],
    position: u64,
    version: u64,
    heard: [u64; MAX_SEATS],
    memory: [u128; MAX_SEATS],
    prefix: Vec<u16>,
}

impl<W: Wire> Clone for Table<W> {
    fn clone(&self) -> Self {
        Self {
            state: self.state.clone(),
            chance: self.chance.clone(),
            seed: self.seed,
            version: self.version,
            seat_to_move: self.seat_to_move,
            actions: self.actions.clone(),
            decoder: self.decoder.clone(),
            log: self.log.clone(),
            log_cursors: self.log_cursors,
            memory_digests: self.memory_digests,
        }
    }
}

impl<W: Heuristics + Wire> Table<W> {
    pub(crate) fn begin(options: &W::Options, settings: &Settings, seed: &Seed) -> Self {
        let opening = warm_start::<W>(options, settings.start, seed);
        let log = match settings.start {
            Start::SetUp => opening.events,
            Start::Rich | Start::Late => Vec::new(),
        };
        Self::begun((opening.state, opening.chance), log, seed)
    }

    /// Begins on a described table. As on any table but the set-up, nothing has happened yet.
    pub(crate) fn begin_on(first: Applied<W>, seed: &Seed) -> Self {
        Self::begun((first.state, first.chance), Vec::new(), seed)
    }

    fn begun((state, mut chance): (W::State, Chance), log: Vec<W::Event>, seed: &Seed) -> Self {
        chance.release_buffers();
        Self {
            state,
            chance,
            seed: *seed,
            version: 1,
            seat_to_move: None,
            actions: Vec::new(),
            decoder: ActionDecoder::default(),
            log,
            log_cursors: [0; MAX_SEATS],
            memory_digests: [0; MAX_SEATS],
        }
    }

    /// Yields the events since the last decision of a seat.
    pub(crate) fn unseen_events(&self, seat: usize) -> impl Iterator<Item = &W::Event> {
        let heard = self.log_cursors.get(seat).copied().unwrap_or(usize::MAX);
        self.log.iter().skip(heard)
    }

    /// Lists the legal actions of the seat to move.
    pub(crate) fn list_actions(&mut self, space: &Space, settings: &Settings) {
        self.actions.clear();
        self.decoder.clear();
        let far_enough = settings.max_versions != 0 && self.version >= settings.max_versions;
        let next = W::pending(&self.state).first().map(|pending| pending.seat);
        self.seat_to_move = next.filter(|_| !far_enough);
        let Some(seat) = self.seat_to_move else {
            return;
        };
        let actions = &mut self.actions;
        let _cut = visit_legal::<W>(&self.state, seat, settings.detail, &mut |action| {
            actions.push(action);
            if actions.len() < MAX_ACTIONS {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        for action in &self.actions {
            self.decoder
                .add_action(|words| space.push_words::<W>(action, words));
        }
        self.decoder.skip_forced();
    }

    /// Plays chosen actions, and lists the next ones, until a seat has a choice. Returns whether any of the actions
    /// drew luck.
    pub(crate) fn apply_chosen(&mut self, space: &Space, settings: &Settings) -> bool {
        let mut drew = false;
        while let (Some(seat), Some(index)) = (self.seat_to_move, self.decoder.chosen()) {
            if self.actions.len() > 1 {
                self.record_decision(seat, settings);
            }
            let action = self.actions.swap_remove(index);
            let played = apply_in_place::<W>(&mut self.state, &mut self.chance, seat, &action);
            drew |= !self.chance.take_record().is_empty();
            // Listed actions are legal, as the conformance suite of the rules guarantees.
            if let Ok(journal) = played {
                self.log.extend(journal.events);
            }
            self.version += 1;
            self.list_actions(space, settings);
        }
        drew
    }

    /// Replaces the luck: all further luck follows from this seed.
    pub(crate) fn reseed(&mut self, seed: &Seed) {
        self.chance = Chance::from_seed(seed);
        self.seed = *seed;
    }

    /// Adds the observation and the words of the seat to its memory, and starts its list of new events here.
    fn record_decision(&mut self, seat: Seat, settings: &Settings) {
        if settings.recall {
            self.memory_digests[seat.index()] = self.memory_digest(seat);
        }
        self.log_cursors[seat.index()] = self.log.len();
        let seats = self.log_cursors.iter().take(W::players(&self.state));
        let all = seats.copied().min().unwrap_or(0);
        if all > 0 {
            self.log.drain(..all);
            for heard in &mut self.log_cursors {
                *heard = heard.saturating_sub(all);
            }
        }
    }

    /// Returns the digest of the memory of a seat together with its current observation and words.
    pub(crate) fn memory_digest(&self, seat: Seat) -> u128 {
        let viewer = Viewer::Seat(seat);
        let mut bytes = self.memory_digests[seat.index()].to_le_bytes().to_vec();
        let unseen = self.unseen_events(seat.index());
        for event in unseen.filter_map(|event| W::event_view(event, viewer)) {
            push_length_prefixed(&mut bytes, &encoded(W::encoded_event(&event)));
        }
        push_length_prefixed(
            &mut bytes,
            &encoded(W::encoded_view(&W::view(&self.state, viewer))),
        );
        for Pending { seat, decision } in W::pending(&self.state) {
            bytes.push(seat.number());
            push_length_prefixed(&mut bytes, decision.as_bytes());
        }
        if self.seat_to_move == Some(seat) {
            for word in self.decoder.prefix() {
                bytes.extend(word.to_le_bytes());
            }
        }
        xxh3_128(&bytes)
    }

    /// Draws everything anew that a seat does not know, future luck included.
    pub(crate) fn resample_hidden(&mut self, seat: Seat, seed: &Seed) {
        let [drawn, luck] = [&b"world"[..], b"luck"].map(|part| derive_seed(seed, part));
        self.state = W::sample_world(&self.state, seat, &mut Chance::from_seed(&drawn));
        self.reseed(&luck);
        // The events that only others saw are as unknown as their cards, so they must not be counted.
        let viewer = Viewer::Seat(seat);
        for heard in &mut self.log_cursors {
            let seen_events = self.log.iter().take(*heard);
            *heard = seen_events
                .filter(|event| W::event_view(event, viewer).is_some())
                .count();
        }
        self.log = self
            .log
            .iter()
            .filter_map(|event| W::event_view(event, viewer))
            .collect();
    }

    /// Encodes the table as bytes that only the same build can read.
    pub(crate) fn snapshot(&self, options: &W::Options) -> Vec<u8> {
        encode(&Snapshot {
            ruleset: W::INFO.id.to_owned(),
            layout_hash: W::layout_hash(),
            options: encode(options),
            state: encode(&self.state),
            log: encode(&self.log),
            seed: *self.seed.as_bytes(),
            position: self.chance.position(),
            version: self.version,
            heard: self.log_cursors.map(|heard| heard as u64),
            memory: self.memory_digests,
            prefix: self.decoder.prefix().to_vec(),
        })
    }

    /// Decodes the options and the table of a snapshot.
    ///
    /// # Errors
    /// Fails if the bytes are no snapshot of this ruleset, number of seats and build.
    pub(crate) fn from_snapshot(
        bytes: &[u8],
        space: &Space,
        settings: &Settings,
    ) -> Result<(W::Options, Self), Fault> {
        let fault = || Fault::Snapshot(W::INFO.id);
        let snapshot: Snapshot = decode(bytes).map_err(|_| fault())?;
        if snapshot.ruleset != W::INFO.id || snapshot.layout_hash != W::layout_hash() {
            return Err(fault());
        }
        let options: W::Options = decode(&snapshot.options).map_err(|_| fault())?;
        if W::seats(&options) != space.seats() {
            return Err(fault());
        }
        let seed = Seed::new(snapshot.seed);
        let mut table = Table {
            state: decode(&snapshot.state).map_err(|_| fault())?,
            chance: Chance::resume(&seed, snapshot.position),
            seed,
            version: snapshot.version,
            seat_to_move: None,
            actions: Vec::new(),
            decoder: ActionDecoder::default(),
            log: decode(&snapshot.log).map_err(|_| fault())?,
            log_cursors: snapshot
                .heard
                .map(|heard| usize::try_from(heard).unwrap_or(usize::MAX)),
            memory_digests: snapshot.memory,
        };
        table.list_actions(space, settings);
        // Forced words are already said, so only the others are repeated.
        while let Some(word) = snapshot.prefix.get(table.decoder.prefix().len()) {
            if !table.decoder.push(*word) {
                return Err(fault());
            }
        }
        Ok((options, table))
    }
}

/// Derives a seed from another one.
fn derive_seed(seed: &Seed, part: &[u8]) -> Seed {
    let hash = Sha256::new()
        .chain_update(seed.as_bytes())
        .chain_update(part);
    Seed::new(hash.finalize().into())
}

/// Appends bytes, preceded by their length, so that different parts never give the same digest input.
fn push_length_prefixed(all: &mut Vec<u8>, part: &[u8]) {
    all.extend((part.len() as u64).to_le_bytes());
    all.extend(part);
}
