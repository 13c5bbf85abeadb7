//! The state of a game that has begun.

use std::ops::ControlFlow;

use gamekeeper_rules::bots::Mind;
use gamekeeper_rules::ruleset::{play, visit_legal};
use gamekeeper_rules::starts::{Start, open};
use gamekeeper_rules::table::{Chance, MAX_SEATS, Pending, Seat, Seed, Viewer, decode, encode};
use gamekeeper_wire::Wire;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::xxh3_128;

use crate::seen::encoded;
use crate::settings::{Fault, MAX_ACTIONS, Settings};
use crate::space::Space;
use crate::speech::Speech;

/// A game that has begun, with the legal actions of the seat to move.
pub(crate) struct Table<W: Wire> {
    pub(crate) state: W::State,
    chance: Chance,
    seed: Seed,
    pub(crate) version: u64,
    /// The seat to move. Is `None` if the game is over.
    pub(crate) asked: Option<Seat>,
    pub(crate) actions: Vec<W::Action>,
    pub(crate) speech: Speech,
    /// The events since the oldest last decision of any seat.
    log: Vec<W::Event>,
    /// For each seat, the number of events in the log at its last decision.
    heard: [usize; MAX_SEATS],
    /// The digest of everything that each seat has seen and said.
    memory: [u128; MAX_SEATS],
}

/// The stored form of a game.
#[derive(Serialize, Deserialize)]
struct Snapshot {
    ruleset: String,
    layout: u32,
    options: Vec<u8>,
    state: Vec<u8>,
    log: Vec<u8>,
    seed: [u8; 32],
    position: u64,
    version: u64,
    heard: [u64; MAX_SEATS],
    memory: [u128; MAX_SEATS],
    said: Vec<u16>,
}

impl<W: Wire> Clone for Table<W> {
    fn clone(&self) -> Self {
        Self {
            state: self.state.clone(),
            chance: self.chance.clone(),
            seed: self.seed,
            version: self.version,
            asked: self.asked,
            actions: self.actions.clone(),
            speech: self.speech.clone(),
            log: self.log.clone(),
            heard: self.heard,
            memory: self.memory,
        }
    }
}

impl<W: Mind + Wire> Table<W> {
    pub(crate) fn begin(options: &W::Options, settings: &Settings, seed: &Seed) -> Self {
        let mut opening = open::<W>(options, settings.start, seed);
        opening.chance.rest();
        let is_set_up = settings.start == Start::SetUp;
        Self {
            state: opening.state,
            chance: opening.chance,
            seed: *seed,
            version: 1,
            asked: None,
            actions: Vec::new(),
            speech: Speech::default(),
            log: if is_set_up {
                opening.events
            } else {
                Vec::new()
            },
            heard: [0; MAX_SEATS],
            memory: [0; MAX_SEATS],
        }
    }

    /// Yields the events since the last decision of a seat.
    pub(crate) fn unheard(&self, seat: usize) -> impl Iterator<Item = &W::Event> {
        let heard = self.heard.get(seat).copied().unwrap_or(usize::MAX);
        self.log.iter().skip(heard)
    }

    /// Lists the legal actions of the seat to move.
    pub(crate) fn ask(&mut self, space: &Space, settings: &Settings) {
        self.actions.clear();
        self.speech.clear();
        let far_enough = settings.max_versions != 0 && self.version >= settings.max_versions;
        let next = W::pending(&self.state).first().map(|pending| pending.seat);
        self.asked = next.filter(|_| !far_enough);
        let Some(seat) = self.asked else {
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
            self.speech.add(|said| space.say::<W>(action, said));
        }
        self.speech.go_on();
    }

    /// Plays chosen actions, and lists the next ones, until a seat has a choice. Returns whether any of the actions
    /// drew luck.
    pub(crate) fn settle(&mut self, space: &Space, settings: &Settings) -> bool {
        let mut drew = false;
        while let (Some(seat), Some(place)) = (self.asked, self.speech.chosen()) {
            if self.actions.len() > 1 {
                self.decided(seat, settings);
            }
            let action = self.actions.swap_remove(place);
            let played = play::<W>(&mut self.state, &mut self.chance, seat, &action);
            drew |= !self.chance.take_record().is_empty();
            // Listed actions are legal, as the conformance suite of the rules guarantees.
            if let Ok(journal) = played {
                self.log.extend(journal.events);
            }
            self.version += 1;
            self.ask(space, settings);
        }
        drew
    }

