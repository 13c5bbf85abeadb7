//! Names of terrains, structures, factions, tiles and actions, and goods.

use gamekeeper_rules::terra_mystica::data::{
    BonusCard, Cult, Faction, FavorTile, Goods, PowerAction, PriestSlot, ScoringTile,
    SpecialAction, Structure, Terrain, TownTile,
};
use gamekeeper_rules::terra_mystica::{Conversion, Direction};

use super::pb;
use crate::Malformed;
use crate::names::{Name, names};

names! { Terrain => pb::Terrain { Desert, Plains, Swamp, Lakes, Forest, Mountains, Wasteland } }
names! { Structure => pb::Structure { Dwelling, TradingHouse, Temple, Stronghold, Sanctuary } }
names! { Faction => pb::Faction { Auren, Witches, Alchemists, Darklings, Halflings, Cultists, Engineers, Dwarves, Mermaids, Swarmlings, ChaosMagicians, Giants, Fakirs, Nomads } }
names! { Cult => pb::Cult { Fire, Water, Earth, Air } }
names! { PriestSlot => pb::PriestSlot { Three, Two, Supply } }
names! { PowerAction => pb::PowerAction { Act1, Act2, Act3, Act4, Act5, Act6 } }
names! { SpecialAction => pb::SpecialAction { Bon1, Bon2, Fav6, ActA, ActW, ActS, ActC, ActG, ActN } }
names! { FavorTile => pb::FavorTile { Fav1, Fav2, Fav3, Fav4, Fav5, Fav6, Fav7, Fav8, Fav9, Fav10, Fav11, Fav12 } }
names! { TownTile => pb::TownTile { Tw1, Tw2, Tw3, Tw4, Tw5, Tw6, Tw7, Tw8 } }
names! { BonusCard => pb::BonusCard { Bon1, Bon2, Bon3, Bon4, Bon5, Bon6, Bon7, Bon8, Bon9, Bon10 } }
names! { ScoringTile => pb::ScoringTile { Score1, Score2, Score3, Score4, Score5, Score6, Score7, Score8, Score9 } }
names! { Conversion => pb::Conversion { PowerToPriest, PowerToWorker, PowerToCoin, PriestToWorker, WorkerToCoin, AlchemyVpToCoin, AlchemyCoinToVp } }
names! { Direction => pb::Direction { Short, Long } }

/// The name with this number; what names nothing is malformed.
pub(super) fn named<N: Name>(number: i32, field: &str) -> Result<N, Malformed> {
    N::named(number).ok_or_else(|| Malformed::new(field, format!("{number} names nothing")))
}

pub(super) fn goods(goods: Goods) -> pb::Goods {
    pb::Goods {
        coins: u32::from(goods.coins),
        workers: u32::from(goods.workers),
        priests: u32::from(goods.priests),
        power: u32::from(goods.power),
    }
}

pub(super) fn cults(counts: [u8; 4]) -> pb::CultCounts {
    let [fire, water, earth, air] = counts.map(u32::from);
    pb::CultCounts {
        fire,
        water,
        earth,
        air,
    }
}

pub(super) fn bowls(bowls: [u8; 3]) -> pb::PowerBowls {
    let [first, second, third] = bowls.map(u32::from);
    pb::PowerBowls {
        first,
        second,
        third,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::tests::check_names;

    #[test]
    fn names_keep_their_order() {
        check_names(&Terrain::ALL);
        check_names(&Structure::ALL);
        check_names(&Faction::ALL);
        check_names(&Cult::ALL);
        check_names(&PriestSlot::ALL);
        check_names(&PowerAction::ALL);
        check_names(&SpecialAction::ALL);
        check_names(&FavorTile::ALL);
        check_names(&TownTile::ALL);
        check_names(&BonusCard::ALL);
        check_names(&ScoringTile::ALL);
        check_names(&Conversion::ALL);
        check_names(&[Direction::Short, Direction::Long]);
    }

    #[test]
    fn ids_are_those_of_the_data() {
        for card in BonusCard::ALL {
            let on_the_wire = pb::BonusCard::try_from(card.number())
                .unwrap()
                .as_str_name();
            assert_eq!(on_the_wire, format!("BONUS_CARD_{}", card.id()));
        }
        for faction in Faction::ALL {
            let on_the_wire = pb::Faction::try_from(faction.number())
                .unwrap()
                .as_str_name();
            assert_eq!(
                on_the_wire,
                format!("FACTION_{}", faction.id().to_uppercase())
            );
        }
    }

    #[test]
    fn a_number_without_a_name_is_malformed() {
        assert_eq!(named::<Cult>(1, "cult"), Ok(Cult::Fire));
        assert_eq!(named::<Cult>(0, "cult").unwrap_err().field, "cult");
        assert!(named::<Cult>(5, "cult").is_err());
    }
}
