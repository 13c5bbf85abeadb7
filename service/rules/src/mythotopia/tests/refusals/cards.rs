//! Cards that are not available, or not usable (MYT-6.11, third line).

use super::*;

/// MYT-6.11, third line: refusals about cards.
pub(super) fn of_cards(said: &mut Said) {
    let mut table = table();
    let market = play("start:red:market#1", Gold);
    let hero = cards(&["imp:farming"]);
    said.refuses(&table, &Action::ReserveCards { cards: hero });
    let counsellor = Action::UseCounsellor {
        card: Some(card("imp:counsellor")),
        hand: cards(&["prov:mome"]),
        reserve: Vec::new(),
    };
    said.refuses(&table, &counsellor);
    table.hand(R, &["imp:counsellor", "imp:mystic"]);
    let counsellor = Action::UseCounsellor {
        card: Some(card("imp:counsellor")),
        hand: cards(&["prov:mome"]),
        reserve: cards(&["imp:hero"]),
    };
    said.refuses(&table, &counsellor);
    let mystic = Action::UseMystic {
        card: Some(card("imp:mystic")),
        gold: vec![market],
        take: Some(card("prov:talion")),
    };
    said.refuses(&table, &mystic);
}

/// Refusals about the uses of cards.
pub(super) fn of_uses(said: &mut Said) {
    let table = table();
    let market = play("start:red:market#1", Gold);
    let stone = [play("start:red:build#2", Stone)];
    said.refuses(&table, &city("prov:palmain", "mome", &stone));
    said.refuses(&table, &city("imp:hero", "lea", &stone));
    said.refuses(&table, &road("quean", "palmain"));
    let militia = Action::UseMilitia {
        card: Some(card("imp:hero")),
    };
    said.refuses(&table, &militia);
    let armies = [play("start:red:army#1", Army)];
    let sail = Invasion {
        route: Some(by_sea(&["serpent_sea"])),
        transport: cards(&["imp:hero"]),
        ..invade("palmain", "nivus", &armies, &[])
    };
    said.refuses(&table, &Action::Invade(sail));
    let hammer = Action::BuildCastle {
        build_card: Some(card("imp:hero")),
        site_card: Some(card("prov:mome")),
        province: Some(Province::Mome),
        stone: Vec::new(),
    };
    said.refuses(&table, &hammer);
    let mut odd = market;
    odd.water_mill = Some(Some(card("imp:hero")));
    said.refuses(&table, &patronage(&[odd]));
    said.refuses(&table, &patronage(&[play("prov:palmain", Gold)]));
    let farmed = via(play("prov:mome", Gold), Converter::Farming);
    said.refuses(&table, &patronage(&[farmed]));
    let quarried = via(play("prov:mome", Gold), Converter::GoldMine);
    said.refuses(&table, &patronage(&[quarried]));
    let store = Action::WarehouseStore {
        card: Some(card("prov:mome")),
    };
    said.refuses(&table, &store);
    let fed = |id| via(play(id, Food), Converter::Farming);
    let place = place("talion", &armies, &[fed("prov:mome"), fed("imp:hero")]);
    said.refuses(&table, &place);
    said.refuses(&table, &patronage(&[traded(play("imp:hero", Gold))]));
    let fleet = Action::PlaceShips {
        sea: Some(sea("serpent_sea")),
        ships: vec![doubled(play("start:red:ship#1", Ship))],
    };
    said.refuses(&table, &fleet);
}
