//! What refusals say: every code at least once, as a table. A change of a sentence shows as a diff.

use super::bench::*;
use crate::mythotopia::action::{Action, Invasion, Origin, RoadMove, Route, TokenSource};
use crate::mythotopia::data::{Card, Colour, Converter, Improvement, Province, Stack, Symbol};
use crate::mythotopia::options::{ColourWish, Draft};
use crate::mythotopia::stage::Stage;
use crate::mythotopia::state::Award;
use crate::mythotopia::{Mythotopia, Refusal};
use crate::rulebook::Rulebook;
use crate::ruleset::Ruleset;
use crate::table::{Refusal as _, Refused, Seat};
use Symbol::{Army, Food, Gold, Ship, Stone};

/// Collects what is said.
#[derive(Default)]
struct Said(Vec<Refused<Refusal>>);

impl Said {
    /// The action is refused.
    fn no(&mut self, table: &Bench, seat: Seat, action: &Action) {
        let refusal = Mythotopia::check(&table.state, seat, action).err();
        self.0
            .push(refusal.unwrap_or_else(|| panic!("accepted: {action:?}")));
    }

    fn options(&mut self, seats: usize, draft: &Draft) {
        let players = vec![String::from("Anybody"); seats];
        let refusal = Mythotopia::options(&players, draft).err();
        self.0.push(refusal.unwrap());
    }

    /// By code, in the order of the rule document.
    fn table(mut self) -> String {
        let place = |refusal: &Refused<Refusal>| {
            let codes = Refusal::CODES.iter();
            codes.clone().position(|&code| code == refusal.code())
        };
        self.0.sort_by_key(place);
        let line = |refusal: &Refused<Refusal>| {
            let (code, rule) = (refusal.code(), refusal.rule);
            format!("{code:22} {rule:10} {refusal}\n")
        };
        self.0.iter().map(line).collect()
    }
}

/// Everything at once: hands, reserves, wars, ships, a road.
fn table() -> Bench {
    let mut table = Bench::of(3);
    table.in_play(&["patronage", "guild_city"]);
    table.control(
        R,
        &[
            "mome",
            "remise",
            "coryphee",
            "palmain",
            "scombroid",
            "quean",
        ],
    );
    table.control(B, &["talion", "fadge"]);
    table.city(R, "remise");
    table.road("coryphee", "mome");
    table.armies(R, "talion", 2);
    table.armies(R, "mome", 1);
    table.armies(B, "talion", 2);
    table.armies(Y, "lea", 1);
    table.ships(R, "serpent_sea", 1);
    table.hand(
        R,
        &[
            "prov:mome",
            "prov:palmain",
            "prov:scombroid",
            "start:red:build#1",
            "start:red:build#2",
            "start:red:market#1",
            "start:red:army#1",
            "start:red:ship#1",
            "imp:hero",
            "imp:merchant",
            "imp:water_mill",
        ],
    );
    table.reserve(R, &["imp:farming", "imp:mercenary"]);
    table
}

fn city(site: &str, province: &str, stone: &[crate::mythotopia::SymbolPlay]) -> Action {
    Action::BuildCity {
        build_card: Some(card("start:red:build#1")),
        site_card: Some(card(site)),
        province: Some(prov(province)),
        stone: stone.to_vec(),
        guild_gold: Vec::new(),
    }
}

fn castle(site: &str, province: &str) -> Action {
    Action::BuildCastle {
        build_card: Some(card("start:red:build#1")),
        site_card: Some(card(site)),
        province: Some(prov(province)),
        stone: vec![play("start:red:build#2", Stone)],
    }
}

fn road(a: &str, b: &str) -> Action {
    Action::BuildRoad {
        build_card: Some(card("start:red:build#1")),
        site_card: Some(card("prov:mome")),
        a: Some(prov(a)),
        b: Some(prov(b)),
        stone: vec![play("start:red:build#2", Stone)],
        inn_gold: Vec::new(),
    }
}

fn patronage(plays: &[crate::mythotopia::SymbolPlay]) -> Action {
    Action::Patronage {
        gold: plays.to_vec(),
    }
}

