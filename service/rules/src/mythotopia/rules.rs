//! The rules, a file for each theme: what may be done, and what it does.

pub(super) mod abilities;
pub(super) mod armies;
pub(super) mod awards;
pub(super) mod borders;
pub(super) mod build;
pub(super) mod capture;
pub(super) mod cards;

pub(super) mod decks;
pub(super) mod drawing;
pub(super) mod end_game;
pub(super) mod gate;
pub(super) mod gold;
pub(super) mod invade;
pub(super) mod listing;
pub(super) mod philosopher;
pub(super) mod purse;
pub(super) mod roads;
pub(super) mod setup_choice;
pub(super) mod ships;
pub(super) mod turn;
pub(super) mod war;

use super::Mythotopia;
use super::action::TokenSource;
use super::data::{Card, Converter, Improvement, Province, Sea, Symbol};
use super::refusal::{Problem, Refusal};
use super::state::{Player, State};
use crate::ruleset::JournalOf;
use crate::table::{Chance, Seat};

/// A player who wants to act, and the table as it is.
#[derive(Clone, Copy)]
pub(super) struct Actor<'a> {
    pub(super) state: &'a State,
    pub(super) seat: Seat,
    pub(super) wants: Wants,
}

/// What somebody wants to know who asks whether an action is allowed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wants {
    /// Only whether: a list asks so, of each of its actions.
    Answer,
    /// Also what to tell when it is carried out.
    Permit,
}

impl<'a> Actor<'a> {
    pub(super) fn player(self) -> &'a Player {
        &self.state.players[self.seat]
    }

    pub(super) fn controls(self, province: Province) -> bool {
        self.player().controls(province)
    }

    pub(super) fn reserves(self, improvement: Improvement) -> bool {
        self.player().reserves(improvement)
    }
}

/// The table while an action is carried out.
pub(super) struct Play<'a> {
    pub(super) state: &'a mut State,
    pub(super) chance: &'a mut Chance,
    pub(super) journal: &'a mut JournalOf<Mythotopia>,
}

impl Play<'_> {
    pub(super) fn player(&mut self, seat: Seat) -> &mut Player {
        &mut self.state.players[seat]
    }

    pub(super) fn note(&mut self, event: super::Event) {
        self.journal.event(event);
    }
}

/// What a client names by an id.
pub(super) trait Noun {
    /// The word for it.
    const NOUN: &'static str;
}

impl Noun for Card {
    const NOUN: &'static str = "card";
}

impl Noun for Province {
    const NOUN: &'static str = "province";
}

impl Noun for Sea {
    const NOUN: &'static str = "sea area";
}

impl Noun for Symbol {
    const NOUN: &'static str = "symbol";
}

impl Noun for Converter {
    const NOUN: &'static str = "converter";
}

impl Noun for Seat {
    const NOUN: &'static str = "player";
}

impl Noun for TokenSource {
    const NOUN: &'static str = "source of a token";
}

/// An id that a client sent must name something.
pub(super) fn known<T: Noun>(named: Option<T>) -> Result<T, Refusal> {
    named.ok_or(Refusal::UnknownId { what: T::NOUN })
}

/// An action that is not well formed.
pub(super) const fn malformed(problem: Problem) -> Refusal {
    Refusal::InvalidArgument { problem }
}

/// A condition, or else this refusal.
pub(super) const fn ensure(holds: bool, refusal: Refusal) -> Result<(), Refusal> {
    if holds { Ok(()) } else { Err(refusal) }
}
