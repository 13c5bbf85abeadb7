//! Power actions (TM-6.38).

use super::super::action::PowerUse;
use super::super::data::{Goods, PowerAction};
use super::super::event::{Event, GoodsSource};
use super::super::refusal::{Refusal, TakenAction};
use super::super::state::State;
use super::Play;
use super::bridges::check_bridge;
use super::power::Spend;
use super::transform::{Job, SpadeSource, check_work};
use crate::table::Seat;

/// What the power buys.
#[derive(Clone, Debug)]
pub(in super::super) enum Bought {
    /// A bridge on this site, or nothing.
    Bridge(Option<usize>),
    /// Goods; a priest only if the supply has one (TM-10.7).
    Goods(Goods),
    /// Free spades.
    Work(Job),
}

/// # Rule TM-6.38
/// Not used in this round; then its power; then what it does.
pub(in super::super) fn check_power_action(
    state: &State,
    seat: Seat,
    power_use: &PowerUse,
    sacrifice: u32,
) -> Result<(PowerAction, Spend, Bought), Refusal> {
    let action = power_use.action();
    if state.power_action_used(action) {
        let action = TakenAction::Power(action);
        return Err(Refusal::ActionTaken { action });
    }
    let power = u64::from(action.power());
    let spend = Spend::check(&state.players[seat], power, sacrifice, state.rules)?;
    let bought = match power_use {
        PowerUse::Bridge(span) => {
            let site = span.map(|span| check_bridge(state, seat, span));
            Bought::Bridge(site.transpose()?)
        }
        PowerUse::Priest => Bought::Goods(Goods::priests(1)),
        PowerUse::Workers => Bought::Goods(Goods::workers(2)),
        PowerUse::Coins => Bought::Goods(Goods::coins(7)),
        PowerUse::Spade(work) => Bought::Work(check_work(state, seat, SpadeSource::Act5, work)?),
        PowerUse::TwoSpades(work) => {
            Bought::Work(check_work(state, seat, SpadeSource::Act6, work)?)
        }
    };
    Ok((action, spend, bought))
}

impl Play<'_> {
    pub(in super::super) fn perform_power_action(
        &mut self,
        seat: Seat,
        action: PowerAction,
        spend: Spend,
        bought: &Bought,
    ) {
        self.tell(Event::PowerActionTaken { seat, action });
        self.spend_power(seat, spend);
        self.state.used_power_actions |= 1 << action.index();
        match bought {
            Bought::Bridge(site) => {
                if let Some(site) = site {
                    self.build_bridge(seat, *site);
                }
            }
            Bought::Goods(goods) => self.receive(seat, *goods, GoodsSource::PowerAction(action)),
            Bought::Work(job) => self.perform_work(seat, job),
        }
    }
}
