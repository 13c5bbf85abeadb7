//! Actions that the conformance suite must try: the near misses that it makes of listed actions show only one way to
//! pay.

use std::ops::ControlFlow;

use crate::mythotopia::action::{Action, Invasion, Origin, RoadMove, Route, SymbolPlay};
use crate::mythotopia::data::{Card, CardSet, Converter, Improvement, Province, Sea, Symbol};
use crate::mythotopia::legal;
use crate::mythotopia::state::State;
use crate::table::{ActionEnumerator, Detail, Kind, MaybeKnown, Seat, Wanted};

/// The number of ways to pay sampled for each kind.
const SAMPLES: usize = 12;

pub fn universe(state: &State, seat: Seat) -> Vec<Action> {
    let mut actions = samples(state, seat);
    let spoiled: Vec<Action> = actions.iter().flat_map(spoil).collect();
    actions.extend(spoiled);
    actions.extend(plain());
    actions.extend(per_province(state, seat));
    actions.extend(per_card(state, seat));
    actions.extend(buildings(state, seat));
    actions.extend(sailing(state, seat));
    actions
}

/// Lists candidates: a few of every kind, from all over the list.
fn samples(state: &State, seat: Seat) -> Vec<Action> {
    let mut actions: Vec<Action> = Vec::new();
    let (mut seen, mut kind, mut taken) = (0_usize, "", 0);
    let mut take = |action: Action| {
        if action.kind() != kind {
            (kind, taken, seen) = (action.kind(), 0, 0);
        }
        seen += 1;
        // The first ones, then increasingly rare ones, so that the end of a long list is sampled too.
        if taken < SAMPLES && seen.is_power_of_two() {
            taken += 1;
            actions.push(action);
        }
        if seen > 5_000 {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    let mut list =
        ActionEnumerator::new(Action::kind, &mut take).filtered(Wanted::all(Detail::AllPayments));
    let _end = legal::candidates(state, seat, &mut list);
    actions
}

/// Returns copies of the action with invalid payments.
fn spoil(action: &Action) -> Vec<Action> {
    let mut spoiled = Vec::new();
    let mut with = |change: &dyn Fn(&mut Vec<SymbolPlay>)| {
        let mut other = action.clone();
        if let Some(plays) = payment(&mut other) {
            change(plays);
            spoiled.push(other);
        }
    };
    with(&Vec::clear);
    with(&|plays| plays.extend(plays.clone()));
    with(&|plays| plays.iter_mut().for_each(|play| play.card = None));
    with(&|plays| {
        for play in plays {
            play.merchant = Some(Some(Card::improvement(Improvement::Merchant)));
        }
    });
    with(&|plays| {
        for play in plays {
            play.via = Some(Some(Converter::Farming));
        }
    });
    spoiled
}

fn payment(action: &mut Action) -> Option<&mut Vec<SymbolPlay>> {
    use Action as A;
    match action {
        A::Invade(invasion) => Some(&mut invasion.food),
        A::PlaceArmies { armies: plays, .. }
        | A::PlaceShips { ships: plays, .. }
        | A::BuyUnits { gold: plays, .. }
        | A::DraftCard { gold: plays, .. }
        | A::BuildCity { stone: plays, .. }
        | A::BuildCastle { stone: plays, .. }
        | A::BuildRoad { stone: plays, .. }
        | A::UseDiplomat { gold: plays, .. }
        | A::Patronage { gold: plays }
        | A::UseMercenary { gold: plays, .. }
        | A::UseMystic { gold: plays, .. } => Some(plays),
        A::SetupDiscardProvinces { .. }
        | A::SetupPlaceCitadel { .. }
        | A::RemoveArmies { .. }
        | A::RemoveShips { .. }
        | A::EndWar { .. }
        | A::ReserveCards { .. }
        | A::DiscardCards { .. }
        | A::RemoveCards { .. }
        | A::UseAlchemist { .. }
        | A::PassTurn
        | A::EndGame
        | A::MoveArmiesByRoad { .. }
        | A::WarehouseStore { .. }
        | A::UseCounsellor { .. }
        | A::UseMarauders { .. }
        | A::UseMilitia { .. }
        | A::UsePhilosopher { .. }
        | A::UseProvidence { .. }
        | A::EndTurn
        | A::ChooseTokenSource { .. }
        | A::ChoosePhilosopherCard { .. } => None,
    }
}

/// Lists actions without cards, and misspelled ones.
fn plain() -> Vec<Action> {
    let mut actions = vec![
        Action::PassTurn,
        Action::EndGame,
        Action::EndTurn,
        Action::SetupDiscardProvinces { cards: vec![None] },
        Action::ChooseTokenSource { source: None },
        Action::Patronage { gold: Vec::new() },
        Action::BuyUnits {
            armies: 1,
            ships: 0,
            gold: Vec::new(),
        },
    ];
    actions.extend(Sea::ALL.iter().map(|&sea| Action::RemoveShips {
        sea: Some(sea),
        count: 1,
    }));
    actions
}

fn per_province(state: &State, seat: Seat) -> Vec<Action> {
    let mut actions = Vec::new();
    let hero = Some(Some(Card::improvement(Improvement::Hero)));
    for target in Province::ALL {
        let province = Some(target);
        actions.push(Action::EndWar {
            province,
            hero: None,
        });
        actions.push(Action::EndWar { province, hero });
        actions.push(Action::RemoveArmies {
            province,
            armies: 1,
            mercenaries: 0,
        });
        actions.push(Action::SetupPlaceCitadel { province });
        actions.push(Action::UseDiplomat {
            card: Some(Card::improvement(Improvement::Diplomat)),
            province,
            gold: cheapest(state, seat, Symbol::Gold),
        });
        let to = target.neighbors().iter().next();
        let step = RoadMove {
            from_province: province,
            to_province: to,
            count: 1,
        };
        actions.push(Action::MoveArmiesByRoad { moves: vec![step] });
        actions.push(invasion(state, seat, target, Route::Land));
    }
    actions
}

/// Lists cities, castles and roads without stone wherever a site card of the hand can be used, even where one is
/// already built: the place is judged before the price.
fn buildings(state: &State, seat: Seat) -> Vec<Action> {
    let player = &state.players[seat];
    let build_card = player.playable().iter().find(|card| card.is_build());
    let Some(build_card) = build_card.map(Some) else {
        return Vec::new();
    };
    let (stone, none) = (Vec::new(), Vec::new());
    let mut actions = Vec::new();
    for place in player.hand.iter().filter_map(Card::as_province) {
        let (site_card, province) = (Some(Card::province(place)), Some(place));
        actions.push(Action::BuildCity {
            build_card,
            site_card,
            province,
            stone: stone.clone(),
            guild_gold: none.clone(),
        });
        actions.push(Action::BuildCastle {
            build_card,
            site_card,
            province,
            stone: stone.clone(),
        });
        actions.extend(place.neighbors().iter().map(|other| Action::BuildRoad {
            build_card,
            site_card,
            a: province,
            b: Some(other),
            stone: stone.clone(),
            inn_gold: none.clone(),
        }));
    }
    actions
}

/// Lists ships on every sea, and invasions over every sea without a ship, and over all.
fn sailing(state: &State, seat: Seat) -> Vec<Action> {
    let ships = cheapest(state, seat, Symbol::Ship);
    let mut actions = Vec::new();
    for (index, &area) in Sea::ALL.iter().enumerate() {
        let (sea, ships) = (Some(area), ships.clone());
        actions.push(Action::PlaceShips { sea, ships });
        let route = Route::Sea { areas: vec![sea] };
        let target = Province::ALL[index * Province::ALL.len() / Sea::ALL.len()];
        actions.push(invasion(state, seat, target, route));
    }
    let areas = Sea::ALL.map(Some).to_vec();
    let route = Route::Sea { areas };
    actions.push(invasion(state, seat, Province::ALL[0], route));
    actions
}

/// An invasion with the first cards of each kind, over any border.
fn invasion(state: &State, seat: Seat, target: Province, route: Route) -> Action {
    let card = state.players[seat].hand.iter().find_map(Card::as_province);
    Action::Invade(Invasion {
        target: Some(target),
        origin: Origin::Site {
            card: card.map(Card::province),
            province: card,
        },
        route: Some(route),
        armies: cheapest(state, seat, Symbol::Army),
        food: cheapest(state, seat, Symbol::Food),
        transport: Vec::new(),
    })
}

/// The first card with this symbol.
fn cheapest(state: &State, seat: Seat, symbol: Symbol) -> Vec<SymbolPlay> {
    let cards = state.players[seat].playable();
    let shows = |card: &Card| card.symbols().count(symbol) > 0;
    let card = cards.iter().find(shows);
    let play = |card| SymbolPlay {
        card: Some(card),
        symbol: Some(symbol),
        via: None,
        merchant: None,
        water_mill: None,
    };
    card.map(play).into_iter().collect()
}

fn per_card(state: &State, seat: Seat) -> Vec<Action> {
    let player = &state.players[seat];
    let own: CardSet = player.playable() | player.discard | player.removed | player.deck_cards();
    let some = Card::all().step_by(9);
    let mut actions = Vec::new();
    for card in own.iter().chain(some) {
        let card: MaybeKnown<Card> = Some(card);
        let gold = cheapest(state, seat, Symbol::Gold);
        actions.extend([
            Action::ReserveCards { cards: vec![card] },
            Action::RemoveCards { cards: vec![card] },
            Action::DraftCard {
                card,
                gold: gold.clone(),
            },
            Action::UseMilitia { card },
        ]);
    }
    actions
}
