//! Described tables on which the games of a **self-play** begin, in turn.

use gamekeeper_proto::EncodedMessage;
use gamekeeper_rules::ruleset::{Applied, create};
use gamekeeper_rules::table::{Chance, Seed};

use crate::start::first_version;
use crate::{PositionFault, Wire};

/// The maximum number of tables of a self-play.
pub const MAX_POSITIONS: usize = 1_024;

/// Described tables that the rules accept, for games with the same options. Game number n begins on table (n - 1) mod
/// their number, so that a game depends on its number alone, wherever it is played.
pub struct StartPositions<W: Wire>(Vec<StartPosition<W>>);

enum StartPosition<W: Wire> {
    /// Everything is given: games of any luck begin here.
    Given(W::State),
    /// Luck deals what is left out of the description.
    Dealt(EncodedMessage),
}

impl<W: Wire> Default for StartPositions<W> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<W: Wire> StartPositions<W> {
    /// Adds a table, given as the `View` of the ruleset.
    ///
    /// # Errors
    /// Fails if no game with these options can begin on the table.
    pub fn push(
        &mut self,
        view: EncodedMessage,
        options: &W::Options,
    ) -> Result<(), PositionFault> {
        let any_luck = Chance::from_seed(&Seed::from_number(0));
        let begun = first_version::<W>(&view, options, any_luck)?;
        self.0.push(match begun.draws.is_empty() {
            true => StartPosition::Given(begun.state),
            false => StartPosition::Dealt(view),
        });
        Ok(())
    }

    /// Returns the index of the table on which a game begins, from 0. Games are numbered from 1.
    #[must_use]
    pub fn index_of(&self, number: u64) -> usize {
        let index = number.saturating_sub(1).checked_rem(self.0.len() as u64);
        index.map_or(0, |index| usize::try_from(index).unwrap_or(0))
    }

    /// Makes the first version of the game with this number, with all its luck from this seed. Without any tables, games
    /// begin at the set-up.
    ///
    /// # Errors
    /// Fails if luck deals something that contradicts what the description gives.
    pub fn first_version(
        &self,
        number: u64,
        options: &W::Options,
        seed: &Seed,
    ) -> Result<Applied<W>, PositionFault> {
        let chance = Chance::from_seed(seed);
        match self.0.get(self.index_of(number)) {
            None => Ok(create::<W>(options, chance)),
            Some(StartPosition::Dealt(view)) => first_version::<W>(view, options, chance),
            Some(StartPosition::Given(state)) => Ok(Applied {
                state: state.clone(),
                chance,
                events: Vec::new(),
                automatic: Vec::new(),
                draws: Vec::new(),
            }),
        }
    }
}
