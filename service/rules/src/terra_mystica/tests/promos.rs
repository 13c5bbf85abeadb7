//! From TM-P.1: optional tiles and passing order.

use super::table::*;
use gamekeeper_rules::ruleset::{Ruleset, create};
use gamekeeper_rules::table::{Chance, Seat, Seed, Viewer};
use gamekeeper_rules::terra_mystica::data::Cult::{Earth, Fire, Water};
use gamekeeper_rules::terra_mystica::data::Faction::*;
use gamekeeper_rules::terra_mystica::data::{
    BonusCard, PriestSlot, ScoringTile, Terrain, TownTile,
};
use gamekeeper_rules::terra_mystica::{Decision, Draft, PromoTiles, TerraMystica, TurnOrder, View};

fn created(promo_tiles: PromoTiles, seed: u64) -> View {
    let draft = Draft {
        promo_tiles,
        ..Draft::default()
    };
    let options = options(4, &draft).unwrap();
    let made = create::<TerraMystica>(&options, Chance::from_seed(&Seed::from_number(seed)));
    TerraMystica::view(&made.state, Viewer::Spectator)
}

#[test]
fn tm_p_61_the_optional_tiles_are_there_or_not() {
    let all = PromoTiles {
        town_tiles: true,
        shipping_bonus_card: true,
        temple_scoring_tile: true,
    };
    let (mut with_card, mut with_tile) = (0, 0);
    for seed in 0..200 {
        let plain = created(PromoTiles::default(), seed);
        let towns: u8 = plain.town_pool.iter().map(|(_, left)| left).sum();
        assert_eq!(
            (
                towns,
                plain.bonus_pool.len(),
                plain.unused_bonus_cards.len()
            ),
            (10, 7, 2)
        );
        assert_eq!(plain.unused_scoring_tiles.len(), 2);
        let cards = plain.bonus_pool.iter().map(|pooled| pooled.card);
        assert!(
            !cards
                .chain(plain.unused_bonus_cards)
                .any(|card| card == BonusCard::Bon10)
        );
        assert!(!plain.scoring_tiles.contains(&ScoringTile::Score9));
        let full = created(all, seed);
        let towns: u8 = full.town_pool.iter().map(|(_, left)| left).sum();
        assert_eq!(
            (towns, full.bonus_pool.len(), full.unused_bonus_cards.len()),
            (14, 7, 3)
        );
        assert_eq!(full.unused_scoring_tiles.len(), 3);
        assert!(!full.scoring_tiles[4..].contains(&ScoringTile::Score1));
        with_card += u32::from(
            full.bonus_pool
                .iter()
                .any(|pooled| pooled.card == BonusCard::Bon10),
        );
        with_tile += u32::from(full.scoring_tiles.contains(&ScoringTile::Score9));
    }
    assert!(with_card > 100 && with_card < 200 && with_tile > 80 && with_tile < 200);
}

fn owed_town() -> Table {
    Table::of(&[Nomads, Witches])
        .all_tiles()
        .cults(S1, [8, 8, 5, 0])
        .keys(S1, 1)
        .bowls(S1, [12, 0, 0])
        .town(S1, None, &[])
}

#[test]
fn tm_p_62_two_keys_and_two_steps_everywhere() {
    let table = owed_town()
        .tile(ScoringTile::Score5)
        .play(S1, &town_tile(TownTile::Tw6, &[]));
    assert_eq!((table.p(S1).cults, table.p(S1).keys), ([10, 10, 7, 2], 0));
    assert_eq!((table.vp_of(S1), table.p(S1).bowls), (22, [4, 8, 0]));
}

#[test]
fn tm_p_63_three_tracks_and_two_keys() {
    let table = owed_town().cults(S1, [8, 8, 9, 0]);
    table.refuses(S1, town_tile(TownTile::Tw6, &[]), "KEY_CHOICE_REQUIRED");
    let table = table.play(S1, &town_tile(TownTile::Tw6, &[Fire, Earth]));
    assert_eq!((table.p(S1).cults, table.p(S1).keys), ([10, 9, 10, 2], 0));
    let none = owed_town().cults(S1, [8, 8, 9, 0]);
    none.refuses(S1, town_tile(TownTile::Tw6, &[Water]), "INVALID_KEY_CHOICE");
}

#[test]
fn tm_p_64_a_town_tile_with_a_shipping_step() {
    let table = Table::of(&[Swarmlings, Nomads])
        .all_tiles()
        .shipping(S1, 1)
        .goods(S1, 0, 0, 0);
    let table = table
        .town(S1, None, &[])
        .play(S1, &town_tile(TownTile::Tw7, &[]));
    assert_eq!((table.p(S1).shipping, table.vp_of(S1)), (2, 20 + 4 + 3 + 5));
    assert_eq!(table.p(S1).workers, 3);
}

