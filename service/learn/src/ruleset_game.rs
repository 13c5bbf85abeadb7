//! The implementation of [`Game`] for a ruleset.

use std::collections::BTreeSet;
use std::sync::Arc;

use gamekeeper_rules::bots::{Budget, Heuristics, Rating, rate};
use gamekeeper_rules::ruleset::{board, picture};
use gamekeeper_rules::table::picture::{ColorScheme, Look, Size, Theme};
use gamekeeper_rules::table::{Chance, Names, Seat, Seed, Viewer, text};
use gamekeeper_wire::{MAX_POSITIONS, OptionRefusal, PositionFault, StartPositions, Wire};
use prost::Message;

use crate::game::{ActionRating, Bot, Game, Observer, WordResult};
use crate::observe::encoded;
use crate::rewards::Standing;
use crate::row_buffer::RowBuffer;
use crate::settings::{Fault, Settings};
use crate::space::Space;
use crate::table::Table;

/// A game of ruleset `W`, with its space, its settings and its checked options.
pub(crate) struct RulesetGame<W: Wire> {
    space: Arc<Space>,
    settings: Arc<Settings>,
    options: Arc<W::Options>,
    positions: Arc<StartPositions<W>>,
    table: Option<Table<W>>,
}

impl<W: Wire> Clone for RulesetGame<W> {
    fn clone(&self) -> Self {
        Self {
            space: Arc::clone(&self.space),
            settings: Arc::clone(&self.settings),
            options: Arc::clone(&self.options),
            positions: Arc::clone(&self.positions),
            table: self.table.clone(),
        }
    }
}

impl<W: Heuristics + Wire> RulesetGame<W> {
    /// Creates a game that has not begun.
    ///
    /// # Errors
    /// Fails if the options are malformed or refused, or no game can begin on a described table.
    pub(crate) fn new(space: Arc<Space>, settings: Arc<Settings>) -> Result<Self, Fault> {
        let options = options::<W>(&settings)?;
        Self::with_options(space, settings, options)
    }

    /// Restores the game of a snapshot, with its options.
    ///
    /// # Errors
    /// Fails if the bytes are no snapshot of this ruleset and build, or no game with these options can begin on a described
    /// table.
    pub(crate) fn restore(
        space: Arc<Space>,
        settings: Arc<Settings>,
        bytes: &[u8],
    ) -> Result<Self, Fault> {
        let (options, table) = Table::from_snapshot(bytes, &space, &settings)?;
        let game = Self::with_options(space, settings, options)?;
        Ok(Self {
            table: Some(table),
            ..game
        })
    }

    fn with_options(
        space: Arc<Space>,
        settings: Arc<Settings>,
        options: W::Options,
    ) -> Result<Self, Fault> {
        let positions = positions::<W>(&settings, &options)?;
        Ok(Self {
            space,
            settings,
            options: Arc::new(options),
            positions: Arc::new(positions),
            table: None,
        })
    }
}

impl<W: Heuristics + Wire> Game for RulesetGame<W> {
    fn space(&self) -> &Arc<Space> {
        &self.space
    }

    fn settings(&self) -> &Arc<Settings> {
        &self.settings
    }

    fn begin(&mut self, seed: &Seed, number: u64) -> Result<(), Fault> {
        let (options, settings) = (&self.options, &self.settings);
        let mut table = if settings.positions.is_empty() {
            Table::<W>::begin(options, settings, seed)
        } else {
            let first = self.positions.first_version(number, options, seed);
            let index = self.positions.index_of(number);
            Table::begin_on(first.map_err(|fault| within::<W>(fault, index))?, seed)
        };
        table.list_actions(&self.space, settings);
        table.apply_chosen(&self.space, settings);
        self.table = Some(table);
        Ok(())
    }

    fn seat(&self) -> Option<usize> {
        Some(self.table.as_ref()?.seat_to_move?.index())
    }

    fn legal_words(&self) -> &[u16] {
        self.table
            .as_ref()
            .map_or(&[], |table| table.decoder.next_words())
    }

    fn prefix(&self) -> &[u16] {
        self.table
            .as_ref()
            .map_or(&[], |table| table.decoder.prefix())
    }

