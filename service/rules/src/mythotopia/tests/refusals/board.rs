//! The board: routes, wars, building, the end of the game (MYT-6.11, fourth line).

use super::*;

/// Refusals about the board: routes, wars, Reserve Army.
pub(super) fn of_ways(said: &mut Said) {
    let mut table = table();
    let armies = [play("start:red:army#1", Army)];
    let food = [play("start:red:market#1", Food)];
    let by_land = |from, to| Action::Invade(invade(from, to, &armies, &food));
    said.refuses(&table, &by_land("mome", "remise"));
    said.refuses(&table, &by_land("palmain", "lea"));
    table.control(R, &["diclesium"]);
    table.hand(R, &["prov:diclesium"]);
    said.refuses(&table, &by_land("diclesium", "fadge"));
    let from_lea = Invasion {
        origin: site("prov:mome", "lea"),
        ..invade("mome", "sorner", &armies, &food)
    };
    said.refuses(&table, &Action::Invade(from_lea));
    let sail = |target: &str, areas: &[&str], ships: &[&str]| {
        Action::Invade(Invasion {
            route: Some(by_sea(areas)),
            transport: cards(ships),
            ..invade("palmain", target, &armies, &food)
        })
    };
    let ship = "start:red:ship#1";
    said.refuses(&table, &sail("peened", &["serpent_sea"], &[ship]));
    said.refuses(
        &table,
        &sail("peened", &["serpent_sea", "beast_sea"], &[ship]),
    );
    table.hand(R, &["imp:ship"]);
    let ships = [ship, "imp:ship"];
    said.refuses(&table, &sail("nesh", &["serpent_sea", "beast_sea"], &ships));
    said.refuses(&table, &sail("nesh", &["serpent_sea"], &ships));
    let three = ["serpent_sea", "beast_sea", "inland_sea_east"];
    said.refuses(&table, &sail("nesh", &three, &ships));
    table.reserve(B, &["imp:reserve_army"]);
    said.refuses(&table, &by_land("mome", "fadge"));
    table.reserve(R, &["imp:reserve_army"]);
    said.refuses(&table, &by_land("mome", "galingale"));
    let fleet = Action::PlaceShips {
        sea: Some(sea("inland_sea_west")),
        ships: vec![play(ship, Ship)],
    };
    said.refuses(&table, &fleet);
    said.refuses(&table, &march(&[("mome", "palmain", 1)]));
}

pub(super) fn of_wars(said: &mut Said) {
    let mut table = table();
    said.refuses(&table, &end_war("mome"));
    said.refuses(&table, &end_war("lea"));
    said.refuses(&table, &end_war("talion"));
    let hero = |province| Action::EndWar {
        province: Some(prov(province)),
        hero: Some(Some(card("imp:hero"))),
    };
    table.armies(R, "lea", 1);
    said.refuses(&table, &hero("lea"));
    table.armies(Y, "talion", 4);
    table.armies(B, "talion", 2);
    said.refuses(&table, &hero("talion"));
    let remove = |province, armies, mercenaries| Action::RemoveArmies {
        province: Some(prov(province)),
        armies,
        mercenaries,
    };
    said.refuses(&table, &remove("talion", 1, 0));
    said.refuses(&table, &remove("mome", 2, 0));
    said.refuses(&table, &remove("mome", 0, 1));
    let count = 2;
    let serpents = Some(sea("serpent_sea"));
    said.refuses(
        &table,
        &Action::RemoveShips {
            sea: serpents,
            count,
        },
    );
    let gold = [play("start:red:market#1", Gold)];
    let mercenary = |province, count| Action::UseMercenary {
        card: Some(card("imp:mercenary")),
        gold: gold.to_vec(),
        province: Some(prov(province)),
        count,
    };
    said.refuses(&table, &mercenary("palmain", 1));
    table.play(R, mercenary("mome", 1));
    table.hand(R, &["imp:mercenary", "imp:marauders"]);
    said.refuses(&table, &mercenary("mome", 2));
    let marauders = Action::UseMarauders {
        card: Some(card("imp:marauders")),
        province: Some(Province::Mome),
        owner: Some(B),
    };
    said.refuses(&table, &marauders);
    said.refuses(&table, &march(&[("mome", "coryphee", 3)]));
    let armies = [play("start:red:army#1", Army)];
    said.refuses(&table, &place("lea", &[], &[]));
    said.refuses(&table, &place("sorner", &armies, &[]));
}