#[test]
fn tm_p_65_no_step_at_the_end_of_the_track_or_without_one() {
    for faction in [Mermaids, Dwarves] {
        let table = Table::of(&[faction, Nomads])
            .all_tiles()
            .tile(ScoringTile::Score5);
        let level = if faction == Mermaids { 5 } else { 0 };
        let table = table.shipping(S1, level).town(S1, None, &[]).keys(S1, 1);
        let table = table.play(S1, &town_tile(TownTile::Tw7, &[]));
        assert_eq!(
            (table.p(S1).shipping, table.vp_of(S1), table.p(S1).keys),
            (level, 24, 1)
        );
    }
}

#[test]
fn tm_p_66_the_carpet_reaches_farther() {
    let table = Table::of(&[Fakirs, Witches])
        .at(S1, D, &["F3"])
        .all_tiles()
        .goods(S1, 3, 0, 1);
    let action = transform(&[("D5", Terrain::Swamp)], "");
    table.refuses(S1, &action, "NOT_REACHABLE");
    let others = table.clone().town(S1, Some(TownTile::Tw1), &[]);
    let others = others.town(S2, Some(TownTile::Tw7), &[]);
    others.refuses(S1, &action, "NOT_REACHABLE");
    let table = table.town(S1, Some(TownTile::Tw7), &[]).play(S1, &action);
    assert_eq!((table.goods_of(S1), table.vp_of(S1)), ((0, 0, 0), 24));
    assert_eq!(table.state.priest_supply(S1), 7);
}

#[test]
fn tm_p_67_there_is_one_tile_of_eleven() {
    let table = Table::of(&[Nomads, Witches])
        .all_tiles()
        .tile(ScoringTile::Score5);
    let table = table
        .town(S2, None, &[])
        .turn(S2)
        .play(S2, &town_tile(TownTile::Tw8, &[]));
    assert_eq!(table.vp_of(S2), 20 + 11 + 5);
    let table = table.turn(S1).town(S1, None, &[]);
    table.refuses(S1, town_tile(TownTile::Tw8, &[]), "TILE_NOT_AVAILABLE");
}

#[test]
fn tm_p_68_shipping_scores_on_passing() {
    for (faction, level, vp) in [(Witches, 2, 6), (Mermaids, 5, 15), (Fakirs, 0, 0)] {
        let table = Table::of(&[faction, Halflings])
            .all_tiles()
            .shipping(S1, level);
        let table = table
            .town(S1, Some(TownTile::Tw7), &[])
            .card(S1, BonusCard::Bon10);
        assert_eq!(table.play(S1, &pass(BonusCard::Bon4)).vp_of(S1), 20 + vp);
    }
}

#[test]
fn tm_p_69_temples_score_and_priests_bring_coins() {
    let table = Table::of(&[Nomads, Witches])
        .at(S1, TP, &["F3"])
        .at(S2, D, &["A3"])
        .all_tiles();
    let table = table.tile(ScoringTile::Score9).goods(S1, 9, 9, 1);
    let table = table.play(S1, &upgrade("F3", TE));
    assert_eq!(table.vp_of(S1), 24);
    let table = table
        .turn(S1)
        .priests_on_cults(S1, 3)
        .play(S1, &priest(Water, PriestSlot::Supply));
    let table = table
        .turn(S1)
        .play(S1, &pass(BonusCard::Bon4))
        .play(S2, &pass(BonusCard::Bon9));
    let coins = "Seat 1 receives 6 coins as the reward of SCORE9.";
    assert!(table.sentences().iter().any(|text| text == coins));
}

#[test]
fn tm_p_70_the_order_of_passing_is_the_next_turn_order() {
    let table = Table::of(&[Nomads, Witches, Halflings, Giants])
        .at(S1, D, &["F3"])
        .at(S2, D, &["F4"])
        .at(S3, D, &["E5"])
        .at(S4, D, &["E7"])
        .cults(S1, [0, 0, 4, 0])
        .cults(S2, [0, 0, 4, 0])
        .cults(S3, [0, 0, 8, 0])
        .cults(S4, [0, 0, 8, 0]);
    let mut table = table.tile(ScoringTile::Score2);
    table.state.rules.turn_order = TurnOrder::PassingOrder;
    for seat in [3, 1, 4, 2].map(|number| Seat::new(number).unwrap()) {
        let card = table.state.pool[0].card;
        table = table.turn(seat).play(seat, &pass(card));
    }
    for seat in [3, 1, 4, 2].map(|number| Seat::new(number).unwrap()) {
        assert_eq!(table.decision(), Some((seat, Decision::CultSpades)));
        table = table.play(seat, &cult_spades(&[]));
    }
    assert_eq!(table.decision(), Some((S3, Decision::Turn)));
    assert_eq!(table.state.turn_order.to_vec(), [S3, S1, S4, S2]);
    let table = table
        .terrain("E6", Terrain::Plains)
        .goods(S3, 9, 9, 0)
        .play(S3, &build("E6"));
    let offered: Vec<Seat> = table
        .view(Spectator)
        .power_offers
        .iter()
        .map(|offer| offer.seat)
        .collect();
    assert_eq!(offered, [S4, S1, S2]);
}
