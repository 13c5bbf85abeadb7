//! The **evaluation function** of bots, and their rating of moves: build, be a patron, fight wars that can be won, end
//! them, and end the game as soon as that wins it.

use super::Mythotopia;
use super::action::{Action, Invasion};
use super::data::{Card, CardKind, Island, PointCard, Province, Stack};
use super::stage::Side;
use super::state::{Citadel, State, strongest};
use crate::bots::{Effort, Heuristics};
use crate::table::{Chance, MaybeKnown, Seat};

const POINT: i32 = 10;

impl Heuristics for Mythotopia {
    const HORIZON: u32 = 40;

    const LEVELS: [Effort; 3] = [
        Effort::of(6, Self::WIDTH, Self::HORIZON),
        Effort::of(16, Self::WIDTH, Self::HORIZON),
        Effort::of(36, Self::WIDTH, Self::HORIZON),
    ];

    /// Only a player who wins can end a game.
    const EPSILON_ONE_IN: usize = 12;

    /// A deck without gold can draft nothing any more.
    const AVOIDED_KINDS: &'static [&'static str] = &["remove_cards"];

    /// Lists of cards to discard and of armies to move are long and seldom matter.
    const PLAYOUT_KINDS: &'static [&'static str] = &[
        "setup_discard_provinces",
        "setup_place_citadel",
        "invade",
        "place_armies",
        "place_ships",
        "end_war",
        "buy_units",
        "draft_card",
        "reserve_cards",
        "build_city",
        "build_castle",
        "build_road",
        "patronage",
        "pass_turn",
        "end_game",
        "use_militia",
        "use_providence",
        "end_turn",
        "choose_token_source",
        "choose_philosopher_card",
    ];

    fn players(state: &State) -> usize {
        state.seats()
    }

    fn ends(action: &Action) -> bool {
        *action == Action::EndGame
    }

    /// The sum of points, wars by their expected winners, cards and pieces.
    fn evaluate(state: &State, seat: Seat) -> i32 {
        let player = &state.players[seat];
        let provinces = POINT * i32::from(state.province_points(seat));
        let tokens = POINT * i32::from(state.token_points(seat));
        let wars = state
            .wars()
            .iter()
            .map(|province| war(state, seat, province));
        let wars: i32 = wars.sum();
        let pieces = i32::from(player.stock.armies) + 2 * i32::from(player.stock.ships);
        let cards = i32::try_from(player.total()).unwrap_or(0).min(14);
        let hand = i32::try_from(player.hand.len()).unwrap_or(0);
        provinces + tokens + wars + 2 * pieces + 2 * cards + hand
    }

    /// Rates a move by its purpose, since a single action rarely gains anything here.
    fn greedy_score(state: &State, seat: Seat, action: &Action, luck: &Chance) -> i32 {
        Self::prior(state, seat, action, luck)
    }

    fn prior(state: &State, seat: Seat, action: &Action, _luck: &Chance) -> i32 {
        let eager =
            foresight(state, seat, action).unwrap_or_else(|| eagerness(state, seat, action));
        i32::try_from(eager).unwrap_or(0)
    }
}

/// The minimum number of towns in stock for a player who conquers any weak province.
const SPARE_TOWNS: u8 = 3;

/// Rates moves with an aim that eagerness ignores: point cards that nobody can empty any more keep a game from its end.
/// Cities and roads are few, and so are the towns that a conqueror needs (MYT-6.7.2).
fn foresight(state: &State, seat: Seat, action: &Action) -> Option<u32> {
    use Action as A;
    if let A::BuildCity {
        guild_gold: extra, ..
    }
    | A::BuildRoad {
        inn_gold: extra, ..
    } = action
    {
        return (!extra.is_empty()).then_some(850);
    }
    if let A::EndWar { province, .. } = action {
        return surrender(state, seat, (*province)?);
    }
    if let A::PlaceArmies { province, .. }
    | A::Invade(Invasion {
        target: province, ..
    }) = action
    {
        return conquest(state, seat, (*province)?);
    }
    None
}

