//! A game of a ruleset.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use gamekeeper_rules::bots::Mind;
use gamekeeper_rules::ruleset::{board, picture, play, visit_legal};
use gamekeeper_rules::starts::open;
use gamekeeper_rules::table::picture::{Ground, Look, Size};
use gamekeeper_rules::table::{
    Chance, MAX_SEATS, Names, Pending, Seat, Seed, Viewer, decode, encode, text,
};
use gamekeeper_wire::Wire;
use prost::Message;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::xxh3_128;

use crate::cells::Page;
use crate::game::{Bot, Game, Offered, Who};
use crate::rewards::Standing;
use crate::seen::encoded;
use crate::settings::{Fault, MAX_ACTIONS, Settings};
use crate::space::Space;
use crate::speech::Speech;

/// Everything of a game that its rules do not keep.
pub(crate) struct Played<W: Wire> {
    space: Arc<Space>,
    settings: Arc<Settings>,
    options: Arc<W::Options>,
    table: Option<Table<W>>,
}

/// A game that has begun.
struct Table<W: Wire> {
    state: W::State,
    chance: Chance,
    seed: Seed,
    version: u64,
    /// The seat to move. `None`: the game is over.
    asked: Option<Seat>,
    actions: Vec<W::Action>,
    speech: Speech,
    /// What happened since the seat that has waited longest decided.
    log: Vec<W::Event>,
    /// How much of it each seat knows since its last decision.
    heard: [usize; MAX_SEATS],
    /// What each seat remembers.
    memory: [u128; MAX_SEATS],
}

/// A game as bytes.
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

impl<W: Wire> Clone for Played<W> {
    fn clone(&self) -> Self {
        Self {
            space: Arc::clone(&self.space),
            settings: Arc::clone(&self.settings),
            options: Arc::clone(&self.options),
            table: self.table.clone(),
        }
    }
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

impl<W: Mind + Wire> Played<W> {
    /// A game that has not begun.
    ///
    /// # Errors
    /// When the options are malformed or refused.
    pub(crate) fn new(space: Arc<Space>, settings: Arc<Settings>) -> Result<Self, Fault> {
        let options = options::<W>(&settings)?;
        Ok(Self {
            space,
            settings,
            options: Arc::new(options),
            table: None,
        })
    }