fn march(moves: &[(&str, &str, u16)]) -> Action {
    let step = |&(from, to, count): &(&str, &str, u16)| RoadMove {
        from: Some(prov(from)),
        to: Some(prov(to)),
        count,
    };
    Action::MoveArmiesByRoad {
        moves: moves.iter().map(step).collect(),
    }
}

/// MYT-6.11, first line: phases and turns.
fn of_phases(said: &mut Said) {
    let mut table = table();
    said.no(&table, B, &Action::Pass);
    said.no(&table, R, &Action::SetupPlaceCitadel { province: None });
    said.no(&table, R, &Action::ChoosePhilosopherCard { card: None });
    table.state.awards.push(Award {
        seat: B,
        stack: Stack::City,
    });
    said.no(&table, R, &Action::Pass);
    let source = Some(TokenSource::Bank);
    said.no(&table, B, &Action::ChooseTokenSource { source });
    table.state.awards.clear();
    table.state.stage = Stage::Philosopher;
    said.no(&table, R, &Action::EndTurn);
    let card = Some(Card::improvement(Improvement::Farming));
    said.no(&table, R, &Action::ChoosePhilosopherCard { card });
    table.state.stage = Stage::SetupCitadel;
    said.no(&table, R, &Action::Pass);
    let province = Some(Province::Lea);
    said.no(&table, R, &Action::SetupPlaceCitadel { province });
    said.no(
        &table,
        R,
        &Action::SetupDiscardProvinces { cards: Vec::new() },
    );
    table.state.players[R].choice = Some(Default::default());
    said.no(&table, R, &Action::SetupPlaceCitadel { province });
    table.state.stage = Stage::SetupDiscard;
    let cards = cards(&["prov:talion", "prov:mome"]);
    said.no(&table, B, &Action::SetupDiscardProvinces { cards });
    said.no(
        &table,
        B,
        &Action::SetupDiscardProvinces { cards: Vec::new() },
    );
    table.state.stage = Stage::Finished;
    said.no(&table, R, &Action::Pass);
}

/// MYT-6.11, second line: ids, form, repetition, the budget of a turn.
fn of_form(said: &mut Said) {
    let table = table();
    said.no(&table, R, &Action::WarehouseStore { card: None });
    let hero = None;
    said.no(
        &table,
        R,
        &Action::EndWar {
            province: None,
            hero,
        },
    );
    let nothing = Action::PlaceShips {
        sea: Some(sea("serpent_sea")),
        ships: Vec::new(),
    };
    said.no(&table, R, &nothing);
    said.no(&table, R, &Action::DiscardCards { cards: Vec::new() });
    let three = cards(&["imp:hero", "prov:mome", "prov:palmain"]);
    said.no(&table, R, &Action::RemoveCards { cards: three });
    said.no(&table, R, &patronage(&[play("start:red:market#1", Food)]));
    let (armies, ships) = (0, 0);
    let gold = Vec::new();
    said.no(
        &table,
        R,
        &Action::BuyUnits {
            armies,
            ships,
            gold,
        },
    );
    let card = Some(Card::improvement(Improvement::Mercenary));
    let province = Some(Province::Mome);
    let (gold, count) = (Vec::new(), 3);
    said.no(
        &table,
        R,
        &Action::UseMercenary {
            card,
            gold,
            province,
            count,
        },
    );
    said.no(&table, R, &Action::UseAlchemist { card, from: 3 });
}

/// The form of invasions and marches, and the budget of a turn.
fn of_turns(said: &mut Said) {
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
    said.no(&table, R, &way(plain.origin, None));
    said.no(&table, R, &way(portal, Some(Route::Land)));
    said.no(&table, R, &way(plain.origin, Some(by_sea(&[]))));
    said.no(&table, R, &march(&[]));
    said.no(&table, R, &march(&[("mome", "coryphee", 0)]));
    said.no(&table, R, &march(&[("mome", "mome", 1)]));
    let there = ("mome", "coryphee", 1);
    said.no(&table, R, &march(&[there, there]));
    let twice = cards(&["imp:hero", "imp:hero"]);
    said.no(&table, R, &Action::ReserveCards { cards: twice });
    table.ok(R, &march(&[there]));
    said.no(&table, R, &march(&[there]));
    said.no(&table, R, &Action::EndTurn);
    said.no(&table, R, &end_war("talion"));
    let market = [play("start:red:market#1", Gold)];
    table.display(Improvement::Scribe);
    table.ok(R, &draft("imp:scribe", &market));
    said.no(&table, R, &draft("imp:queen", &market));
    said.no(&table, R, &Action::EndGame);
    table.ok(R, &Action::Pass);
    said.no(&table, R, &Action::Pass);
}

