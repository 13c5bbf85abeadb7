//! Dice are placed on advisors (KIN-6d, step INFLUENCE).

use std::ops::ControlFlow;

use crate::kingsburg::action::{Action, EnvoyUse, Influence, NamedDice};
use crate::kingsburg::data::{Advisor, Building, DiceSet, DieId, PLUS2_VALUE};
use crate::kingsburg::event::{Event, ShownDie};
use crate::kingsburg::refusal::{Refusal, RefusedAction};
use crate::kingsburg::stage::Stage;
use crate::kingsburg::state::{Envoy, ExecContext, Group, Player, State, bit};
use crate::table::{ActionEnumerator, Refusal as _, Seat, VisitFlow};

/// All advisors: bits 1 to 18.
const COURT: u64 = 0x7_FFFE;

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum ValidAction {
    Place(Placement),
    Pass,
}

/// A validated placement.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    advisor: Advisor,
    dice: DiceSet,
    plus2: u8,
    market_offset: i8,
    use_envoy: bool,
}

/// Continues round by round until everybody has passed or placed their own dice. A player who can place
/// nothing passes.
///
/// # Rule KIN-6.40, KIN-6.45
pub fn enter(ctx: &mut ExecContext<'_>, turn_index: u8) -> ControlFlow<()> {
    let state = &mut *ctx.state;
    let next = Stage::Influence {
        turn_index: state.next_turn_index(turn_index),
    };
    match state.seat_at(turn_index) {
        Some(seat) if !state.players[seat].influence_done => {
            if can_place(state, seat) {
                return ControlFlow::Break(());
            }
            ctx.execute_forced(seat, Action::PassInfluence, |ctx| pass(ctx, seat));
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

/// Returns whether there is any legal placement. One exists if some group can reach an advisor that is free or open to
/// the envoy.
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
        for plus2 in tokens(player, dice) {
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
    DieId::sets().filter(move |dice| dice.is_subset(pool) && !dice.is_disjoint(DieId::OWN))
}

/// The numbers of +2 tokens that may go with this group (KIN-7.31).
fn tokens(player: &Player, dice: DiceSet) -> impl Iterator<Item = u8> {
    (0..=player.plus2).take(dice.len() + 1)
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
pub fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let player = &state.players[seat];
    let occupied = state.occupied();
    for dice in groups(player) {
        for plus2 in tokens(player, dice) {
            for &offset in market_offsets(player) {
                let advisor = total(player, dice, plus2, offset);
                let Some(target) = Advisor::from_number(advisor) else {
                    continue;
                };
                let use_envoy = occupied & bit(target) != 0;
                if use_envoy && !state.envoy.opens_for(seat) {
                    continue;
                }
                list.visit(Action::Influence(Influence {
                    advisor,
                    dice: dice.into(),
                    plus2: u32::from(plus2),
                    market_offset: i32::from(offset),
                    use_envoy,
                }))?;
            }
        }
    }
    list.visit(Action::PassInfluence)
}

fn total(player: &Player, dice: DiceSet, plus2: u8, offset: i8) -> i32 {
    i32::from(player.dice.sum(dice)) + i32::from(PLUS2_VALUE * plus2) + i32::from(offset)
}

/// Judges `influence`: the fifteen checks, in order. The total must equal the advisor's number
/// (KIN-ADJ-01).
///
/// # Rule KIN-6.42
pub fn check(
    state: &State,
    seat: Seat,
    influence: &Influence,
) -> Result<ValidAction, RefusedAction> {
    let player = &state.players[seat];
    let dice = check_dice(player, influence.dice)?;
    let market_offset = check_market(player, influence.market_offset)?;
    let plus2 = check_plus2(player, dice, influence.plus2)?;
    let (advisor, use_envoy) = (influence.advisor, influence.use_envoy);
    let advisor = Advisor::from_number(advisor)
        .ok_or(Refusal::AdvisorOutOfRange { advisor }.citing("KIN-6.42"))?;
    let total = total(player, dice, plus2, market_offset);
    if total != influence.advisor {
        return Err(Refusal::SumMismatch { total, advisor }.citing("KIN-6.42"));
    }
    let occupied = state.occupied() & bit(advisor) != 0;
    let refusal = match (occupied, use_envoy) {
        (false, true) => Refusal::EnvoyNotNeeded { advisor },
        (true, false) => Refusal::AdvisorOccupied { advisor },
        (true, true) if !state.envoy.opens_for(seat) => Refusal::EnvoyNotAvailable,
        (true, true) | (false, false) => {
            return Ok(ValidAction::Place(Placement {
                advisor,
                dice,
                plus2,
                market_offset,
                use_envoy,
            }));
        }
    };
    Err(refusal.citing("KIN-6.42"))
}

/// Runs checks 1 to 5: known, distinct, available dice, including an own one.
fn check_dice(player: &Player, named_dice: NamedDice) -> Result<DiceSet, RefusedAction> {
    let NamedDice {
        named,
        repeated,
        unknown,
    } = named_dice;
    let first = |dice: DiceSet| dice.iter().next().map(DieId::number);
    let stranger = first(named - player.dice.rolled()).map(u32::from);
    let refusal = if named_dice.is_empty() {
        Refusal::EmptyDiceSet
    } else if let Some(die) = stranger.or(unknown) {
        Refusal::UnknownDie { die }
    } else if let Some(die) = first(repeated) {
        Refusal::DuplicateDie { die }
    } else if let Some(die) = first(named - player.dice.pool()) {
        Refusal::DieNotAvailable { die }
    } else if named.is_disjoint(DieId::OWN) {
        Refusal::WhiteDiceOnly
    } else {
        return Ok(named);
    };
    Err(refusal.citing("KIN-6.42"))
}

/// Runs checks 6 to 8: an offset of one, from a Market not yet used this season.
///
/// # Rule KIN-7.6
fn check_market(player: &Player, offset: i32) -> Result<i8, RefusedAction> {
    let market_offset = offset;
    let valid = match offset {
        0 => return Ok(0),
        -1 => -1,
        1 => 1,
        _ => return Err(Refusal::InvalidMarketOffset { market_offset }.citing("KIN-6.42")),
    };
    if !player.has(Building::Market) {
        return Err(Refusal::MarketNotOwned.citing("KIN-6.42"));
    }
    if player.market_used {
        return Err(Refusal::MarketAlreadyUsed.citing("KIN-6.42"));
    }
    Ok(valid)
}

/// Runs checks 9 and 10: no more tokens than dice, and no more than in hand.
///
/// # Rule KIN-7.31
fn check_plus2(player: &Player, dice: DiceSet, plus2: u32) -> Result<u8, RefusedAction> {
    let (dice, owned) = (dice.len(), player.plus2);
    match u8::try_from(plus2) {
        Ok(tokens) if usize::from(tokens) > dice => {
            Err(Refusal::Plus2ExceedsDice { plus2, dice }.citing("KIN-6.42"))
        }
        Err(_) => Err(Refusal::Plus2ExceedsDice { plus2, dice }.citing("KIN-6.42")),
        Ok(tokens) if tokens > owned => {
            Err(Refusal::NotEnoughPlus2 { plus2, owned }.citing("KIN-6.42"))
        }
        Ok(tokens) => Ok(tokens),
    }
}

pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: ValidAction) {
    match valid_action {
        ValidAction::Place(placement) => place(ctx, seat, placement),
        ValidAction::Pass => pass(ctx, seat),
    }
}

/// Puts dice and tokens on the advisor. A player without an own die left is done, and their white dice are lost for the
/// season.
///
/// # Rule KIN-6.43, KIN-6.44
fn place(ctx: &mut ExecContext<'_>, seat: Seat, placement: Placement) {
    let Placement {
        advisor,
        dice,
        plus2,
        market_offset,
        use_envoy,
    } = placement;
    ctx.state.groups.push(Group {
        owner: seat,
        advisor,
        dice,
        plus2,
        market_offset,
        via_envoy: use_envoy,
    });
    let player = &mut ctx.state.players[seat];
    player.plus2 -= plus2;
    player.market_used |= market_offset != 0;
    player.dice.placed |= dice;
    player.influence_done = player.dice.pool().is_disjoint(DieId::OWN);
    if use_envoy {
        ctx.state.envoy = Envoy::Declared {
            by: seat,
            purpose: EnvoyUse::Advisor,
            spent: true,
        };
    }
    ctx.emit(Event::AdvisorInfluenced {
        seat,
        advisor,
        dice,
        plus2,
        market_offset,
        use_envoy,
    });
    let rolled = &ctx.state.players[seat].dice;
    let dice = dice.iter().map(|die| ShownDie {
        die,
        value: rolled.face(die),
    });
    let dice = dice.collect();
    ctx.emit(Event::DicePlaced {
        seat,
        advisor,
        dice,
    });
    next_player(ctx.state, seat);
}

/// Passes for the rest of the season (KIN-ADJ-14).
///
/// # Rule KIN-6.45
fn pass(ctx: &mut ExecContext<'_>, seat: Seat) {
    ctx.state.players[seat].influence_done = true;
    ctx.emit(Event::InfluencePassed { seat });
    next_player(ctx.state, seat);
}

fn next_player(state: &mut State, seat: Seat) {
    let place = state.next_turn_index(state.turn_index_of(seat));
    state.stage = Stage::Influence { turn_index: place };
}
