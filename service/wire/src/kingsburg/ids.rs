//! Names of what lies on the table, and amounts of goods.

use gamekeeper_rules::kingsburg::{
    Advisor, Building, Color, DiceSet, Enemy, EnemyKind, EnvoyUse, Good, Goods, Outcome, Phase,
    Step,
};

use super::pb;
use crate::names::names;

names! { Good => pb::Good { Gold, Wood, Stone } }
names! { Color => pb::Color { Yellow, Green, Blue, Red, Black } }
names! {
    Advisor => pb::Advisor {
        Jester, Squire, Architect, Merchant, Sergeant, Alchemist, Astronomer, Treasurer,
        MasterHunter, General, Swordsmith, Duchess, Champion, Smuggler, Inventor, Wizard, Queen,
        King,
    }
}
names! {
    Building => pb::Building {
        Statue, Chapel, Church, Cathedral, Inn, Market, Farms, MerchantsGuild, GuardTower,
        Blacksmith, Barracks, WizardsGuild, Palisade, Stable, StoneWall, Fortress, Barricade,
        Crane, TownHall, Embassy,
    }
}
names! { EnemyKind => pb::EnemyKind { Barbarians, Goblins, Orcs, Zombies, Demons, Dragons } }
names! {
    Enemy => pb::Enemy {
        Y1Barbarians2, Y1Goblins2, Y1Goblins3, Y1Orcs3, Y1Zombies4,
        Y2Goblins3, Y2Goblins4, Y2Orcs4, Y2Barbarians5, Y2Zombies5,
        Y3Goblins4, Y3Goblins5, Y3Orcs5, Y3Zombies6, Y3Demons6,
        Y4Goblins5, Y4Goblins6, Y4Demons6, Y4Orcs7, Y4Zombies7,
        Y5Barbarians7, Y5Barbarians8, Y5Demons8, Y5Demons9, Y5Dragons9,
    }
}
names! {
    Phase => pb::Phase {
        KingsAid, Spring, KingsReward, Summer, KingsEnvoy, Autumn, Recruit, Winter,
    }
}
names! {
    Step => pb::Step {
        EnvoyDeclaration, Neutral, Income, Roll, Reroll, Order, SetAside, Influence, Help, Build,
        SeasonEnd, Reveal, KingDie, Strength, Resolve, Strongest, Cleanup, Final,
    }
}
names! { EnvoyUse => pb::EnvoyUse { Advisor, SecondBuilding, Nothing } }
names! { Outcome => pb::Outcome { Victory, Standoff, Defeat } }

pub(super) fn goods(goods: Goods) -> pb::Goods {
    pb::Goods {
        gold: u32::from(goods.gold),
        wood: u32::from(goods.wood),
        stone: u32::from(goods.stone),
    }
}

/// The numbers of dice, ascending.
pub(super) fn dice(dice: DiceSet) -> Vec<u32> {
    dice.iter().map(|die| u32::from(die.number())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Name;
    use crate::names::tests::check_names;

    /// The contract spells every id as the data file does, in capitals after the enum's own name.
    fn check_ids<N: Name + Copy>(
        all: &[N],
        prefix: &str,
        id: fn(N) -> &'static str,
        spelt: fn(i32) -> &'static str,
    ) {
        for &name in all {
            assert_eq!(
                spelt(name.number()),
                format!("{prefix}_{}", id(name).to_uppercase())
            );
        }
    }

    macro_rules! spelt {
        ($pb:ty) => {
            |number| <$pb>::try_from(number).unwrap().as_str_name()
        };
    }

    #[test]
    fn names_keep_their_order() {
        check_names(&Good::ALL);
        check_names(&Color::ALL);
        check_names(&Advisor::ALL);
        check_names(&Building::ALL);
        check_names(&EnemyKind::ALL);
        check_names(&Enemy::ALL);
        check_names(&Phase::ALL);
        check_names(&Step::ALL);
        check_names(&EnvoyUse::ALL);
        check_names(&Outcome::ALL);
    }

    #[test]
    fn names_are_the_ids() {
        check_ids(&Good::ALL, "GOOD", Good::id, spelt!(pb::Good));
        check_ids(&Color::ALL, "COLOR", Color::id, spelt!(pb::Color));
        check_ids(&Advisor::ALL, "ADVISOR", Advisor::id, spelt!(pb::Advisor));
        check_ids(
            &Building::ALL,
            "BUILDING",
            Building::id,
            spelt!(pb::Building),
        );
        check_ids(
            &EnemyKind::ALL,
            "ENEMY_KIND",
            EnemyKind::id,
            spelt!(pb::EnemyKind),
        );
        check_ids(&Enemy::ALL, "ENEMY", Enemy::id, spelt!(pb::Enemy));
        check_ids(&Phase::ALL, "PHASE", Phase::id, spelt!(pb::Phase));
        check_ids(&Step::ALL, "STEP", Step::id, spelt!(pb::Step));
        check_ids(&Outcome::ALL, "OUTCOME", Outcome::id, spelt!(pb::Outcome));
    }

    #[test]
    fn numbers_are_those_of_the_board() {
        for advisor in Advisor::ALL {
            assert_eq!(advisor.number(), Name::number(advisor).try_into().unwrap());
        }
        for phase in Phase::ALL {
            assert_eq!(i32::from(Phase::number(phase)), Name::number(phase));
        }
        for enemy in Enemy::ALL {
            assert_eq!(i32::from(Enemy::number(enemy)), Name::number(enemy));
        }
    }
}