/// MYT-6.11, third line: the cards.
fn of_cards(said: &mut Said) {
    let mut table = table();
    let market = play("start:red:market#1", Gold);
    let hero = cards(&["imp:farming"]);
    said.no(&table, R, &Action::ReserveCards { cards: hero });
    let counsellor = Action::UseCounsellor {
        card: Some(card("imp:counsellor")),
        hand: cards(&["prov:mome"]),
        reserve: Vec::new(),
    };
    said.no(&table, R, &counsellor);
    table.hand(R, &["imp:counsellor", "imp:mystic"]);
    let counsellor = Action::UseCounsellor {
        card: Some(card("imp:counsellor")),
        hand: cards(&["prov:mome"]),
        reserve: cards(&["imp:hero"]),
    };
    said.no(&table, R, &counsellor);
    let mystic = Action::UseMystic {
        card: Some(card("imp:mystic")),
        gold: vec![market],
        take: Some(card("prov:talion")),
    };
    said.no(&table, R, &mystic);
}

/// What cards are good for.
fn of_uses(said: &mut Said) {
    let table = table();
    let market = play("start:red:market#1", Gold);
    let stone = [play("start:red:build#2", Stone)];
    said.no(&table, R, &city("prov:palmain", "mome", &stone));
    said.no(&table, R, &city("imp:hero", "lea", &stone));
    said.no(&table, R, &road("quean", "palmain"));
    let militia = Action::UseMilitia {
        card: Some(card("imp:hero")),
    };
    said.no(&table, R, &militia);
    let armies = [play("start:red:army#1", Army)];
    let sail = Invasion {
        route: Some(by_sea(&["serpent_sea"])),
        transport: cards(&["imp:hero"]),
        ..invade("palmain", "nivus", &armies, &[])
    };
    said.no(&table, R, &Action::Invade(sail));
    let hammer = Action::BuildCastle {
        build_card: Some(card("imp:hero")),
        site_card: Some(card("prov:mome")),
        province: Some(Province::Mome),
        stone: Vec::new(),
    };
    said.no(&table, R, &hammer);
    let mut odd = market;
    odd.water_mill = Some(Some(card("imp:hero")));
    said.no(&table, R, &patronage(&[odd]));
    said.no(&table, R, &patronage(&[play("prov:palmain", Gold)]));
    let farmed = via(play("prov:mome", Gold), Converter::Farming);
    said.no(&table, R, &patronage(&[farmed]));
    let quarried = via(play("prov:mome", Gold), Converter::GoldMine);
    said.no(&table, R, &patronage(&[quarried]));
    let store = Action::WarehouseStore {
        card: Some(card("prov:mome")),
    };
    said.no(&table, R, &store);
    let fed = |id| via(play(id, Food), Converter::Farming);
    let place = place("talion", &armies, &[fed("prov:mome"), fed("imp:hero")]);
    said.no(&table, R, &place);
    said.no(&table, R, &patronage(&[traded(play("imp:hero", Gold))]));
    let fleet = Action::PlaceShips {
        sea: Some(sea("serpent_sea")),
        ships: vec![doubled(play("start:red:ship#1", Ship))],
    };
    said.no(&table, R, &fleet);
}