    fn push(&mut self, word: i64) -> Result<bool, Fault> {
        let table = push_word(&mut self.table, word)?;
        let is_chosen = table.decoder.chosen().is_some();
        table.apply_chosen(&self.space, &self.settings);
        Ok(is_chosen)
    }

    fn push_without_chance(&mut self, word: i64) -> Result<WordResult, Fault> {
        let table = push_word(&mut self.table, word)?;
        if table.decoder.chosen().is_none() {
            return Ok(WordResult::Partial);
        }
        let waiting = table.clone();
        if !table.apply_chosen(&self.space, &self.settings) {
            return Ok(WordResult::Played);
        }
        *table = waiting;
        Ok(WordResult::AwaitsChance)
    }

    fn awaits_chance(&self) -> bool {
        let chosen = self.table.as_ref().map(|table| table.decoder.chosen());
        chosen.flatten().is_some()
    }

    fn draw(&mut self, seed: &Seed) -> Result<(), Fault> {
        let is_waiting = self.awaits_chance();
        let table = self.table.as_mut().filter(|_| is_waiting);
        let table = table.ok_or(Fault::NothingWaits)?;
        table.reseed(seed);
        table.apply_chosen(&self.space, &self.settings);
        Ok(())
    }

    fn observe(&self, observer: Observer, turned_to: usize, buffer: &mut RowBuffer) {
        let Some(table) = &self.table else {
            return;
        };
        let viewer = viewer(observer);
        match observer {
            Observer::Seat(seat) => {
                let space = &self.space;
                space.write_table::<W>(&table.state, viewer, seat, buffer);
                space.write_events::<W>(table.unseen_events(seat), viewer, seat, buffer);
                if table.seat_to_move == Some(Seat::at(seat)) {
                    self.space.write_prefix(table.decoder.prefix(), buffer);
                }
            }
            Observer::Public => {
                let space = &self.space;
                space.write_table::<W>(&table.state, viewer, turned_to, buffer);
            }
            Observer::Omniscient => {
                let space = &self.space;
                space.write_table::<W>(&table.state, viewer, turned_to, buffer);
                self.space.write_prefix(table.decoder.prefix(), buffer);
            }
        }
    }

    fn view(&self, observer: Observer) -> Vec<u8> {
        let Some(table) = &self.table else {
            return Vec::new();
        };
        encoded(W::encoded_view(&W::view(&table.state, viewer(observer))))
    }

    fn events(&self, seat: usize) -> Vec<Vec<u8>> {
        let viewer = Viewer::Seat(Seat::at(seat));
        let events = self
            .table
            .iter()
            .flat_map(|table| table.unseen_events(seat));
        let visible = events.filter_map(|event| W::event_view(event, viewer));
        visible
            .map(|event| encoded(W::encoded_event(&event)))
            .collect()
    }

    fn actions(&self) -> Vec<Vec<u8>> {
        let actions = self.table.iter().flat_map(|table| &table.actions);
        actions
            .map(|action| encoded(W::encoded_action(action)))
            .collect()
    }

    fn memory_digest(&self, seat: usize) -> u128 {
        match &self.table {
            Some(table) if self.settings.recall => table.memory_digest(Seat::at(seat)),
            Some(_) | None => 0,
        }
    }

