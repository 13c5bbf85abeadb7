//! The implementation of [`Game`] for a ruleset.

use std::collections::BTreeSet;
use std::sync::Arc;

use gamekeeper_rules::bots::Mind;
use gamekeeper_rules::ruleset::{board, picture};
use gamekeeper_rules::table::picture::{Ground, Look, Size};
use gamekeeper_rules::table::{Chance, Names, Seat, Seed, Viewer, text};
use gamekeeper_wire::Wire;
use prost::Message;

use crate::cells::Page;
use crate::game::{Bot, Game, Offered, Who};
use crate::rewards::Standing;
use crate::seen::encoded;
use crate::settings::{Fault, Settings};
use crate::space::Space;
use crate::table::Table;

/// A game of ruleset `W`, with its space, its settings and its checked options.
pub(crate) struct Played<W: Wire> {
    space: Arc<Space>,
    settings: Arc<Settings>,
    options: Arc<W::Options>,
    table: Option<Table<W>>,
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

impl<W: Mind + Wire> Played<W> {
    /// Creates a game that has not begun.
    ///
    /// # Errors
    /// Fails if the options are malformed or refused.
    pub(crate) fn new(space: Arc<Space>, settings: Arc<Settings>) -> Result<Self, Fault> {
        let options = options::<W>(&settings)?;
        Ok(Self {
            space,
            settings,
            options: Arc::new(options),
            table: None,
        })
    }

    /// Restores the game of a snapshot.
    ///
    /// # Errors
    /// Fails if the bytes are no snapshot of this ruleset and build.
    pub(crate) fn restored(mut self, bytes: &[u8]) -> Result<Self, Fault> {
        let (options, table) = Table::restored(bytes, &self.space, &self.settings)?;
        self.options = Arc::new(options);
        self.table = Some(table);
        Ok(self)
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
        encoded(W::encoded_view(&W::view(&table.state, viewer(who))))
    }

    fn events(&self, seat: usize) -> Vec<Vec<u8>> {
        let viewer = Viewer::Seat(Seat::at(seat));
        let events = self.table.iter().flat_map(|table| table.unheard(seat));
        let seen = events.filter_map(|event| W::event_view(event, viewer));
        seen.map(|event| encoded(W::encoded_event(&event)))
            .collect()
    }

    fn actions(&self) -> Vec<Vec<u8>> {
        let actions = self.table.iter().flat_map(|table| &table.actions);
        actions
            .map(|action| encoded(W::encoded_action(action)))
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
        let all = bot.playouts.unwrap_or(W::PLAYOUTS);
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
            table.draw_anew(seat, seed);
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
        Ok(table.snapshot(&self.options))
    }
}

/// Says a word of the seat to move, and returns the table after it.
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