/// The board: ways, wars, Reserve Army.
fn of_ways(said: &mut Said) {
    let mut table = table();
    let armies = [play("start:red:army#1", Army)];
    let food = [play("start:red:market#1", Food)];
    let by_land = |from, to| Action::Invade(invade(from, to, &armies, &food));
    said.no(&table, R, &by_land("mome", "remise"));
    said.no(&table, R, &by_land("palmain", "lea"));
    table.control(R, &["diclesium"]);
    table.hand(R, &["prov:diclesium"]);
    said.no(&table, R, &by_land("diclesium", "fadge"));
    let from_lea = Invasion {
        origin: site("prov:mome", "lea"),
        ..invade("mome", "sorner", &armies, &food)
    };
    said.no(&table, R, &Action::Invade(from_lea));
    let sail = |target: &str, areas: &[&str], ships: &[&str]| {
        Action::Invade(Invasion {
            route: Some(by_sea(areas)),
            transport: cards(ships),
            ..invade("palmain", target, &armies, &food)
        })
    };
    let ship = "start:red:ship#1";
    said.no(&table, R, &sail("peened", &["serpent_sea"], &[ship]));
    said.no(
        &table,
        R,
        &sail("peened", &["serpent_sea", "beast_sea"], &[ship]),
    );
    table.hand(R, &["imp:ship"]);
    let ships = [ship, "imp:ship"];
    said.no(
        &table,
        R,
        &sail("nesh", &["serpent_sea", "beast_sea"], &ships),
    );
    said.no(&table, R, &sail("nesh", &["serpent_sea"], &ships));
    table.reserve(B, &["imp:reserve_army"]);
    said.no(&table, R, &by_land("mome", "fadge"));
    table.reserve(R, &["imp:reserve_army"]);
    said.no(&table, R, &by_land("mome", "galingale"));
    let fleet = Action::PlaceShips {
        sea: Some(sea("inland_sea_west")),
        ships: vec![play(ship, Ship)],
    };
    said.no(&table, R, &fleet);
    said.no(&table, R, &march(&[("mome", "palmain", 1)]));
}

