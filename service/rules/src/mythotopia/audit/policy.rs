//! A policy that brings games to their end: it builds, is a patron, fights wars that it can win,
//! ends them, and ends the game as soon as it may. One move in seven is any legal one.

use crate::mythotopia::action::{Action, Named};
use crate::mythotopia::data::{Card, CardKind, PointCard, Province, Stack};
use crate::mythotopia::stage::Side;
use crate::mythotopia::state::State;
use crate::mythotopia::state::strongest;
use crate::table::{Chance, Seat};

const ANY_MOVE: u8 = 7;

pub(crate) fn choose(state: &State, seat: Seat, legal: &[Action], chance: &mut Chance) -> usize {
    let random = chance.roll("policy", None, ANY_MOVE, 1) == [1];
    let noise = chance.roll("policy", None, 100, legal.len());
    let worth = |(place, action): (usize, &Action)| {
        let noise = 50 + u32::from(noise[place]);
        let worth = if random {
            1
        } else {
            worth(state, seat, action)
        };
        (worth * noise, place)
    };
    let best = legal.iter().enumerate().map(worth).max();
    drop(chance.take_record());
    best.map_or(0, |(_, place)| place)
}

/// How much a move helps to end the game. More is better.
fn worth(state: &State, seat: Seat, action: &Action) -> u32 {
    use Action as A;
    match action {
        A::EndGame => 100_000,
        A::EndWar { province, .. } => end_war(state, seat, *province),
        A::BuildCity { .. } => stack(state, Stack::City),
        A::BuildCastle { .. } => stack(state, Stack::Castle),
        A::BuildRoad { .. } => stack(state, Stack::Road),
        A::Patronage { .. } => 700,
        A::Invade(invasion) => invade(state, seat, invasion.target),
        A::PlaceArmies { province, .. } => reinforce(state, seat, *province),
        A::BuyUnits { armies, .. } => 40 + 20 * u32::from(*armies),
        A::DraftCard { .. } => 120u32.saturating_sub(6 * owned(state, seat)),
        A::ReserveCards { cards } => reserve(cards),
        A::DiscardCards { .. } => 60,
        A::PlaceShips { .. } if state.in_play.contains(PointCard::MasterOfTheSeas) => 150,
        A::UseProvidence { .. } | A::UseMilitia { .. } | A::UseCounsellor { .. } => 100,
        A::EndTurn | A::UseMystic { .. } | A::UseMercenary { .. } | A::UsePhilosopher { .. } => 60,
        A::PlaceShips { .. } | A::RemoveCards { .. } | A::WarehouseStore { .. } => 20,
        A::RemoveArmies { .. }
        | A::RemoveShips { .. }
        | A::UseDiplomat { .. }
        | A::UseAlchemist { .. }
        | A::MoveArmiesByRoad { .. }
        | A::UseMarauders { .. }
        | A::Pass
        | A::SetupDiscardProvinces { .. }
        | A::SetupPlaceCitadel { .. }
        | A::ChooseTokenSource { .. }
        | A::ChoosePhilosopherCard { .. } => 8,
    }
}

fn stack(state: &State, stack: Stack) -> u32 {
    if state.tokens[stack.index()] > 0 {
        800
    } else {
        20
    }
}

fn owned(state: &State, seat: Seat) -> u32 {
    u32::try_from(state.players[seat].total()).unwrap_or(u32::MAX)
}

fn end_war(state: &State, seat: Seat, province: Named<Province>) -> u32 {
    let Some(province) = province else { return 0 };
    let wins = strongest(&state.strengths(province)).as_slice() == [Side::Player(seat)];
    if wins { 900 } else { 4 }
}

/// Armies of the seat that could stand in a province, less what it takes to win there.
fn surplus(state: &State, seat: Seat, province: Province) -> i32 {
    let own = Side::Player(seat);
    let strengths = state.strengths(province);
    let of = |mine: bool| {
        let side = strengths.iter().filter(move |s| (s.side == own) == mine);
        side.map(|s| i32::from(s.strength)).max().unwrap_or(0)
    };
    of(true) + i32::from(state.players[seat].stock.armies) - of(false)
}

fn invade(state: &State, seat: Seat, target: Named<Province>) -> u32 {
    let Some(target) = target else { return 0 };
    match surplus(state, seat, target) {
        ..=0 => 4,
        1..=2 => 200,
        3.. => 300,
    }
}

fn reinforce(state: &State, seat: Seat, province: Named<Province>) -> u32 {
    let Some(province) = province else { return 0 };
    let wins = strongest(&state.strengths(province)).as_slice() == [Side::Player(seat)];
    if !state.at_war(province) || wins {
        6
    } else if surplus(state, seat, province) > 0 {
        500
    } else {
        30
    }
}

/// Improvements without symbols are better off in the reserve.
fn reserve(cards: &[Named<Card>]) -> u32 {
    let lasting = cards.iter().flatten().any(|card| match card.kind() {
        CardKind::Improvement(improvement) => !improvement.symbols().has_resource(),
        CardKind::Start(..) | CardKind::Province(_) => false,
    });
    if lasting { 90 } else { 10 }
}
