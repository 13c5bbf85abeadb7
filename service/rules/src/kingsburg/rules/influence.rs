//! Dice are placed on advisors (KIN-6.4, step INFLUENCE).

use std::ops::ControlFlow;

use super::super::Log;
use super::super::action::{Action, Influence, NamedDice};
use super::super::data::{Advisor, Building, DiceSet, PLUS2_VALUE};
use super::super::event::Event;
use super::super::pending::{Decision, Stage};
use super::super::refusal::Refusal;
use super::super::state::{Envoy, Group, Player, State, bit};
use super::{Answer, Decided, Deed};
use crate::table::{Seat, Visit};

/// All advisors: bits 1 to 18.
const COURT: u64 = 0x7_FFFE;

/// A placement that was allowed.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Placement {
    advisor: Advisor,
    dice: DiceSet,
    plus2: u8,
    market_offset: i8,
    via_envoy: bool,
}

/// Goes round until everybody has passed or placed his own dice. Who can place nothing passes.
///
/// # Rule KIN-6.40, KIN-6.45
pub(in super::super) fn enter(state: &mut State, place: u8, journal: &mut Log) -> ControlFlow<()> {
    let next = Stage::Influence {
        place: state.place_after(place),
    };
    match state.at(place) {
        Some(seat) if !state.players[seat].influence_done => {
            if can_place(state, seat) {
                return ControlFlow::Break(());
            }
            journal.automatic(seat, Action::PassInfluence);
            perform_pass(state, seat, Decided::Auto, journal);
        }
        Some(_) if state.players.iter().any(|player| !player.influence_done) => state.stage = next,
        Some(_) | None => {
            state.stage = Stage::Help {
                advisor: Advisor::Jester,
                served: 0,
            }
        }
    }
    ControlFlow::Continue(())
}

/// Is there any legal placement? Every advisor that some group can reach, and that is free or open
/// to the envoy.
fn can_place(state: &State, seat: Seat) -> bool {
    let player = &state.players[seat];
    let reach = reach(player);
    let open = if state.envoy.opens_for(seat) {
        COURT
    } else {
        COURT & !state.occupied()
    };
    reach & open != 0
}

/// The totals that groups of this player can have: bit n for total n.
fn reach(player: &Player) -> u64 {
    let mut totals = 0;
    for dice in groups(player) {
        let sum = player.dice.sum(dice);
        for plus2 in 0..=most_plus2(player, dice) {
            totals |= 1_u64 << (sum + PLUS2_VALUE * plus2);
        }
    }
    if market_offsets(player).len() > 1 {
        totals |= totals << 1 | totals >> 1;
    }
    totals
}

/// The sets of dice that may go together to an advisor.
fn groups(player: &Player) -> impl Iterator<Item = DiceSet> {
    let pool = player.dice.pool();
    DiceSet::all().filter(move |dice| dice.is_within(pool) && !dice.common(DiceSet::OWN).is_empty())
}

/// The most +2 tokens for this group (KIN-7.31).
fn most_plus2(player: &Player, dice: DiceSet) -> u8 {
    dice.count().min(player.plus2)
}

/// The offsets that the Market allows now (KIN-7.6).
fn market_offsets(player: &Player) -> &'static [i8] {
    if player.has(Building::Market) && !player.market_used {
        &[-1, 0, 1]
    } else {
        &[0]
    }
}

/// Lists `influence` for every set of dice, ids ascending, with every number of tokens and every
/// offset that reaches an open advisor; then `pass_influence`.
///
/// # Rule KIN-6.120, KIN-16.3
pub(in super::super) fn candidates(
    state: &State,
    seat: Seat,
    visit: &mut dyn FnMut(Action) -> Visit,
) -> Visit {
    let player = &state.players[seat];
    let occupied = state.occupied();
    for dice in groups(player) {
        for plus2 in 0..=most_plus2(player, dice) {
            for &offset in market_offsets(player) {
                let advisor = total(player, dice, plus2, offset);
                let Some(target) = Advisor::from_number(advisor) else {
                    continue;
                };
                let use_envoy = occupied & bit(target) != 0;
                if use_envoy && !state.envoy.opens_for(seat) {
                    continue;
                }
                visit(Action::Influence(Influence {
                    advisor,
                    dice: dice.into(),
                    plus2: u32::from(plus2),
                    market_offset: i32::from(offset),
                    use_envoy,
                }))?;
            }
        }
    }
    visit(Action::PassInfluence)
}

fn total(player: &Player, dice: DiceSet, plus2: u8, offset: i8) -> i32 {
    i32::from(player.dice.sum(dice)) + i32::from(PLUS2_VALUE * plus2) + i32::from(offset)
}

/// Judges `influence` and `pass_influence`.
pub(in super::super) fn check(state: &State, seat: Seat, action: &Action) -> Answer {
    if let Action::Influence(asked) = action {
        return Some(check_placement(state, seat, asked).map(Deed::Place));
    }
    matches!(action, Action::PassInfluence).then_some(Ok(Deed::PassInfluence))
}

