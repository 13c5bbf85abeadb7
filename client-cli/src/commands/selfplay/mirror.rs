//! A local copy of a game in which the bots think. Their choices are sent to the server that plays the same game.

use gamekeeper_rules::bots::{Mind, legal};
use gamekeeper_rules::ruleset::{Ruleset, play};
use gamekeeper_rules::starts::open;
use gamekeeper_rules::table::{Chance, Ranking, Refusal, Refused, Seat, Seed};
use gamekeeper_wire::{Malformed, Wire};

use super::{Plan, names};
use crate::failure::Failure;

/// A local copy of a game, of any ruleset.
pub(super) trait Mirror {
    /// Chooses an action for a seat with a pending decision and plays it. Returns its index in the legal list.
    fn decide(&mut self, seat: u32) -> Result<usize, Failure>;
}

macro_rules! by_ruleset {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        /// Creates the local copy of a game of the plan.
        pub(super) fn mirror<'a>(
            plan: &'a Plan,
            number: u64,
        ) -> Result<Box<dyn Mirror + 'a>, Failure> {
            $(
                if plan.args.ruleset == <gamekeeper_rules::$module::$Ruleset as Ruleset>::SHEET.id {
                    type Played = gamekeeper_rules::$module::$Ruleset;
                    let options = options::<Played>(plan)?;
                    return Ok(Box::new(Game::<Played>::new(plan, &options, number)));
                }
            )*
            Err(unknown(&plan.args.ruleset))
        }
    };
}

gamekeeper_wire::for_each_ruleset!(by_ruleset);

pub(super) fn unknown(ruleset: &str) -> Failure {
    Failure::Usage(format!(
        "this program does not know the ruleset {ruleset:?}"
    ))
}

/// Parses the options of all games of a plan, after checking that every policy exists for the ruleset.
pub(super) fn options<W: Wire + Mind>(plan: &Plan) -> Result<W::Options, Failure> {
    for policy in &plan.policies {
        policy.mind::<W>()?;
    }
    let malformed = |error: Malformed| Failure::Invalid(error.to_string());
    let draft = match &plan.options {
        Some(options) => {
            let own = options.ruleset.clone().and_then(W::own_options);
            let foreign = || Failure::Invalid("options of another ruleset".to_owned());
            W::draft(own.ok_or_else(foreign)?.typed()?).map_err(malformed)?
        }
        None => W::Draft::default(),
    };
    W::options(&names(plan.args.seats), &draft).map_err(|no| refused(&no.refused))
}

fn refused(refusal: &Refused<impl Refusal>) -> Failure {
    Failure::Refused {
        code: refusal.code(),
        rule: refusal.rule,
        text: refusal.to_string(),
    }
}

/// A local game of one ruleset.
pub(super) struct Game<'a, W: Wire + Mind> {
    plan: &'a Plan,
    number: u64,
    state: W::State,
    luck: Chance,
    /// The random source of the bots' choices.
    whim: Chance,
}

impl<'a, W: Wire + Mind> Game<'a, W> {
    /// Creates the game of a plan with this number, at its first decision.
    pub(super) fn new(plan: &'a Plan, options: &W::Options, number: u64) -> Self {
        let seed = Seed::new(plan.seed(number));
        let begun = open::<W>(options, plan.args.start.into(), &seed);
        Self {
            plan,
            number,
            state: begun.state,
            luck: begun.chance,
            whim: Chance::from_seed(&Seed::new(plan.choices(number))),
        }
    }

    /// Returns the seat that decides next, or `None` when the game is over.
    pub(super) fn next(&self) -> Option<Seat> {
        W::pending(&self.state).first().map(|owed| owed.seat)
    }

    /// Returns the result, or `None` until the game is over.
    pub(super) fn ranking(&self) -> Option<Ranking> {
        W::ranking(&self.state)
    }

    /// Chooses an action for a seat and plays it.
    pub(super) fn decide(&mut self, seat: Seat) -> Result<W::Action, Failure> {
        let policy = self.plan.policy(self.number, seat.index()).mind::<W>()?;
        let state = &self.state;
        let mut worlds = |chance: &mut Chance| W::sample(state, seat, chance);
        let mut spent = self.plan.args.budget.spent::<W>();
        let action = policy
            .choose::<W>(seat, &mut worlds, &mut spent, &mut self.whim)
            .ok_or_else(|| {
                Failure::Contract(format!("{seat} owes a decision but has no legal action"))
            })?;
        play::<W>(&mut self.state, &mut self.luck, seat, &action)
            .map_err(|refusal| Failure::Contract(format!("a listed action: {refusal}")))?;
        drop(self.luck.take_record());
        Ok(action)
    }
}

impl<W: Wire + Mind> Mirror for Game<'_, W> {
    fn decide(&mut self, seat: u32) -> Result<usize, Failure> {
        let strange = || {
            Failure::Contract(format!(
                "the game with the rules in this program is not the server's: seat {seat} owes no decision"
            ))
        };
        let seat = u8::try_from(seat)
            .ok()
            .and_then(Seat::new)
            .ok_or_else(strange)?;
        let listed = legal::<W>(&self.state, seat);
        let action = Game::decide(self, seat)?;
        listed
            .iter()
            .position(|one| *one == action)
            .ok_or_else(strange)
    }
}
