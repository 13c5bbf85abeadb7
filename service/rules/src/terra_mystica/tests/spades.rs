//! Unused free spades are lost, and reported (J10, TM-6.20, TM-6.57, TM-6.62).

use super::table::*;
use gamekeeper_rules::ruleset::legal_actions;
use gamekeeper_rules::table::Detail;
use gamekeeper_rules::terra_mystica::data::Faction::*;
use gamekeeper_rules::terra_mystica::data::Terrain::{
    self, Desert, Forest, Plains, Swamp, Wasteland,
};
use gamekeeper_rules::terra_mystica::data::{
    BonusCard, Faction, Land, ScoringTile, within_shipping,
};
use gamekeeper_rules::terra_mystica::{
    Action, Decision, Direction, Event, PowerUse, SpecialUse, TerraMystica, Work,
};

/// The seats and numbers of unused spades in the events of the last action.
fn unused(table: &Table) -> Vec<(u8, u8)> {
    let mut unused_spades = Vec::new();
    for event in &table.log.events {
        if let Event::SpadesUnused { seat, spades } = event {
            unused_spades.push((seat.number(), *spades));
        }
    }
    unused_spades
}

/// TM-6.20 (5), J43: spades are bought beside free ones if and only if the free ones alone do not reach home; then for
/// every target, also the long way. All allowed actions are listed.
#[test]
fn spades_are_bought_beside_free_ones_that_do_not_reach_home() {
    let beside = |faction: Faction, terrain: Terrain| {
        Table::of(&[faction, Witches])
            .at(S1, D, &["F3"])
            .terrain("E6", terrain)
            .goods(S1, 20, 20, 7)
            .bowls(S1, [0, 0, 12])
            .card(S1, BonusCard::Bon1)
    };
    type Source = fn(Work) -> Action;
    let sources: [(u8, Source); 3] = [
        (1, |work| power(PowerUse::Spade(work))),
        (2, |work| power(PowerUse::TwoSpades(work))),
        (1, |work| special(SpecialUse::BonusSpade(work))),
    ];
    let mut allowed = [0, 0];
    for (faction, terrain) in [Nomads, Darklings]
        .into_iter()
        .flat_map(|faction| Terrain::ALL.map(|terrain| (faction, terrain)))
    {
        let table = beside(faction, terrain);
        let home = terrain.spades_to(faction.home());
        let listed = legal_actions::<TerraMystica>(&table.state, S1, Detail::Moves);
        for target in Terrain::ALL.into_iter().filter(|&to| to != terrain) {
            for (direction, spades) in [
                (Direction::Short, terrain.spades_to(target)),
                (Direction::Long, 7 - terrain.spades_to(target)),
            ] {
                for (free, source) in sources {
                    let mut work = work(&[("E6", target)], "");
                    work.transforms[0].direction = direction;
                    let action = source(work);
                    let may = spades <= free || home > free;
                    allowed[usize::from(may)] += 1;
                    assert_eq!(table.allows(S1, &action), may, "{terrain:?}: {action:?}");
                    assert_eq!(listed.contains(&action), may, "{terrain:?}: {action:?}");
                }
            }
        }
    }
    assert!(allowed.iter().all(|&count| count > 100), "{allowed:?}");
    // Giants always take two spades.
    let giants = beside(Giants, Forest);
    assert!(giants.allows(S1, act5(&[("E6", Wasteland)], "")));
}

/// A table at which the Halflings have their stronghold, and three spades to use on swamps around it.
fn halflings_with_spades() -> Table {
    Table::of(&[Halflings, Nomads])
        .at(S1, TP, &["E6"])
        .goods(S1, 9, 20, 0)
        .terrain("E5", Swamp)
        .terrain("D4", Swamp)
        .terrain("F3", Swamp)
        .play(S1, &upgrade("E6", SH))
}

fn stronghold_spades(transforms: &[(&str, Terrain)], build_at: &str) -> Action {
    Action::UseStrongholdSpades {
        work: work(transforms, build_at),
    }
}

#[test]
fn spades_of_the_stronghold_are_used_or_reported_unused() {
    let table = halflings_with_spades();
    assert_eq!(unused(&table), []);
    let all = [("E5", Plains), ("D4", Plains), ("F3", Plains)];
    for (used, left) in [(3, vec![]), (2, vec![(1, 1)]), (1, vec![(1, 2)])] {
        let table = table
            .clone()
            .play(S1, &stronghold_spades(&all[..used], "E5"));
        assert_eq!(unused(&table), left, "{used} used");
    }
    let given_up = table.play(S1, &stronghold_spades(&[], ""));
    assert_eq!(given_up.sentences(), ["Seat 1 leaves 3 spades unused."]);
}

