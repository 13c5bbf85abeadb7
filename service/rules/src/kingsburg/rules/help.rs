//! The advisors help, from the Jester to the King (KIN-6.4, step HELP).

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::super::Log;
use super::super::action::Action;
use super::super::data::{Advisor, Building, Choice, Good, Goods};
use super::super::event::Event;
use super::super::pending::{Decision, Stage};
use super::super::refusal::Refusal;
use super::super::state::{Dice, Group, PointSource, State};
use super::{Answer, Deed, known, owned};
use crate::table::{Seat, Visit};

/// The group at this advisor whose turn it is, after so many were served: in turn order of the
/// owners, groups of one owner as placed. The envoy makes at most two of them (KIN-INV-5).
///
/// # Rule KIN-6.50
pub(in super::super) fn group_to_serve(
    state: &State,
    advisor: Advisor,
    served: u8,
) -> Option<&Group> {
    let here = state.groups.iter().filter(|group| group.advisor == advisor);
    let mut here: ArrayVec<&Group, 2> = here.take(2).collect();
    here.sort_by_key(|group| state.place_of(group.owner));
    here.get(usize::from(served)).copied()
}

/// Serves one group: the fixed help, then the choice, if there is one.
///
/// # Rule KIN-6.52, KIN-16.4
pub(in super::super) fn enter(
    state: &mut State,
    advisor: Advisor,
    served: u8,
    journal: &mut Log,
) -> ControlFlow<()> {
    let Some(group) = group_to_serve(state, advisor, served).copied() else {
        match advisor.next() {
            Some(advisor) => state.stage = Stage::Help { advisor, served: 0 },
            None => clear_court(state, journal),
        }
        return ControlFlow::Continue(());
    };
    give(state, group.owner, advisor, journal);
    peek(state, group.owner, advisor, journal);
    let asks = match advisor.help().choice {
        None => false,
        Some(Choice::OneOf { .. }) => true,
        // Without goods there is nothing to exchange (KIN-ADJ-16).
        Some(Choice::Exchange) => !state.players[group.owner].goods.is_none(),
    };
    if asks {
        return ControlFlow::Break(());
    }
    serve_next(state);
    ControlFlow::Continue(())
}

fn serve_next(state: &mut State) {
    if let Stage::Help { served, .. } = &mut state.stage {
        *served += 1;
    }
}

/// Books what the advisor gives without a choice; the Stable adds a soldier to soldiers.
///
/// # Rule KIN-6.52, KIN-6.53
fn give(state: &mut State, seat: Seat, advisor: Advisor, journal: &mut Log) {
    let help = advisor.help();
    let player = &mut state.players[seat];
    let stable = help.soldiers > 0 && player.has(Building::Stable);
    let soldiers = help.soldiers + u8::from(stable);
    player.goods = player.goods.plus(help.goods);
    player.plus2 += help.plus2;
    player.soldiers += u16::from(soldiers);
    player.score(PointSource::Advisors, i16::from(help.vp));
    if !help.goods.is_none() || help.vp + help.plus2 + soldiers > 0 {
        journal.event(Event::HelpGiven {
            seat,
            advisor,
            goods: help.goods,
            vp: help.vp,
            plus2: help.plus2,
            soldiers,
        });
    }
}

/// General and Queen show this year's enemy card to the owner of the group; it stays where it is.
///
/// # Rule KIN-6.54
fn peek(state: &mut State, seat: Seat, advisor: Advisor, journal: &mut Log) {
    if advisor.help().peek {
        state.peeked_by.insert(seat);
        journal.event(Event::EnemyPeeked {
            seat,
            advisor,
            year: state.year,
            card: Some(state.enemy()),
        });
    }
}

/// Dice go back to their players, used tokens to the supply.
///
/// # Rule KIN-6.56, KIN-16.6
fn clear_court(state: &mut State, journal: &mut Log) {
    state.groups.clear();
    state.neutral.clear();
    for seat in state.players.seats() {
        state.players[seat].dice = Dice::default();
    }
    journal.event(Event::CourtCleared);
    state.stage = super::build::turn(state, 0);
}

/// Lists the goods that the advisor offers, or the exchanges and `decline_exchange`.
pub(in super::super) fn candidates(
    state: &State,
    seat: Seat,
    advisor: Advisor,
    visit: &mut dyn FnMut(Action) -> Visit,
) -> Visit {
    match advisor.help().choice {
        None => ControlFlow::Continue(()),
        Some(Choice::OneOf { goods, .. }) => goods
            .iter()
            .try_for_each(|&good| visit(Action::ChooseHelpGood { good: Some(good) })),
        Some(Choice::Exchange) => {
            let held = state.players[seat].goods;
            for good in Good::ALL.into_iter().filter(|&good| held.amount(good) > 0) {
                visit(Action::AlchemistExchange { give: Some(good) })?;
            }
            visit(Action::DeclineExchange)
        }
    }
}

/// Judges the answer that this advisor asks for.
///
/// # Rule KIN-6.51
pub(in super::super) fn check(
    state: &State,
    seat: Seat,
    advisor: Advisor,
    action: &Action,
) -> Answer {
    match advisor.help().choice? {
        Choice::OneOf { amount, goods } => {
            let Action::ChooseHelpGood { good } = *action else {
                return None;
            };
            Some(
                check_offer(advisor, goods, good)
                    .map(|good| Deed::TakeHelp(Goods::of(good, amount))),
            )
        }
        Choice::Exchange => {
            if let Action::AlchemistExchange { give } = *action {
                let asked = Decision::HelpChoice { advisor };
                return Some(owned(state, seat, give, asked).map(Deed::Exchange));
            }
            matches!(action, Action::DeclineExchange).then_some(Ok(Deed::DeclineExchange))
        }
    }
}

fn check_offer(advisor: Advisor, offered: &[Good], good: Option<Good>) -> Result<Good, Refusal> {
    let good = known(good)?;
    if offered.contains(&good) {
        Ok(good)
    } else {
        Err(Refusal::GoodNotOffered { good, advisor })
    }
}

/// Takes what was chosen, all of one kind (KIN-ADJ-07).
pub(super) fn perform_choice(state: &mut State, seat: Seat, goods: Goods, journal: &mut Log) {
    let Stage::Help { advisor, .. } = state.stage else {
        return;
    };
    let player = &mut state.players[seat];
    player.goods = player.goods.plus(goods);
    journal.event(Event::HelpChosen {
        seat,
        advisor,
        goods,
    });
    serve_next(state);
}

/// One good goes, one of each other kind comes.
pub(super) fn perform_exchange(state: &mut State, seat: Seat, gave: Good, journal: &mut Log) {
    let gained = Goods::new(1, 1, 1).minus(Goods::of(gave, 1));
    let player = &mut state.players[seat];
    player.goods = player.goods.minus(Goods::of(gave, 1)).plus(gained);
    journal.event(Event::GoodExchanged { seat, gave, gained });
    serve_next(state);
}

/// Keeps the goods.
pub(super) fn perform_decline(state: &mut State, seat: Seat, journal: &mut Log) {
    journal.event(Event::ExchangeDeclined { seat });
    serve_next(state);
}
