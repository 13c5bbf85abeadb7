//! The printed figures, by sums over all factions and tiles: a wrong digit changes a sum.

use crate::table::Refusal as _;
use crate::terra_mystica::Refusal;
use crate::terra_mystica::data::Spades;
use crate::terra_mystica::data::{
    BonusCard, Cult, Faction, FavorTile, Goods, Introduction, PowerAction, ScoringReward,
    ScoringTile, SpecialAction, Structure, Terrain, TownTile, cult_power_between,
};

fn sum(goods: impl Iterator<Item = Goods>) -> (u16, u16, u16, u16) {
    let all = goods.fold(Goods::NONE, Goods::and);
    (all.workers, all.coins, all.priests, all.power)
}

fn by_count<const N: usize>(of: impl Fn(Faction) -> [u8; N]) -> [u16; N] {
    let mut sums = [0; N];
    for faction in Faction::ALL {
        for (sum, one) in sums.iter_mut().zip(of(faction)) {
            *sum += u16::from(one);
        }
    }
    sums
}

#[test]
fn boards_at_the_start() {
    let start = Faction::ALL.iter().map(|faction| faction.sheet().start);
    assert_eq!(sum(start), (44, 210, 1, 0));
    assert_eq!(by_count(|faction| faction.sheet().bowls), [64, 104, 0]);
    assert_eq!(by_count(|faction| faction.sheet().cults), [8, 6, 7, 7]);
    assert_eq!(by_count(|faction| [faction.sheet().dwellings]), [28]);
    assert!(
        Faction::ALL
            .iter()
            .all(|faction| faction.sheet().bowls.iter().sum::<u8>() == 12)
    );
    for color in Terrain::ALL {
        assert_eq!(
            Faction::ALL
                .iter()
                .filter(|faction| faction.home() == color)
                .count(),
            2
        );
    }
}

#[test]
fn prices() {
    let costs = |structure| {
        sum(Faction::ALL
            .iter()
            .map(|faction| faction.sheet().cost(structure)))
    };
    assert_eq!(costs(Structure::Dwelling), (15, 28, 0, 0));
    assert_eq!(costs(Structure::TradingHouse), (28, 84, 0, 0));
    assert_eq!(costs(Structure::Temple), (28, 70, 0, 0));
    assert_eq!(costs(Structure::Stronghold), (56, 94, 0, 0));
    assert_eq!(costs(Structure::Sanctuary), (56, 98, 0, 0));
    let near = Faction::ALL
        .iter()
        .map(|faction| faction.sheet().trading_house_near_others);
    assert_eq!(sum(near), (28, 42, 0, 0));
    let steps = Faction::ALL
        .iter()
        .filter_map(|faction| match faction.sheet().spades {
            Spades::Workers { max_level, step } => Some((max_level, step)),
            Spades::Priests => None,
        });
    assert_eq!(sum(steps.clone().map(|(_, step)| step)), (26, 61, 13, 0));
    assert_eq!(steps.map(|(level, _)| level).sum::<u8>(), 25);
}

#[test]
fn incomes() {
    let income = |faction: Faction| faction.sheet().income;
    let workers = by_count(|faction| income(faction).dwelling_workers);
    assert_eq!(workers, [14, 28, 42, 55, 69, 83, 96, 110, 111]);
    assert_eq!(
        by_count(|faction| income(faction).trading_house_coins),
        [0, 29, 57, 87, 121]
    );
    assert_eq!(
        by_count(|faction| income(faction).trading_house_power),
        [0, 15, 30, 56, 82]
    );
    assert_eq!(
        by_count(|faction| income(faction).temple_priests),
        [0, 14, 27, 41]
    );
    assert_eq!(
        by_count(|faction| income(faction).temple_power),
        [0, 0, 5, 5]
    );
    let strongholds = Faction::ALL
        .iter()
        .map(|&faction| income(faction).stronghold);
    assert_eq!(sum(strongholds), (2, 6, 1, 28));
    let sanctuaries = Faction::ALL
        .iter()
        .map(|&faction| income(faction).sanctuary);
    assert_eq!(sum(sanctuaries), (0, 0, 16, 0));
}

#[test]
fn shipping_tracks() {
    let tracks = || {
        Faction::ALL
            .iter()
            .filter_map(|faction| faction.sheet().shipping)
    };
    assert_eq!(tracks().count(), 12);
    assert_eq!(tracks().map(|track| track.max).sum::<u8>(), 11 * 3 + 5);
    let vp = |faction: Faction| {
        let track = faction.sheet().shipping.expect("a track");
        (track.start + 1..=track.max)
            .map(|level| track.vp(level))
            .collect::<Vec<_>>()
    };
    assert_eq!(vp(Faction::Witches), [2, 3, 4]);
    assert_eq!(vp(Faction::Mermaids), [2, 3, 4, 5]);
}

#[test]
fn structures_and_power_values() {
    let all = Structure::ALL.iter();
    assert_eq!(
        all.clone().map(|structure| structure.stock()).sum::<u8>(),
        17
    );
    assert_eq!(
        all.map(|structure| structure.stock() * structure.power())
            .sum::<u8>(),
        28
    );
    let upgrades = Structure::ALL.iter().flat_map(|&from| {
        Structure::ALL
            .iter()
            .filter(move |&&to| from.upgrades_to(to))
    });
    assert_eq!(upgrades.count(), 4);
}

