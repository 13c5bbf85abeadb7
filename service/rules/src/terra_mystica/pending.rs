//! The decisions, and the loop that runs what happens without one (TM-6.1, TM-6.64).

use std::fmt;
use std::ops::ControlFlow;

use super::action::Action;
use super::rules::Play;
use super::state::Stage;
use crate::table::settle;

/// A decision point (TM-6.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Decision {
    /// A faction is chosen.
    ChooseFaction,
    /// A first dwelling is placed.
    PlaceDwelling,
    /// A first bonus card is taken.
    ChooseBonusCard,
    /// A player has the turn.
    Turn,
    /// Power is offered.
    PowerDecision,
    /// The active player owes choices.
    FollowUp,
    /// Spades of a cult reward are used.
    CultSpades,
    /// The game is over.
    Finished,
}

impl Decision {
    /// The name in the rule document.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::ChooseFaction => "choose_faction",
            Self::PlaceDwelling => "place_dwelling",
            Self::ChooseBonusCard => "choose_bonus_card",
            Self::Turn => "turn",
            Self::PowerDecision => "power_decision",
            Self::FollowUp => "follow_up",
            Self::CultSpades => "cult_spades",
            Self::Finished => "finished",
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl Play<'_> {
    /// Runs everything automatic, up to the next decision.
    pub(super) fn settle(&mut self) {
        settle(self, Self::step);
    }

    fn step(&mut self) -> ControlFlow<()> {
        match self.state.stage {
            Stage::Action => self.turn_step(),
            Stage::Cult => self.settle_cult_phase(),
            Stage::ChooseFaction(_)
            | Stage::PlaceDwelling
            | Stage::ChooseBonusCard
            | Stage::Finished => ControlFlow::Break(()),
        }
    }

    /// Offers come first; then the Cultists know their answer; then the choices of the active
    /// player; then, if the table wants it so, the turn ends by itself (TM-6.2).
    fn turn_step(&mut self) -> ControlFlow<()> {
        if !self.state.turn.offers.is_empty() {
            return ControlFlow::Break(());
        }
        self.settle_takers();
        self.drop_lapsed();
        let open = self.state.turn.follow_ups.any() || self.state.open_towns() > 0;
        if open || !self.state.rules.auto_end_turn || !self.state.turn.main_action_done {
            return ControlFlow::Break(());
        }
        let seat = self.state.turn.seat;
        self.journal.automatic(seat, Action::EndTurn);
        self.perform_end_turn(seat);
        ControlFlow::Continue(())
    }
}