    /// Replaces the luck: all further luck follows from this seed.
    pub(crate) fn reseed(&mut self, seed: &Seed) {
        self.chance = Chance::from_seed(seed);
        self.seed = *seed;
    }

    /// Adds the observation and the words of the seat to its memory, and starts its list of new events here.
    fn decided(&mut self, seat: Seat, settings: &Settings) {
        if settings.recall {
            self.memory[seat.index()] = self.remembered(seat);
        }
        self.heard[seat.index()] = self.log.len();
        let seats = self.heard.iter().take(W::players(&self.state));
        let all = seats.copied().min().unwrap_or(0);
        if all > 0 {
            self.log.drain(..all);
            for heard in &mut self.heard {
                *heard = heard.saturating_sub(all);
            }
        }
    }

    /// Returns the digest of the memory of a seat together with its current observation and words.
    pub(crate) fn remembered(&self, seat: Seat) -> u128 {
        let viewer = Viewer::Seat(seat);
        let mut bytes = self.memory[seat.index()].to_le_bytes().to_vec();
        let seen = self.unheard(seat.index());
        for event in seen.filter_map(|event| W::event_view(event, viewer)) {
            add(&mut bytes, &encoded(W::encoded_event(&event)));
        }
        add(
            &mut bytes,
            &encoded(W::encoded_view(&W::view(&self.state, viewer))),
        );
        for Pending { seat, decision } in W::pending(&self.state) {
            bytes.push(seat.number());
            add(&mut bytes, decision.as_bytes());
        }
        if self.asked == Some(seat) {
            for word in self.speech.said() {
                bytes.extend(word.to_le_bytes());
            }
        }
        xxh3_128(&bytes)
    }

    /// Draws everything anew that a seat does not know, future luck included.
    pub(crate) fn draw_anew(&mut self, seat: Seat, seed: &Seed) {
        let [drawn, luck] = [&b"world"[..], b"luck"].map(|part| follows(seed, part));
        self.state = W::sample(&self.state, seat, &mut Chance::from_seed(&drawn));
        self.reseed(&luck);
        // The events that only others saw are as unknown as their cards, so they must not be counted.
        let viewer = Viewer::Seat(seat);
        for heard in &mut self.heard {
            let kept = self.log.iter().take(*heard);
            *heard = kept
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
            ruleset: W::SHEET.id.to_owned(),
            layout: W::layout(),
            options: encode(options),
            state: encode(&self.state),
            log: encode(&self.log),
            seed: *self.seed.as_bytes(),
            position: self.chance.position(),
            version: self.version,
            heard: self.heard.map(|heard| heard as u64),
            memory: self.memory,
            said: self.speech.said().to_vec(),
        })
    }

    /// Decodes the options and the table of a snapshot.
    ///
    /// # Errors
    /// Fails if the bytes are no snapshot of this ruleset, number of seats and build.
    pub(crate) fn restored(
        bytes: &[u8],
        space: &Space,
        settings: &Settings,
    ) -> Result<(W::Options, Self), Fault> {
        let fault = || Fault::Snapshot(W::SHEET.id);
        let read: Snapshot = decode(bytes).map_err(|_| fault())?;
        if read.ruleset != W::SHEET.id || read.layout != W::layout() {
            return Err(fault());
        }
        let options: W::Options = decode(&read.options).map_err(|_| fault())?;
        if W::seats(&options) != space.seats() {
            return Err(fault());
        }
        let seed = Seed::new(read.seed);
        let mut table = Table {
            state: decode(&read.state).map_err(|_| fault())?,
            chance: Chance::resume(&seed, read.position),
            seed,
            version: read.version,
            asked: None,
            actions: Vec::new(),
            speech: Speech::default(),
            log: decode(&read.log).map_err(|_| fault())?,
            heard: read
                .heard
                .map(|heard| usize::try_from(heard).unwrap_or(usize::MAX)),
            memory: read.memory,
        };
        table.ask(space, settings);
        // Forced words are already said, so only the others are repeated.
        while let Some(word) = read.said.get(table.speech.said().len()) {
            if !table.speech.say(*word) {
                return Err(fault());
            }
        }
        Ok((options, table))
    }
}

/// Derives a seed from another one.
fn follows(seed: &Seed, part: &[u8]) -> Seed {
    let hash = Sha256::new()
        .chain_update(seed.as_bytes())
        .chain_update(part);
    Seed::new(hash.finalize().into())
}

/// Appends bytes, preceded by their length, so that different parts never give the same digest input.
fn add(all: &mut Vec<u8>, part: &[u8]) {
    all.extend((part.len() as u64).to_le_bytes());
    all.extend(part);
}