#[test]
fn spades_of_power_actions_are_used_or_reported_unused() {
    let table = Table::of(&[Nomads, Witches])
        .at(S1, D, &["F3"])
        .goods(S1, 9, 9, 0)
        .bowls(S1, [0, 0, 12])
        .terrain("E6", Plains)
        .terrain("G2", Swamp);
    let after = |action| unused(&table.clone().play(S1, &action));
    assert_eq!(after(act5(&[], "")), [(1, 1)]);
    assert_eq!(after(act5(&[("E6", Desert)], "E6")), []);
    // The second spade is bought.
    assert_eq!(after(act5(&[("G2", Desert)], "")), []);
    assert_eq!(after(act6(&[], "")), [(1, 2)]);
    assert_eq!(after(act6(&[("E6", Desert)], "")), [(1, 1)]);
    assert_eq!(after(act6(&[("E6", Desert)], "E6")), [(1, 1)]);
    assert_eq!(after(act6(&[("G2", Desert)], "")), []);
}

#[test]
fn spades_that_are_bought_or_of_one_use_leave_nothing() {
    let table = Table::of(&[Nomads, Witches])
        .at(S1, D, &["F3"])
        .goods(S1, 9, 9, 0)
        .terrain("E6", Plains)
        .card(S1, BonusCard::Bon1);
    let dug = table.clone().play(S1, &transform(&[("E6", Desert)], ""));
    assert_eq!(unused(&dug), []);
    let card = special(SpecialUse::BonusSpade(work(&[("E6", Desert)], "")));
    assert_eq!(unused(&table.play(S1, &card)), []);
}

#[test]
fn spades_of_the_cults_are_used_or_reported_unused() {
    let table = Table::of(&[Giants, Nomads])
        .at(S1, D, &["D4"])
        .at(S2, D, &["A5"])
        .cult_spades(S1, 3);
    let used = table.clone().play(S1, &cult_spades(&[("E7", Wasteland)]));
    assert_eq!(unused(&used), [(1, 1)]);
    assert_eq!(unused(&table.play(S1, &cult_spades(&[]))), [(1, 3)]);
    let table = Table::of(&[Nomads, Witches])
        .at(S1, D, &["F3"])
        .at(S2, D, &["A5"])
        .terrain("E6", Plains)
        .cult_spades(S1, 1);
    let used = table.play(S1, &cult_spades(&[("E6", Desert)]));
    assert_eq!(unused(&used), []);
}

/// TM-6.62: Giants transform a land to their home terrain, with two spades.
#[test]
fn giants_can_use_two_spades_of_the_cults_on_lands_of_other_terrain() {
    let around: Vec<Land> = within_shipping(land("D4"), 0).iter().collect();
    let home = |lands: &[Land]| {
        let table = Table::of(&[Giants, Witches])
            .at(S1, D, &["D4"])
            .tile(ScoringTile::Score2)
            .cults(S1, [0, 0, 8, 0]);
        lands
            .iter()
            .fold(table, |table, land| table.terrain(land.id(), Wasteland))
    };
    let pass_all = |table: Table| {
        table
            .play(S1, &pass(BonusCard::Bon4))
            .play(S2, &pass(BonusCard::Bon9))
    };
    let can = pass_all(home(&around[1..]));
    assert_eq!(can.decision(), Some((S1, Decision::CultSpades)));
    assert_eq!(unused(&can), []);
    let cannot = pass_all(home(&around));
    assert_eq!(unused(&cannot), [(1, 2)]);
}

/// Seat 1 has no structures, seat 2 has a place to dig.
#[test]
fn spades_of_the_cults_that_nobody_can_use_are_reported_unused() {
    let table = Table::of(&[Halflings, Witches])
        .at(S2, D, &["F4"])
        .tile(ScoringTile::Score2)
        .cults(S1, [0, 0, 8, 0])
        .cults(S2, [0, 0, 4, 0]);
    let table = table
        .play(S1, &pass(BonusCard::Bon4))
        .play(S2, &pass(BonusCard::Bon9));
    assert_eq!(unused(&table), [(1, 2)]);
    assert_eq!(table.decision(), Some((S2, Decision::CultSpades)));
    let table = table.play(S2, &cult_spades(&[]));
    assert_eq!((unused(&table), table.state.round), (vec![(2, 1)], 4));
}
