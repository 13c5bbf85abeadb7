//! TM-12b: further legal cases of passing, phase III and the end of the game.

use super::table::*;
use gamekeeper_rules::terra_mystica::Decision;
use gamekeeper_rules::terra_mystica::data::Faction::*;
use gamekeeper_rules::terra_mystica::data::Terrain::{Swamp, Wasteland};
use gamekeeper_rules::terra_mystica::data::{BonusCard, FavorTile, ScoringTile};

#[test]
fn tm_12_49_dwellings_and_trading_houses_on_passing() {
    let table = Table::of(&[Nomads, Witches])
        .at(S1, D, &["A5", "B4", "B6", "D3", "E8"])
        .at(S1, TP, &["F3", "G4", "G7"])
        .card(S1, BonusCard::Bon9)
        .favor(S1, FavorTile::Fav12);
    assert_eq!(table.play(S1, &pass(BonusCard::Bon4)).vp_of(S1), 20 + 5 + 3);
}

#[test]
fn tm_12_50_great_structures_on_passing() {
    let table = Table::of(&[Nomads, Witches])
        .at(S1, SH, &["A5"])
        .at(S1, SA, &["B4"]);
    let table = table
        .card(S1, BonusCard::Bon6)
        .play(S1, &pass(BonusCard::Bon4));
    assert_eq!(table.vp_of(S1), 28);
}

#[test]
fn tm_12_51_bridges_between_own_structures_on_passing() {
    let table = Table::of(&[Engineers, Nomads])
        .at(S1, SH, &["E8"])
        .at(S1, D, &["G3", "G2"]);
    let table = table.bridge(S1, "E8", "G3").bridge(S1, "G2", "H4");
    assert_eq!(table.play(S1, &pass(BonusCard::Bon4)).vp_of(S1), 23);
}

#[test]
fn tm_12_52_coins_gather_on_unwanted_cards() {
    let mut table = super::setup::after_first_cards();
    let pool: Vec<BonusCard> = table
        .view(Spectator)
        .bonus_pool
        .iter()
        .map(|pooled| pooled.card)
        .collect();
    // Everybody passes in round 1, and nobody takes the first of them.
    for _ in 0..2 {
        let (seat, _) = table.decision().unwrap();
        let other = table
            .state
            .pool
            .iter()
            .find(|pooled| pooled.card != pool[0])
            .unwrap()
            .card;
        table = table.play(seat, &pass(other));
    }
    assert_eq!(table.state.round, 2);
    let (seat, _) = table.decision().unwrap();
    let coins = table.p(seat).coins;
    assert_eq!(table.play(seat, &pass(pool[0])).p(seat).coins, coins + 2);
}

#[test]
fn tm_12_53_cult_spades_give_the_alchemists_power() {
    let table = Table::of(&[Alchemists, Nomads])
        .at(S1, SH, &["E5"])
        .at(S2, D, &["A5"])
        .bowls(S1, [2, 2, 2]);
    let table = table.cult_spades(S1, 1);
    let table = table.play(
        S1,
        &cult_spades(&[("E4", gamekeeper_rules::terra_mystica::data::Terrain::Swamp)]),
    );
    assert_eq!(table.terrain_of("E4"), Swamp);
    // Two power of the spade; the income of the next round has no tile on these tables.
    let spade = "Seat 1 receives 2 power for spades.";
    assert!(table.sentences().iter().any(|text| text == spade));
    assert_eq!(bowls_before_income(&table), [0, 4, 2]);
}

/// The bowls of seat 1 before the income. The seat has the Alchemists' stronghold (6 coins) and BON3, which give no
/// power.
fn bowls_before_income(table: &Table) -> [u8; 3] {
    assert_eq!(table.state.income(S1).power, 0);
    table.p(S1).bowls
}

#[test]
fn tm_12_54_giants_lose_the_third_cult_spade() {
    let table = Table::of(&[Giants, Nomads])
        .at(S1, D, &["D4"])
        .at(S2, D, &["A5"])
        .cult_spades(S1, 3);
    let table = table.play(S1, &cult_spades(&[("E7", Wasteland)]));
    assert_eq!(table.terrain_of("E7"), Wasteland);
    assert_eq!(table.decision(), Some((S1, Decision::Turn)));
}

#[test]
fn tm_12_55_resources_at_the_end() {
    let table = Table::of(&[Nomads, Witches])
        .goods(S1, 2, 4, 1)
        .bowls(S1, [3, 5, 2]);
    let table = finish(table);
    assert_eq!(table.final_vp(S1, "resources"), 3);
    assert_eq!(
        (table.goods_of(S1), table.p(S1).bowls),
        ((2, 4, 1), [3, 5, 2])
    );
}

fn finish(table: Table) -> Table {
    let mut table = table.round(6, ScoringTile::Score2);
    while let Some((seat, _)) = table.decision() {
        table = table.play(seat, &LAST_PASS);
    }
    table
}

#[test]
fn tm_12_56_players_at_zero_take_no_rank() {
    let table = Table::of(&[Dwarves, Witches, Nomads])
        .cults(S1, [0, 0, 5, 0])
        .cults(S3, [0; 4]);
    let table = finish(table);
    let earth = [S1, S2, S3].map(|seat| table.final_vp(seat, "earth"));
    assert_eq!(earth, [8, 0, 0]);
}