/// Rates a conquest. The last towns are for conquests that bring a token. Without towns, war is of no use at all: the
/// provinces at stake are better lost.
fn conquest(state: &State, seat: Seat, province: Province) -> Option<u32> {
    let towns = state.town_stock(seat);
    if state.players[seat].controls(province) {
        return (towns == 0 && state.at_war(province)).then_some(6);
    }
    let wins = strongest(&state.strengths(province)).as_slice() == [Side::Player(seat)];
    if towns > 0 && brings_token(state, seat, province) {
        return (!wins && surplus(state, seat, province) > 0).then_some(700);
    }
    (towns < SPARE_TOWNS).then_some(4)
}

/// Rates the end of a war that a player without towns loses: it returns a town to them, or a city (MYT-10.1).
fn surrender(state: &State, seat: Seat, province: Province) -> Option<u32> {
    if state.town_stock(seat) > 0 {
        return None;
    }
    let winners = strongest(&state.strengths(province));
    let loses = matches!(winners.as_slice(), &[winner] if winner != Side::Player(seat));
    Some(if loses && state.players[seat].controls(province) {
        600
    } else {
        4
    })
}

/// Returns whether the conquest of a province brings a token, or leads to one.
fn brings_token(state: &State, seat: Seat, province: Province) -> bool {
    let left =
        |stack: Stack| state.in_play.contains(stack.card()) && state.tokens[stack.index()] > 0;
    let island = match province.row().island {
        Some(Island::Large) => left(Stack::LargeIsland),
        Some(Island::Small) => left(Stack::SmallIsland),
        None => false,
    };
    let taken = state.controller(province).filter(|&other| other != seat);
    let citadel = taken.is_some_and(|other| state.players[other].citadel == Citadel::At(province));
    island
        || state.dragons.contains(province) && left(Stack::HereBeDragons)
        || state.runestones.contains(province) && left(Stack::Runestones)
        || taken.is_some() && left(Stack::SpoilsOfWar)
        || citadel && left(Stack::Citadel)
}

/// The expected gain of a war for a side of it.
fn war(state: &State, seat: Seat, province: Province) -> i32 {
    let strengths = state.strengths(province);
    let own = Side::Player(seat);
    let Some(mine) = strengths.iter().find(|one| one.side == own) else {
        return 0;
    };
    let wins = strongest(&strengths).as_slice() == [own];
    match (wins, state.players[seat].controls(province)) {
        (true, true) => 5,
        (false, true) => -20,
        (true, false) => 14,
        (false, false) => (3 * i32::from(mine.strength)).min(10),
    }
}

/// The contribution of a move to the end of the game. More is better.
pub fn eagerness(state: &State, seat: Seat, action: &Action) -> u32 {
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
        A::BuyUnits { armies, .. } => 40 + 20 * *armies,
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
        | A::PassTurn
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

fn end_war(state: &State, seat: Seat, province: MaybeKnown<Province>) -> u32 {
    let Some(province) = province else { return 0 };
    let wins = strongest(&state.strengths(province)).as_slice() == [Side::Player(seat)];
    if wins { 900 } else { 4 }
}

/// The armies of the seat that could stand in a province, less the number needed to win there.
fn surplus(state: &State, seat: Seat, province: Province) -> i32 {
    let own = Side::Player(seat);
    let strengths = state.strengths(province);
    let of = |mine: bool| {
        let side = strengths.iter().filter(move |s| (s.side == own) == mine);
        side.map(|s| i32::from(s.strength)).max().unwrap_or(0)
    };
    of(true) + i32::from(state.players[seat].stock.armies) - of(false)
}

fn invade(state: &State, seat: Seat, target: MaybeKnown<Province>) -> u32 {
    let Some(target) = target else { return 0 };
    match surplus(state, seat, target) {
        ..=0 => 4,
        1..=2 => 200,
        3.. => 300,
    }
}

fn reinforce(state: &State, seat: Seat, province: MaybeKnown<Province>) -> u32 {
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

/// Rates cards to reserve: improvements without symbols are better off in the reserve.
fn reserve(cards: &[MaybeKnown<Card>]) -> u32 {
    let lasting = cards.iter().flatten().any(|card| match card.kind() {
        CardKind::Improvement(improvement) => !improvement.symbols().has_resource(),
        CardKind::Start(..) | CardKind::Province(_) => false,
    });
    if lasting { 90 } else { 10 }
}