/// The fifteen checks, in order. The total must equal the advisor's number (KIN-ADJ-01).
///
/// # Rule KIN-6.42
fn check_placement(state: &State, seat: Seat, asked: &Influence) -> Result<Placement, Refusal> {
    let player = &state.players[seat];
    let dice = check_dice(player, asked.dice)?;
    let market_offset = check_market(player, asked.market_offset)?;
    let plus2 = check_plus2(player, dice, asked.plus2)?;
    let advisor =
        Advisor::from_number(asked.advisor).ok_or(Refusal::AdvisorOutOfRange(asked.advisor))?;
    let total = total(player, dice, plus2, market_offset);
    if total != asked.advisor {
        return Err(Refusal::SumMismatch { total, advisor });
    }
    let occupied = state.occupied() & bit(advisor) != 0;
    match (occupied, asked.use_envoy) {
        (false, true) => return Err(Refusal::EnvoyNotNeeded(advisor)),
        (true, false) => return Err(Refusal::AdvisorOccupied(advisor)),
        (true, true) if !state.envoy.opens_for(seat) => return Err(Refusal::EnvoyNotAvailable),
        (true, true) | (false, false) => {}
    }
    Ok(Placement {
        advisor,
        dice,
        plus2,
        market_offset,
        via_envoy: asked.use_envoy,
    })
}

/// Checks 1 to 5: known, distinct, available dice, an own one among them.
fn check_dice(player: &Player, asked: NamedDice) -> Result<DiceSet, Refusal> {
    if asked.is_empty() {
        return Err(Refusal::EmptyDiceSet);
    }
    let stranger = asked.named.without(player.dice.rolled()).first();
    let stranger = stranger
        .map(|die| u32::from(die.number()))
        .or(asked.unknown);
    if let Some(die) = stranger {
        return Err(Refusal::UnknownDie {
            die,
            decision: Decision::Influence,
        });
    }
    if let Some(die) = asked.repeated.first() {
        return Err(Refusal::DuplicateDie(die.number()));
    }
    if let Some(die) = asked.named.without(player.dice.pool()).first() {
        return Err(Refusal::DieNotAvailable(die.number()));
    }
    if asked.named.common(DiceSet::OWN).is_empty() {
        return Err(Refusal::WhiteDiceOnly);
    }
    Ok(asked.named)
}

/// Checks 6 to 8: an offset of one, from a Market not yet used this season.
///
/// # Rule KIN-7.6
fn check_market(player: &Player, offset: i32) -> Result<i8, Refusal> {
    let valid = match offset {
        0 => return Ok(0),
        -1 => -1,
        1 => 1,
        _ => return Err(Refusal::InvalidMarketOffset(offset)),
    };
    if !player.has(Building::Market) {
        return Err(Refusal::MarketNotOwned);
    }
    if player.market_used {
        return Err(Refusal::MarketAlreadyUsed);
    }
    Ok(valid)
}

/// Checks 9 and 10: not more tokens than dice, and not more than in hand.
///
/// # Rule KIN-7.31
fn check_plus2(player: &Player, dice: DiceSet, asked: u32) -> Result<u8, Refusal> {
    let count = dice.count();
    match u8::try_from(asked) {
        Ok(plus2) if plus2 <= count => {
            let held = player.plus2;
            let enough = plus2 <= held;
            enough
                .then_some(plus2)
                .ok_or(Refusal::NotEnoughPlus2 { plus2: asked, held })
        }
        Ok(_) | Err(_) => Err(Refusal::Plus2ExceedsDice {
            plus2: asked,
            dice: count,
        }),
    }
}

/// Dice and tokens go to the advisor. Without an own die left the player is done, and his white
/// dice are lost for the season.
///
/// # Rule KIN-6.43, KIN-6.44
pub(super) fn perform(state: &mut State, seat: Seat, placement: Placement, journal: &mut Log) {
    let Placement {
        advisor,
        dice,
        plus2,
        market_offset,
        via_envoy,
    } = placement;
    state.groups.push(Group {
        owner: seat,
        advisor,
        dice,
        plus2,
        market_offset,
        via_envoy,
    });
    let player = &mut state.players[seat];
    player.plus2 -= plus2;
    player.market_used |= market_offset != 0;
    player.dice.placed = player.dice.placed.with(dice);
    player.influence_done = player.dice.pool().common(DiceSet::OWN).is_empty();
    if via_envoy && let Envoy::Declared { spent, .. } = &mut state.envoy {
        *spent = true;
    }
    journal.event(Event::AdvisorInfluenced {
        seat,
        advisor,
        dice,
        plus2,
        market_offset,
        use_envoy: via_envoy,
    });
    next_player(state, seat);
}

/// A pass is final for the season (KIN-ADJ-14).
///
/// # Rule KIN-6.45
pub(super) fn perform_pass(state: &mut State, seat: Seat, decided: Decided, journal: &mut Log) {
    state.players[seat].influence_done = true;
    journal.event(Event::InfluencePassed {
        seat,
        auto: decided.is_auto(),
    });
    next_player(state, seat);
}

fn next_player(state: &mut State, seat: Seat) {
    let place = state.place_after(state.place_of(seat));
    state.stage = Stage::Influence { place };
}