    fn standings(&self) -> Option<Vec<Standing>> {
        let ranking = W::ranking(&self.table.as_ref()?.state)?;
        Some(Standing::of_all(&W::INFO, &ranking))
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

    fn picture(&self, seat: usize, size: Size) -> String {
        let Some(table) = &self.table else {
            return String::new();
        };
        let (viewer, names) = (Viewer::Seat(Seat::at(seat)), players(self.space.seats()));
        let (pending, ranking) = (W::pending(&table.state), W::ranking(&table.state));
        let look = Look {
            viewer,
            names: Names::new(&names),
            size,
            color_scheme: ColorScheme::Light,
            theme: Theme::PLAIN,
            pending: &pending,
            decisions: W::DECISIONS,
            ranking: ranking.as_ref(),
            interactive: &BTreeSet::new(),
            last: "",
        };
        picture::<W>(&W::view(&table.state, viewer), &look)
    }

    fn choose(&self, bot: &Bot) -> Vec<u16> {
        let Some((table, seat)) = self
            .table
            .as_ref()
            .and_then(|table| Some((table, table.seat_to_move?)))
        else {
            return Vec::new();
        };
        let mut chance = Chance::from_seed(&bot.seed);
        let mut worlds = |chance: &mut Chance| W::sample_world(&table.state, seat, chance);
        let budget = Budget::untimed(bot.playouts);
        let chosen = bot
            .policy
            .choose::<W>(seat, &mut worlds, budget, &mut chance);
        let mut words = Vec::new();
        if let Some(action) = chosen {
            self.space.push_words::<W>(&action, &mut words);
        }
        words
    }

    fn rate(&self, playouts: Option<u32>, seed: &Seed) -> Vec<ActionRating> {
        let table = self.table.as_ref();
        let Some((table, seat)) = table.and_then(|table| Some((table, table.seat_to_move?))) else {
            return Vec::new();
        };
        let mut chance = Chance::from_seed(seed);
        let mut worlds = |chance: &mut Chance| W::sample_world(&table.state, seat, chance);
        let rated = rate::<W>(seat, &mut worlds, Budget::untimed(playouts), &mut chance);
        let rating = |rated: &Rating<W::Action>| {
            let mut words = Vec::new();
            self.space.push_words::<W>(&rated.action, &mut words);
            let count = f64::from(rated.count.max(1));
            ActionRating {
                words,
                count: rated.count,
                value: rated.value_sum as f64 / count,
                lead: rated.lead_sum as f64 / count,
                error: (rated.squared_sum as f64).sqrt() / count,
            }
        };
        rated.iter().map(rating).collect()
    }

    fn sample_world(&self, seat: usize, seed: &Seed) -> Box<dyn Game> {
        let mut world = self.clone();
        if let Some(table) = &mut world.table {
            let seat = Seat::at(seat);
            table.resample_hidden(seat, seed);
            if table
                .seat_to_move
                .is_some_and(|seat_to_move| seat_to_move != seat)
            {
                table.list_actions(&self.space, &self.settings);
                table.apply_chosen(&self.space, &self.settings);
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
fn push_word<W: Wire>(table: &mut Option<Table<W>>, word: i64) -> Result<&mut Table<W>, Fault> {
    if let (Some(table), Ok(word_number)) = (table, u16::try_from(word))
        && table.decoder.push(word_number)
    {
        return Ok(table);
    }
    Err(Fault::Illegal { word, game: None })
}

fn viewer(observer: Observer) -> Viewer {
    match observer {
        Observer::Seat(seat) => Viewer::Seat(Seat::at(seat)),
        Observer::Public => Viewer::Spectator,
        Observer::Omniscient => Viewer::Operator,
    }
}

fn options<W: Wire>(settings: &Settings) -> Result<W::Options, Fault> {
    let fault = |text: &dyn std::fmt::Display| Fault::Options(text.to_string());
    let message = W::PbOptions::decode(&*settings.options).map_err(|error| fault(&error))?;
    let draft = W::draft(message.clone()).map_err(|error| fault(&error))?;
    let names = players(settings.seats);
    W::options(&names, &draft).map_err(|refused| {
        fault(&OptionRefusal::of::<W>(
            &refused,
            &names,
            Some(&message),
            "",
        ))
    })
}

fn positions<W: Wire>(
    settings: &Settings,
    options: &W::Options,
) -> Result<StartPositions<W>, Fault> {
    let count = settings.positions.len();
    if count > MAX_POSITIONS {
        return Err(Fault::Positions(count));
    }
    let mut positions = StartPositions::default();
    for (index, view) in settings.positions.iter().enumerate() {
        let judged = positions.push(view.clone().into(), options);
        judged.map_err(|fault| within::<W>(fault, index))?;
    }
    Ok(positions)
}

/// Names the described table in which a fault is.
fn within<W: Wire>(fault: PositionFault, index: usize) -> PositionFault {
    fault.within::<W>(&format!("positions[{index}]"))
}

fn players(seats: usize) -> Vec<String> {
    (1..=seats).map(|seat| format!("Player {seat}")).collect()
}