/// Refusals about building, buying and storing.
pub(super) fn of_works(said: &mut Said) {
    let mut table = table();
    let stone = [play("start:red:build#2", Stone)];
    table.hand(R, &["imp:general"]);
    said.refuses(&table, &city("imp:general", "lea", &stone));
    said.refuses(&table, &city("imp:general", "remise", &stone));
    table.citadel(R, "quean");
    said.refuses(&table, &city("imp:general", "quean", &stone));
    said.refuses(&table, &castle("imp:general", "quean"));
    table.state.castles.insert(Province::Mome);
    said.refuses(&table, &castle("imp:general", "mome"));
    said.refuses(&table, &road("mome", "coryphee"));
    said.refuses(&table, &road("mome", "talion"));
    table.state.castles = Province::ALL.iter().copied().take(9).collect();
    said.refuses(&table, &castle("imp:general", "palmain"));
    let mut guild = city("prov:mome", "mome", &[doubled(stone[0])]);
    if let Action::BuildCity { guild_gold, .. } = &mut guild {
        guild_gold.push(play("start:red:market#1", Gold));
    }
    table.tokens(Stack::GuildCity, 0);
    said.refuses(&table, &guild);
    table.in_play(&[]);
    said.refuses(&table, &guild);
    let gold = |id| play(id, Gold);
    let buy = |armies, ships, plays: &[_]| Action::BuyUnits {
        armies,
        ships,
        gold: plays.to_vec(),
    };
    said.refuses(&table, &buy(15, 0, &[]));
    said.refuses(&table, &buy(0, 5, &[]));
    said.refuses(&table, &buy(0, 1, &[gold("prov:mome")]));
    said.refuses(
        &table,
        &buy(1, 0, &[gold("prov:mome"), gold("start:red:market#1")]),
    );
    let idle = traded(gold("prov:mome"));
    said.refuses(&table, &buy(1, 0, &[idle]));
    said.refuses(&table, &draft("prov:talion", &[gold("prov:mome")]));
    let hand = |ids: &[&str]| Action::ReserveCards { cards: cards(ids) };
    said.refuses(&table, &hand(&["imp:hero", "imp:general", "prov:mome"]));
    table.army_stock(R, 1);
    let armies = [play("start:red:army#1", Army), play("imp:hero", Army)];
    said.refuses(&table, &place("mome", &armies, &[]));
    let alchemist = |from| Action::UseAlchemist {
        card: Some(card("imp:alchemist")),
        from_value: from,
    };
    table.hand(R, &["imp:alchemist", "imp:militia"]);
    said.refuses(&table, &alchemist(1));
    table.state.bank[2] = 0;
    said.refuses(&table, &alchemist(2));
    table.army_stock(R, 11);
    let militia = Action::UseMilitia {
        card: Some(card("imp:militia")),
    };
    said.refuses(&table, &militia);
}

pub(super) fn of_ends(said: &mut Said) {
    let mut table = table();
    said.refuses(&table, &Action::EndGame);
    for stack in [Stack::City, Stack::Castle, Stack::Road, Stack::GuildCity] {
        table.tokens(stack, 0);
    }
    table.state.players[Y].tokens = [3, 0, 7];
    said.refuses(&table, &Action::EndGame);
    let mut poor = Table::of(3);
    poor.hand(
        R,
        &["start:red:army#1", "start:red:ship#1", "start:red:market#1"],
    );
    poor.state.players[R].discard = cards(&["start:red:build#1", "start:red:build#2"])
        .into_iter()
        .flatten()
        .collect();
    let one = cards(&["start:red:army#1"]);
    said.refuses(&poor, &Action::RemoveCards { cards: one });
}
