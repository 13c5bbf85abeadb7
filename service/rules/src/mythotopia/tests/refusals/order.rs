//! The seat to act, the form of an action, what a turn still allows (MYT-6.11, first and second line).

use super::*;

/// MYT-6.11, first line: refusals about phases and turns.
pub(super) fn of_phases(said: &mut Said) {
    let mut table = table();
    said.no_to(B, &table, &Action::PassTurn);
    said.refuses(&table, &Action::SetupPlaceCitadel { province: None });
    said.refuses(&table, &Action::ChoosePhilosopherCard { card: None });
    table.state.awards.push(Award {
        seat: B,
        stack: Stack::City,
    });
    said.refuses(&table, &Action::PassTurn);
    let source = Some(TokenSource::Bank);
    said.no_to(B, &table, &Action::ChooseTokenSource { source });
    table.state.awards.clear();
    table.state.stage = Stage::Philosopher;
    said.refuses(&table, &Action::EndTurn);
    let card = Some(Card::improvement(Improvement::Farming));
    said.refuses(&table, &Action::ChoosePhilosopherCard { card });
    table.state.stage = Stage::SetupCitadel;
    said.refuses(&table, &Action::PassTurn);
    let province = Some(Province::Lea);
    said.refuses(&table, &Action::SetupPlaceCitadel { province });
    said.refuses(&table, &Action::SetupDiscardProvinces { cards: Vec::new() });
    table.state.players[R].choice = Some(Default::default());
    said.refuses(&table, &Action::SetupPlaceCitadel { province });
    table.state.stage = Stage::SetupDiscard;
    table.state.more_choice = true;
    let few = cards(&["prov:talion"]);
    said.no_to(B, &table, &Action::SetupDiscardProvinces { cards: few });
    let cards = cards(&["prov:talion", "prov:mome"]);
    said.no_to(B, &table, &Action::SetupDiscardProvinces { cards });
    said.no_to(
        B,
        &table,
        &Action::SetupDiscardProvinces { cards: Vec::new() },
    );
    table.state.stage = Stage::Over;
    said.refuses(&table, &Action::PassTurn);
}

/// MYT-6.11, second line: refusals about ids, form, repetition, the budget of a turn.
pub(super) fn of_form(said: &mut Said) {
    let table = table();
    said.refuses(&table, &Action::WarehouseStore { card: None });
    let hero = None;
    said.refuses(
        &table,
        &Action::EndWar {
            province: None,
            hero,
        },
    );
    let nothing = Action::PlaceShips {
        sea: Some(sea("serpent_sea")),
        ships: Vec::new(),
    };
    said.refuses(&table, &nothing);
    said.refuses(&table, &Action::DiscardCards { cards: Vec::new() });
    let three = cards(&["imp:hero", "prov:mome", "prov:palmain"]);
    said.refuses(&table, &Action::RemoveCards { cards: three });
    said.refuses(&table, &patronage(&[play("start:red:market#1", Food)]));
    let (armies, ships) = (0, 0);
    let gold = Vec::new();
    said.refuses(
        &table,
        &Action::BuyUnits {
            armies,
            ships,
            gold,
        },
    );
    let card = Some(Card::improvement(Improvement::Mercenary));
    let province = Some(Province::Mome);
    let (gold, count) = (Vec::new(), 3);
    said.refuses(
        &table,
        &Action::UseMercenary {
            card,
            gold,
            province,
            count,
        },
    );
    said.refuses(
        &table,
        &Action::UseAlchemist {
            card,
            from_value: 3,
        },
    );
}

/// Refusals about the form of invasions and marches, and the budget of a turn.
pub(super) fn of_turns(said: &mut Said) {
    let mut table = table();
    let armies = [play("start:red:army#1", Army)];
    let food = [play("prov:palmain", Food)];
    let plain = invade("mome", "galingale", &armies, &food);
    let card = Some(Card::improvement(Improvement::Mercenary));
    let way = |origin: Origin, route: Option<Route>| {
        Action::Invade(Invasion {
            origin,
            route,
            ..plain.clone()
        })
    };
    let portal = Origin::Portal { card };
    said.refuses(&table, &way(plain.origin, None));
    said.refuses(&table, &way(portal, Some(Route::Land)));
    said.refuses(&table, &way(plain.origin, Some(by_sea(&[]))));
    said.refuses(&table, &march(&[]));
    said.refuses(&table, &march(&[("mome", "coryphee", 0)]));
    said.refuses(&table, &march(&[("mome", "mome", 1)]));
    let there = ("mome", "coryphee", 1);
    said.refuses(&table, &march(&[there, there]));
    let twice = cards(&["imp:hero", "imp:hero"]);
    said.refuses(&table, &Action::ReserveCards { cards: twice });
    table.play(R, march(&[there]));
    said.refuses(&table, &march(&[there]));
    said.refuses(&table, &Action::EndTurn);
    said.refuses(&table, &end_war("talion"));
    let market = [play("start:red:market#1", Gold)];
    table.display(Improvement::Scribe);
    table.play(R, draft("imp:scribe", &market));
    said.refuses(&table, &draft("imp:queen", &market));
    said.refuses(&table, &Action::EndGame);
    table.play(R, &Action::PassTurn);
    said.refuses(&table, &Action::PassTurn);
}