    /// The game of a snapshot.
    ///
    /// # Errors
    /// When the bytes are no snapshot of this ruleset and build.
    pub(crate) fn restored(mut self, bytes: &[u8]) -> Result<Self, Fault> {
        let fault = || Fault::Snapshot(W::SHEET.id);
        let read: Snapshot = decode(bytes).map_err(|_| fault())?;
        if read.ruleset != W::SHEET.id || read.layout != W::layout() {
            return Err(fault());
        }
        let options: W::Options = decode(&read.options).map_err(|_| fault())?;
        if W::seats(&options) != self.space.seats() {
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
        table.ask(&self.space, &self.settings);
        // Words that went without saying are said already.
        while let Some(word) = read.said.get(table.speech.said().len()) {
            if !table.speech.say(*word) {
                return Err(fault());
            }
        }
        self.options = Arc::new(options);
        self.table = Some(table);
        Ok(self)
    }
}

impl<W: Mind + Wire> Table<W> {
    fn begin(options: &W::Options, settings: &Settings, seed: &Seed) -> Self {
        let mut opening = open::<W>(options, settings.start, seed);
        opening.chance.rest();
        let is_set_up = settings.start == gamekeeper_rules::starts::Start::SetUp;
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

    /// The events since the last decision of a seat.
    fn unheard(&self, seat: usize) -> impl Iterator<Item = &W::Event> {
        let heard = self.heard.get(seat).copied().unwrap_or(usize::MAX);
        self.log.iter().skip(heard)
    }

    /// Lists the actions of the seat to move.
    fn ask(&mut self, space: &Space, settings: &Settings) {
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

    /// Plays chosen actions, and asks, until a seat has to decide. Returns whether any of them drew luck.
    fn settle(&mut self, space: &Space, settings: &Settings) -> bool {
        let mut drew = false;
        while let (Some(seat), Some(place)) = (self.asked, self.speech.chosen()) {
            if self.actions.len() > 1 {
                self.decided(seat, settings);
            }
            let action = self.actions.swap_remove(place);
            let played = play::<W>(&mut self.state, &mut self.chance, seat, &action);
            drew |= !self.chance.take_record().is_empty();
            // Listed actions are legal; the suite of the rules sees to it.
            if let Ok(journal) = played {
                self.log.extend(journal.events);
            }
            self.version += 1;
            self.ask(space, settings);
        }
        drew
    }

    /// All luck from now on follows from this seed.
    fn reseed(&mut self, seed: &Seed) {
        self.chance = Chance::from_seed(seed);
        self.seed = *seed;
    }

    /// The seat remembers what it saw and said, and will see what happens from now on.
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

    /// What a seat remembers, with what it sees and has said now.
    fn remembered(&self, seat: Seat) -> u128 {
        let viewer = Viewer::Seat(seat);
        let mut bytes = self.memory[seat.index()].to_le_bytes().to_vec();
        let seen = self.unheard(seat.index());
        for event in seen.filter_map(|event| W::event_view(event, viewer)) {
            add(&mut bytes, &encoded(&W::encoded_event(&event)));
        }
        add(
            &mut bytes,
            &encoded(&W::encoded_view(&W::view(&self.state, viewer))),
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
}

impl<W: Mind + Wire> Game for Played<W> {
    fn space(&self) -> &Arc<Space> {
        &self.space
    }

    fn settings(&self) -> &Arc<Settings> {
        &self.settings
    }

    fn begin(&mut self, seed: &Seed) {
        let mut table = Table::<W>::begin(&self.options, &self.settings, seed);
        table.ask(&self.space, &self.settings);
        table.settle(&self.space, &self.settings);
        self.table = Some(table);
    }

    fn seat(&self) -> Option<usize> {
        Some(self.table.as_ref()?.asked?.index())
    }

    fn words(&self) -> &[u16] {
        self.table.as_ref().map_or(&[], |table| table.speech.next())
    }

    fn said(&self) -> &[u16] {
        self.table.as_ref().map_or(&[], |table| table.speech.said())
    }

    fn say(&mut self, word: i64) -> Result<bool, Fault> {
        let table = spoken(&mut self.table, word)?;
        let is_chosen = table.speech.chosen().is_some();
        table.settle(&self.space, &self.settings);
        Ok(is_chosen)
    }

    fn offer(&mut self, word: i64) -> Result<Offered, Fault> {
        let table = spoken(&mut self.table, word)?;
        if table.speech.chosen().is_none() {
            return Ok(Offered::Said);
        }
        let waiting = table.clone();
        if !table.settle(&self.space, &self.settings) {
            return Ok(Offered::Played);
        }
        *table = waiting;
        Ok(Offered::Waits)
    }

    fn waits(&self) -> bool {
        let chosen = self.table.as_ref().map(|table| table.speech.chosen());
        chosen.flatten().is_some()
    }

    fn draw(&mut self, seed: &Seed) -> Result<(), Fault> {
        let waits = self.waits();
        let table = self.table.as_mut().filter(|_| waits);
        let table = table.ok_or(Fault::NothingWaits)?;
        table.reseed(seed);
        table.settle(&self.space, &self.settings);
        Ok(())
    }

    fn observe(&self, who: Who, turned_to: usize, page: &mut Page) {
        let Some(table) = &self.table else {
            return;
        };
        let viewer = viewer(who);
        match who {
            Who::Seat(seat) => {
                let space = &self.space;
                space.write_table::<W>(&table.state, viewer, seat, page);
                space.write_events::<W>(table.unheard(seat), viewer, seat, page);
                if table.asked == Some(Seat::at(seat)) {
                    self.space.write_said(table.speech.said(), page);
                }
            }
            Who::Everybody => {
                let space = &self.space;
                space.write_table::<W>(&table.state, viewer, turned_to, page);
            }
            Who::Everything => {
                let space = &self.space;
                space.write_table::<W>(&table.state, viewer, turned_to, page);
                self.space.write_said(table.speech.said(), page);
            }
        }
    }

    fn view(&self, who: Who) -> Vec<u8> {
        let Some(table) = &self.table else {
            return Vec::new();
        };
        encoded(&W::encoded_view(&W::view(&table.state, viewer(who))))
    }

    fn events(&self, seat: usize) -> Vec<Vec<u8>> {
        let viewer = Viewer::Seat(Seat::at(seat));
        let events = self.table.iter().flat_map(|table| table.unheard(seat));
        let seen = events.filter_map(|event| W::event_view(event, viewer));
        seen.map(|event| encoded(&W::encoded_event(&event)))
            .collect()
    }

    fn actions(&self) -> Vec<Vec<u8>> {
        let actions = self.table.iter().flat_map(|table| &table.actions);
        actions
            .map(|action| encoded(&W::encoded_action(action)))
            .collect()
    }

    fn memory(&self, seat: usize) -> u128 {
        match &self.table {
            Some(table) if self.settings.recall => table.remembered(Seat::at(seat)),
            Some(_) | None => 0,
        }
    }

    fn standings(&self) -> Option<Vec<Standing>> {
        let ranking = W::ranking(&self.table.as_ref()?.state)?;
        Some(Standing::of_all(&ranking))
    }

    fn version(&self) -> u64 {
        self.table.as_ref().map_or(0, |table| table.version)
    }

    fn board(&self, seat: usize, columns: usize, colored: bool) -> String {
        let Some(table) = &self.table else {
            return String::new();
        };
        let view = W::view(&table.state, Viewer::Seat(Seat::at(seat)));
        let names = players(self.space.seats());
        let drawn = board::<W>(&view, Names::new(&names), columns);
        if colored { drawn } else { text::plain(&drawn) }
    }

    fn picture(&self, seat: usize, narrow: bool) -> String {
        let Some(table) = &self.table else {
            return String::new();
        };
        let (viewer, names) = (Viewer::Seat(Seat::at(seat)), players(self.space.seats()));
        let (pending, ranking) = (W::pending(&table.state), W::ranking(&table.state));
        let look = Look {
            viewer,
            names: Names::new(&names),
            size: if narrow { Size::Phone } else { Size::Wide },
            ground: Ground::Light,
            pending: &pending,
            decisions: W::DECISIONS,
            ranking: ranking.as_ref(),
            reach: &BTreeSet::new(),
            last: "",
        };
        picture::<W>(&W::view(&table.state, viewer), &look)
    }

    fn choose(&self, bot: &Bot) -> Vec<u16> {
        let Some((table, seat)) = self
            .table
            .as_ref()
            .and_then(|table| Some((table, table.asked?)))
        else {
            return Vec::new();
        };
        let mut chance = Chance::from_seed(&bot.seed);
        let mut worlds = |chance: &mut Chance| W::sample(&table.state, seat, chance);
        let all = bot.playouts;
        let mut spent =
            |made: u32| made.saturating_add(1).saturating_mul(1_000) / all.saturating_add(1);
        let chosen = bot
            .policy
            .choose::<W>(seat, &mut worlds, &mut spent, &mut chance);
        let mut said = Vec::new();
        if let Some(action) = chosen {
            self.space.say::<W>(&action, &mut said);
        }
        said
    }

    fn world(&self, seat: usize, seed: &Seed) -> Box<dyn Game> {
        let mut world = self.clone();
        if let Some(table) = &mut world.table {
            let seat = Seat::at(seat);
            let [drawn, luck] = [&b"world"[..], b"luck"].map(|part| follows(seed, part));
            table.state = W::sample(&table.state, seat, &mut Chance::from_seed(&drawn));
            table.reseed(&luck);
            // What the others saw is as unknown as what they have.
            let viewer = Viewer::Seat(seat);
            for heard in &mut table.heard {
                let kept = table.log.iter().take(*heard);
                *heard = kept
                    .filter(|event| W::event_view(event, viewer).is_some())
                    .count();
            }
            table.log = table
                .log
                .iter()
                .filter_map(|event| W::event_view(event, viewer))
                .collect();
            if table.asked.is_some_and(|asked| asked != seat) {
                table.ask(&self.space, &self.settings);
                table.settle(&self.space, &self.settings);
            }
        }
        Box::new(world)
    }

    fn copy(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }

    fn snapshot(&self) -> Result<Vec<u8>, Fault> {
        let table = self.table.as_ref().ok_or(Fault::NotBegun)?;
        Ok(encode(&Snapshot {
            ruleset: W::SHEET.id.to_owned(),
            layout: W::layout(),
            options: encode(&*self.options),
            state: encode(&table.state),
            log: encode(&table.log),
            seed: *table.seed.as_bytes(),
            position: table.chance.position(),
            version: table.version,
            heard: table.heard.map(|heard| heard as u64),
            memory: table.memory,
            said: table.speech.said().to_vec(),
        }))
    }
}

/// The table after a word of the seat to move.
fn spoken<W: Wire>(table: &mut Option<Table<W>>, word: i64) -> Result<&mut Table<W>, Fault> {
    if let (Some(table), Ok(said)) = (table, u16::try_from(word))
        && table.speech.say(said)
    {
        return Ok(table);
    }
    Err(Fault::Illegal { word, game: None })
}

fn viewer(who: Who) -> Viewer {
    match who {
        Who::Seat(seat) => Viewer::Seat(Seat::at(seat)),
        Who::Everybody => Viewer::Spectator,
        Who::Everything => Viewer::Operator,
    }
}

fn options<W: Wire>(settings: &Settings) -> Result<W::Options, Fault> {
    let fault = |text: &dyn std::fmt::Display| Fault::Options(text.to_string());
    let message = W::PbOptions::decode(&*settings.options).map_err(|error| fault(&error))?;
    let draft = W::draft(message).map_err(|error| fault(&error))?;
    let names = players(settings.seats);
    W::options(&names, &draft)
        .map_err(|refused| fault(&format_args!("{}: {}", refused.field, refused.refused.why)))
}

fn players(seats: usize) -> Vec<String> {
    (1..=seats).map(|seat| format!("Player {seat}")).collect()
}

/// A seed that follows from another.
fn follows(seed: &Seed, part: &[u8]) -> Seed {
    let hash = Sha256::new()
        .chain_update(seed.as_bytes())
        .chain_update(part);
    Seed::new(hash.finalize().into())
}

/// Adds bytes behind their length.
fn add(all: &mut Vec<u8>, part: &[u8]) {
    all.extend((part.len() as u64).to_le_bytes());
    all.extend(part);
}