fn of_wars(said: &mut Said) {
    let mut table = table();
    said.no(&table, R, &end_war("mome"));
    said.no(&table, R, &end_war("lea"));
    said.no(&table, R, &end_war("talion"));
    let hero = |province| Action::EndWar {
        province: Some(prov(province)),
        hero: Some(Some(card("imp:hero"))),
    };
    table.armies(R, "lea", 1);
    said.no(&table, R, &hero("lea"));
    table.armies(Y, "talion", 4);
    table.armies(B, "talion", 2);
    said.no(&table, R, &hero("talion"));
    let remove = |province, armies, mercenaries| Action::RemoveArmies {
        province: Some(prov(province)),
        armies,
        mercenaries,
    };
    said.no(&table, R, &remove("talion", 1, 0));
    said.no(&table, R, &remove("mome", 2, 0));
    said.no(&table, R, &remove("mome", 0, 1));
    let count = 2;
    let serpents = Some(sea("serpent_sea"));
    said.no(
        &table,
        R,
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
    said.no(&table, R, &mercenary("palmain", 1));
    table.ok(R, &mercenary("mome", 1));
    table.hand(R, &["imp:mercenary", "imp:marauders"]);
    said.no(&table, R, &mercenary("mome", 2));
    let marauders = Action::UseMarauders {
        card: Some(card("imp:marauders")),
        province: Some(Province::Mome),
        owner: Some(B),
    };
    said.no(&table, R, &marauders);
    said.no(&table, R, &march(&[("mome", "coryphee", 3)]));
    let armies = [play("start:red:army#1", Army)];
    said.no(&table, R, &place("lea", &[], &[]));
    said.no(&table, R, &place("sorner", &armies, &[]));
}

/// What is built, bought and kept.
fn of_works(said: &mut Said) {
    let mut table = table();
    let stone = [play("start:red:build#2", Stone)];
    table.hand(R, &["imp:general"]);
    said.no(&table, R, &city("imp:general", "lea", &stone));
    said.no(&table, R, &city("imp:general", "remise", &stone));
    table.citadel(R, "quean");
    said.no(&table, R, &city("imp:general", "quean", &stone));
    said.no(&table, R, &castle("imp:general", "quean"));
    table.state.castles.insert(Province::Mome);
    said.no(&table, R, &castle("imp:general", "mome"));
    said.no(&table, R, &road("mome", "coryphee"));
    said.no(&table, R, &road("mome", "talion"));
    table.state.castles = Province::ALL.iter().copied().take(9).collect();
    said.no(&table, R, &castle("imp:general", "palmain"));
    let mut guild = city("prov:mome", "mome", &[doubled(stone[0])]);
    if let Action::BuildCity { guild_gold, .. } = &mut guild {
        guild_gold.push(play("start:red:market#1", Gold));
    }
    table.tokens(Stack::GuildCity, 0);
    said.no(&table, R, &guild);
    table.in_play(&[]);
    said.no(&table, R, &guild);
    let gold = |id| play(id, Gold);
    let buy = |armies, ships, plays: &[_]| Action::BuyUnits {
        armies,
        ships,
        gold: plays.to_vec(),
    };
    said.no(&table, R, &buy(15, 0, &[]));
    said.no(&table, R, &buy(0, 5, &[]));
    said.no(&table, R, &buy(0, 1, &[gold("prov:mome")]));
    said.no(
        &table,
        R,
        &buy(1, 0, &[gold("prov:mome"), gold("start:red:market#1")]),
    );
    let idle = traded(gold("prov:mome"));
    said.no(&table, R, &buy(1, 0, &[idle]));
    said.no(&table, R, &draft("prov:talion", &[gold("prov:mome")]));
    let hand = |ids: &[&str]| Action::ReserveCards { cards: cards(ids) };
    said.no(&table, R, &hand(&["imp:hero", "imp:general", "prov:mome"]));
    table.army_stock(R, 1);
    let armies = [play("start:red:army#1", Army), play("imp:hero", Army)];
    said.no(&table, R, &place("mome", &armies, &[]));
    let alchemist = |from| Action::UseAlchemist {
        card: Some(card("imp:alchemist")),
        from,
    };
    table.hand(R, &["imp:alchemist", "imp:militia"]);
    said.no(&table, R, &alchemist(1));
    table.state.bank[2] = 0;
    said.no(&table, R, &alchemist(2));
    table.army_stock(R, 11);
    let militia = Action::UseMilitia {
        card: Some(card("imp:militia")),
    };
    said.no(&table, R, &militia);
}

fn of_ends(said: &mut Said) {
    let mut table = table();
    said.no(&table, R, &Action::EndGame);
    for stack in [Stack::City, Stack::Castle, Stack::Road, Stack::GuildCity] {
        table.tokens(stack, 0);
    }
    table.state.players[Y].tokens = [3, 0, 7];
    said.no(&table, R, &Action::EndGame);
    let mut poor = Bench::of(3);
    poor.hand(
        R,
        &["start:red:army#1", "start:red:ship#1", "start:red:market#1"],
    );
    poor.state.players[R].discard = cards(&["start:red:build#1", "start:red:build#2"])
        .into_iter()
        .flatten()
        .collect();
    let one = cards(&["start:red:army#1"]);
    said.no(&poor, R, &Action::RemoveCards { cards: one });
}

fn of_options(said: &mut Said) {
    let wish = |colours: &[Colour]| Draft {
        colours: colours
            .iter()
            .map(|&colour| ColourWish::Exactly(Some(colour)))
            .collect(),
        ..Draft::default()
    };
    said.options(5, &Draft::default());
    said.options(2, &wish(&[Colour::Yellow]));
    said.options(3, &wish(&[Colour::Red, Colour::Red]));
    said.options(2, &wish(&[Colour::Red, Colour::Blue, Colour::Green]));
    let more_choice = true;
    said.options(
        2,
        &Draft {
            more_choice,
            ..Draft::default()
        },
    );
    let castle_token_value = Some(3);
    said.options(
        3,
        &Draft {
            castle_token_value,
            ..Draft::default()
        },
    );
    let vp_floor = Some(101);
    said.options(
        3,
        &Draft {
            vp_floor,
            ..Draft::default()
        },
    );
    let end_game_wars = Some(None);
    said.options(
        3,
        &Draft {
            end_game_wars,
            ..Draft::default()
        },
    );
}

#[test]
fn every_refusal_says_what_is_wrong() {
    let mut said = Said::default();
    for part in [
        of_phases, of_form, of_turns, of_cards, of_uses, of_ways, of_wars, of_works, of_ends,
        of_options,
    ] {
        part(&mut said);
    }
    let book = Rulebook::read(Mythotopia::RULES);
    for refusal in &said.0 {
        assert!(book.rule(refusal.rule).is_some(), "{}", refusal.rule);
    }
    let missing = Refusal::CODES
        .iter()
        .copied()
        .filter(|code| said.0.iter().all(|refusal| refusal.code() != *code));
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<&str>::new());
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("refusals", said.table());
    });
}
