//! The place of one game in a vector.

use gamekeeper_rules::table::{Chance, Seed};

use super::rows::Ended;
use crate::game::{Bot, Game, Observer, play_bot};
use crate::opponents::{Opponent, Opponents, WordChoice};
use crate::row_buffer::{DirtyCells, Element, RowBuffer};
use crate::seeds::seed_of;
use crate::settings::Fault;

/// The place of one game in a vector.
pub(super) struct Slot {
    pub(super) game: Box<dyn Game>,
    /// The number of the game among all games, from 1: game number n is played in slot (n - 1) mod the number of slots,
    /// so that it depends on no other slot. 0 if the next game must still begin.
    pub(super) number: u64,
    /// The number of games that have begun in this slot.
    pub(super) begun: u64,
    /// The number of seats by which the players of this game sit further to the left, if they take turns.
    pub(super) turn: u64,
    pub(super) is_new: bool,
    pub(super) seed: Seed,
    /// The number of decisions of bots in this game.
    bot_decisions: u64,
    /// The luck of the decision of a learned opponent for which the game waits.
    luck: Option<Chance>,
    pub(super) dirty: DirtyCells,
    /// The words that the mask allows.
    pub(super) allowed: Vec<u16>,
    pub(super) ended: Option<Ended>,
    /// The fault that kept the game from going on.
    pub(super) fault: Option<Fault>,
    /// The last game that ended in this slot.
    pub(super) last: Option<Box<dyn Game>>,
    /// The slot's own game, in whose place the caller has put another one.
    replaced: Option<Box<dyn Game>>,
}

/// The rows of one game.
pub(super) struct SlotRows<'a, C> {
    pub(super) slot: &'a mut Slot,
    pub(super) cells: &'a mut [C],
    pub(super) mask: &'a mut [i8],
    pub(super) seat: &'a mut i64,
    pub(super) buffer: &'a mut RowBuffer,
    pub(super) opponents: &'a Opponents,
}

impl Slot {
    pub(super) fn new(game: Box<dyn Game>) -> Self {
        Self {
            game,
            number: 0,
            begun: 0,
            turn: 0,
            is_new: false,
            seed: Seed::from_number(0),
            bot_decisions: 0,
            luck: None,
            dirty: DirtyCells::default(),
            allowed: Vec::new(),
            ended: None,
            fault: None,
            last: None,
            replaced: None,
        }
    }

    /// Puts a game in place of the one that is played. The next one is the slot's own again.
    pub(super) fn put(&mut self, game: Box<dyn Game>) {
        let own = std::mem::replace(&mut self.game, game);
        self.replaced.get_or_insert(own);
    }

    /// Returns the opponent at the seat to move, or `None` if the caller plays there or nobody moves.
    fn opponent<'a>(&self, opponents: &'a Opponents) -> Option<&'a Opponent> {
        let seats = self.game.space().seats();
        opponents.at(self.game.seat()?, seats, self.turn)
    }

    /// Returns the learned opponent for whose word the game waits.
    pub(super) fn waits_for<'a>(&self, opponents: &'a Opponents) -> Option<&'a Opponent> {
        self.luck.as_ref().and_then(|_| self.opponent(opponents))
    }

    /// Returns the choice of the learned opponent for which the game waits.
    pub(super) fn choice(&mut self) -> Option<WordChoice<'_>> {
        Some(WordChoice {
            words: self.game.legal_words(),
            luck: self.luck.as_mut()?,
        })
    }

    /// Notes why the game cannot go on.
    pub(super) fn fail(&mut self, fault: Fault) {
        self.number = 0;
        self.luck = None;
        self.fault = Some(fault);
    }
}

impl<C: Element> SlotRows<'_, C> {
    pub(super) fn begin_game(&mut self) {
        if let Some(own) = self.slot.replaced.take() {
            self.slot.game = own;
        }
        match self.slot.game.begin(&self.slot.seed, self.slot.number) {
            Ok(()) => {
                self.slot.bot_decisions = 0;
                self.run_bots();
            }
            Err(fault) => self.slot.fail(fault),
        }
    }

    pub(super) fn push(&mut self, word: i64) {
        let before = self.slot.game.prefix().len();
        match self.slot.game.push(word) {
            Ok(true) => self.run_bots(),
            Ok(false) => {
                let game = &self.slot.game;
                game.space().update_prefix(
                    (game.prefix(), before),
                    self.cells,
                    &mut self.slot.dirty,
                );
                self.write_mask();
            }
            // This cannot happen: every word was looked up in its mask before.
            Err(_) => {}
        }
    }

    /// Says a word of the learned opponent for which the game waits.
    pub(super) fn push_learned(&mut self, word: u16) {
        match self.slot.game.push(word.into()) {
            Ok(true) => self.run_bots(),
            Ok(false) => {}
            Err(fault) => self.slot.fail(fault),
        }
    }

    /// Lets bots play until the caller must decide, and writes the observation of the caller's seat; or until the game
    /// waits for a learned opponent.
    pub(super) fn run_bots(&mut self) {
        self.slot.luck = None;
        while let Some(seat) = self.slot.game.seat() {
            let Some(opponent) = self.slot.opponent(self.opponents) else {
                self.write_row(seat);
                return;
            };
            self.slot.bot_decisions += 1;
            let seed = seed_of(&self.slot.seed, self.slot.bot_decisions);
            let (policy, playouts) = match opponent {
                Opponent::Bot(policy, playouts) => (*policy, *playouts),
                Opponent::Learned(_) => {
                    self.slot.luck = Some(Chance::from_seed(&seed));
                    return;
                }
            };
            let bot = Bot {
                policy,
                playouts,
                seed,
            };
            let version = self.slot.game.version();
            play_bot(&mut *self.slot.game, &bot);
            if self.slot.game.version() == version {
                break;
            }
        }
        self.slot.number = 0;
        self.slot.last = Some(self.slot.game.copy());
        self.slot.ended = Some(Ended {
            slot: 0,
            standings: self.slot.game.standings(),
            version: self.slot.game.version(),
        });
    }

    fn write_row(&mut self, seat: usize) {
        self.slot
            .game
            .observe(Observer::Seat(seat), seat, self.buffer);
        self.buffer.flush_into(self.cells, &mut self.slot.dirty);
        *self.seat = i64::try_from(seat).unwrap_or(0);
        self.write_mask();
    }

    /// Writes the action mask.
    fn write_mask(&mut self) {
        let Slot { allowed, game, .. } = &mut *self.slot;
        for word in allowed.drain(..) {
            if let Some(cell) = self.mask.get_mut(usize::from(word)) {
                *cell = 0;
            }
        }
        for &word in game.legal_words() {
            if let Some(cell) = self.mask.get_mut(usize::from(word)) {
                *cell = 1;
            }
        }
        allowed.extend(game.legal_words());
    }
}