#[test]
fn tiles_and_cards() {
    assert_eq!(
        FavorTile::ALL.iter().map(|tile| tile.copies()).sum::<u8>(),
        28
    );
    assert_eq!(
        FavorTile::ALL.iter().map(|tile| tile.steps()).sum::<u8>(),
        4 * 6
    );
    for cult in Cult::ALL {
        assert_eq!(
            FavorTile::ALL
                .iter()
                .filter(|tile| tile.cult() == cult)
                .count(),
            3
        );
    }
    assert_eq!(
        sum(FavorTile::ALL.iter().map(|tile| tile.income())),
        (1, 3, 0, 5)
    );
    let towns = |optional| {
        TownTile::ALL
            .iter()
            .filter(move |tile| tile.is_optional() == optional)
    };
    assert_eq!(towns(false).map(|tile| tile.copies()).sum::<u8>(), 10);
    assert_eq!(towns(true).map(|tile| tile.copies()).sum::<u8>(), 4);
    assert_eq!(towns(false).map(|tile| tile.vp()).sum::<u16>(), 35);
    assert_eq!(towns(true).map(|tile| tile.vp()).sum::<u16>(), 17);
    assert_eq!(
        sum(TownTile::ALL.iter().map(|tile| tile.gain())),
        (2, 6, 1, 8)
    );
    assert_eq!(
        sum(BonusCard::ALL.iter().map(|card| card.income())),
        (4, 14, 1, 9)
    );
    assert_eq!(
        PowerAction::ALL
            .iter()
            .map(|action| action.power())
            .sum::<u8>(),
        24
    );
    assert_eq!((SpecialAction::ALL.len(), ScoringTile::ALL.len()), (9, 9));
    assert_eq!(
        ScoringTile::ALL.iter().map(|tile| tile.vp()).sum::<u16>(),
        31
    );
    let spades = ScoringTile::ALL
        .iter()
        .filter(|tile| matches!(tile.reward(), ScoringReward::Spade(_, 4)));
    assert_eq!(spades.count(), 3);
}

#[test]
fn power_of_the_cult_tracks() {
    assert_eq!(cult_power_between(0, 10), 8);
    let each: Vec<u8> = (0..10)
        .map(|from| cult_power_between(from, from + 1))
        .collect();
    assert_eq!(each, [0, 0, 1, 0, 2, 0, 2, 0, 0, 3]);
}

#[test]
fn distances_on_the_cycle() {
    let from = |terrain: Terrain| Terrain::ALL.iter().map(move |&to| terrain.spades_to(to));
    assert_eq!(
        from(Terrain::Desert).collect::<Vec<_>>(),
        [0, 1, 2, 3, 3, 2, 1]
    );
    assert!(
        Terrain::ALL
            .iter()
            .all(|&terrain| from(terrain).sum::<u8>() == 12)
    );
}

#[test]
fn the_first_game_fits_the_map() {
    for players in 2..=5 {
        let first = Introduction::of(players);
        assert_eq!(
            (first.factions.len(), first.cards.len()),
            (players, players + 3)
        );
        for (faction, lands) in first.factions {
            assert_eq!(lands.len(), usize::from(faction.sheet().dwellings));
            assert!(lands.iter().all(|land| land.printed() == faction.home()));
        }
    }
}

#[test]
fn refusals_have_the_codes_of_tm_6_70() {
    let codes = "INVALID_PLAYER_COUNT INVALID_OPTION NOT_YOUR_TURN WRONG_DECISION GAME_FINISHED MAIN_ACTION_DONE MAIN_ACTION_REQUIRED FOLLOW_UP_PENDING FACTION_TAKEN COLOR_TAKEN UNKNOWN_FACTION UNKNOWN_SPACE NOT_A_LAND_SPACE SPACE_OCCUPIED WRONG_TERRAIN SAME_TERRAIN NOT_REACHABLE LEAP_LIMIT TOO_MANY_SPACES SPACE_REPEATED MUST_REACH_HOME_FIRST NOT_ENOUGH_SPADES TARGET_NOT_HOME BUILD_SPACE_NOT_TRANSFORMED NOTHING_TO_DO CANNOT_AFFORD INSUFFICIENT_POWER INVALID_SACRIFICE NO_PIECE_LEFT TRACK_MAXED NO_SUCH_TRACK NOT_YOUR_STRUCTURE INVALID_UPGRADE PRIEST_SPACE_TAKEN ACTION_TAKEN ACTION_NOT_AVAILABLE NO_EFFECT INVALID_BRIDGE_SITE BRIDGE_SITE_TAKEN BRIDGE_NEEDS_STRUCTURE CARD_NOT_AVAILABLE CARD_REQUIRED CARD_NOT_ALLOWED TILE_NOT_AVAILABLE TILE_ALREADY_OWNED KEY_CHOICE_REQUIRED INVALID_KEY_CHOICE NOT_A_TOWN INVALID_AMOUNT CONVERSION_NOT_ALLOWED WRONG_FACTION";
    assert_eq!(Refusal::CODES, codes.split_whitespace().collect::<Vec<_>>());
}
