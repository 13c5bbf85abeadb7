//! The effects of cards and point cards, in plain English (MYT-3.6, 3.7, chapter 7).

use super::card::{Card, CardKind, Improvement, Start};
use super::points::PointCard;
use crate::table::ids;

ids! {
    /// The way in which the ability of a card is used (MYT-3.6).
    Ability {
        Action "action",
        Free "free" "free action",
        Benefit "benefit",
        Reserve "reserve" "reserve ability",
    }
}

impl Card {
    /// The way in which the ability is used. Returns `None` if the card only has symbols.
    #[must_use]
    pub fn ability(self) -> Option<Ability> {
        match self.kind() {
            CardKind::Start(_, start, _) => start.improvement().ability(),
            CardKind::Province(_) => Some(Ability::Benefit),
            CardKind::Improvement(improvement) => improvement.ability(),
        }
    }

    /// The effect of the card's ability.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self.kind() {
            CardKind::Start(_, start, _) => start.improvement().text(),
            CardKind::Province(_) => {
                "Site card: invade from the province, or build in it. Where a road joins it to \
                 another province of yours, it serves there too."
            }
            CardKind::Improvement(improvement) => improvement.text(),
        }
    }

    /// The rule of the card's ability.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self.kind() {
            CardKind::Start(_, start, _) => start.improvement().rule(),
            CardKind::Province(_) => "MYT-7.30",
            CardKind::Improvement(improvement) => improvement.rule(),
        }
    }
}

impl Start {
    /// The improvement of the same name, which has the same ability (MYT-3.6).
    const fn improvement(self) -> Improvement {
        match self {
            Self::Build => Improvement::Build,
            Self::Army => Improvement::Army,
            Self::Market => Improvement::Market,
            Self::Ship => Improvement::Ship,
        }
    }
}

impl Improvement {
    const fn ability(self) -> Option<Ability> {
        match self {
            Self::Alchemist | Self::Build | Self::Diplomat => Some(Ability::Action),
            Self::Counsellor
            | Self::Marauders
            | Self::Mercenary
            | Self::Militia
            | Self::Mystic
            | Self::Philosopher
            | Self::Providence => Some(Ability::Free),
            Self::General
            | Self::Hero
            | Self::Merchant
            | Self::Portal
            | Self::Ship
            | Self::WaterMill => Some(Ability::Benefit),
            Self::Cavalry
            | Self::Farming
            | Self::GoldMine
            | Self::Levies
            | Self::Limes
            | Self::Quarry
            | Self::Queen
            | Self::Ranger
            | Self::ReserveArmy
            | Self::Scribe
            | Self::Warehouse => Some(Ability::Reserve),
            Self::Army | Self::Market => None,
        }
    }

    #[rustfmt::skip]
    const fn text(self) -> &'static str {
        match self {
            Self::Alchemist => "Give a token of value 1 or 2 to the bank and take one of the next value from there.",
            Self::Army => "No ability: played for 2 armies, or for 1 gold.",
            Self::Build => "Build a city, a castle or a road. The stone of this card does not count towards the price.",
            Self::Cavalry => "You are 1 stronger wherever you attack.",
            Self::Counsellor => "Discard at least one other card of your hand, draw as many, and one more. Cards of your reserve may be discarded too; they are not replaced.",
            Self::Diplomat => "Pay 1 gold to end a war that you take part in. Nobody wins: armies and mercenaries go home, nothing changes hands, no token is taken.",
            Self::Farming => "Once in your turn any card counts as a card with 1 food.",
            Self::General => "Site card of any province that you control, to invade from there or to build there.",
            Self::GoldMine => "Once in your turn any card counts as a card with 1 gold.",
            Self::Hero => "When you end a war and share the highest strength in it, you win it.",
            Self::Levies => "Once in your turn any card counts as a card with 1 army.",
            Self::Limes => "You are 1 stronger wherever you defend a province of yours.",
            Self::Marauders => "Send one army of any player, in any province, home to its stock.",
            Self::Market => "No ability: played for 1 gold, or 1 food, or 1 stone.",
            Self::Mercenary => "Pay 1 gold to put 1 or 2 mercenaries into a province where you have an army.",
            Self::Merchant => "Played with a card that gives food, stone or gold: it gives 1 of another of these instead.",
            Self::Militia => "Take an army from your pool into your stock.",
            Self::Mystic => "Pay 1 gold to take a card of your discard pile into your hand: neither Mystic nor the gold.",
            Self::Philosopher => "Look at the top 3 face-down improvements and take one into your hand; the others go back in their order. Philosopher leaves the game.",
            Self::Portal => "Invade any province that you do not control for 1 food, without site card, border or ships.",
            Self::Providence => "Draw 2 cards.",
            Self::Quarry => "Once in your turn any card counts as a card with 1 stone.",
            Self::Queen => "Your hand limit is 1 higher.",
            Self::Ranger => "For you hills are open land and mountains are hills. You are 1 stronger where you attack rugged terrain.",
            Self::ReserveArmy => "While you are at war with another player, only those who take part in a war in a province of yours may invade it, and you may invade nothing but the province of your only war with players.",
            Self::Scribe => "Whenever you may take a token from a point card in play, you may take one of its value from the bank instead, even if the card is empty.",
            Self::Ship => "Carries an invasion over one sea area.",
            Self::Warehouse => "Your hand limit is 2 higher. Once in your turn put a card of your hand into your reserve, as a free action.",
            Self::WaterMill => "Played with a card that gives food, stone or gold: it gives twice as much.",
        }
    }

    const fn rule(self) -> &'static str {
        match self {
            Self::Alchemist => "MYT-7.1",
            Self::Army => "MYT-7.2",
            Self::Build => "MYT-7.3",
            Self::Cavalry => "MYT-7.4",
            Self::Counsellor => "MYT-7.5",
            Self::Diplomat => "MYT-7.6",
            Self::Farming => "MYT-7.7",
            Self::General => "MYT-7.8",
            Self::GoldMine => "MYT-7.9",
            Self::Hero => "MYT-7.10",
            Self::Levies => "MYT-7.11",
            Self::Limes => "MYT-7.12",
            Self::Marauders => "MYT-7.13",
            Self::Market => "MYT-7.14",
            Self::Mercenary => "MYT-7.15",
            Self::Merchant => "MYT-7.16",
            Self::Militia => "MYT-7.17",
            Self::Mystic => "MYT-7.18",
            Self::Philosopher => "MYT-7.19",
            Self::Portal => "MYT-7.20",
            Self::Providence => "MYT-7.21",
            Self::Quarry => "MYT-7.22",
            Self::Queen => "MYT-7.23",
            Self::Ranger => "MYT-7.24",
            Self::ReserveArmy => "MYT-7.25",
            Self::Scribe => "MYT-7.26",
            Self::Ship => "MYT-7.27",
            Self::Warehouse => "MYT-7.28",
            Self::WaterMill => "MYT-7.29",
        }
    }
}

impl PointCard {
    /// The condition under which a token may be taken from the point card.
    #[rustfmt::skip]
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::City => "When you build a city.",
            Self::Castle => "When you build a castle.",
            Self::Road => "When you build a road.",
            Self::Citadel => "When you capture a province in which another player's citadel stands. Before the first turn everybody places their citadel.",
            Self::DefenderOfTheRealm => "When a war in a province of yours ends and you win it; one token for each war.",
            Self::GuildCity => "Right after you build a city, for 1 gold.",
            Self::HereBeDragons => "When you capture a province with a dragon. Five dragons are placed before the first turn.",
            Self::LordOfTheIsles => "When you gain a province of an island and then control all of it: value 3 for the large island, 2 for the small one.",
            Self::MasterOfTheSeas => "When you come to have ships in three sea areas, and when in all four; each once for every player.",
            Self::Patronage => "As an action, for 2 gold.",
            Self::RoadsideInns => "Right after you build a road, for 1 gold.",
            Self::Runestones => "When you capture a province with a runestone. Five runestones are placed before the first turn.",
            Self::SpoilsOfWar => "When you capture a province from another player.",
        }
    }

    /// The rule of the card.
    #[must_use]
    pub const fn rule(self) -> &'static str {
        match self {
            Self::City => "MYT-7.40",
            Self::Castle => "MYT-7.41",
            Self::Road => "MYT-7.42",
            Self::Citadel => "MYT-7.43",
            Self::DefenderOfTheRealm => "MYT-7.44",
            Self::GuildCity => "MYT-7.45",
            Self::HereBeDragons => "MYT-7.46",
            Self::LordOfTheIsles => "MYT-7.47",
            Self::MasterOfTheSeas => "MYT-7.48",
            Self::Patronage => "MYT-7.49",
            Self::RoadsideInns => "MYT-7.50",
            Self::Runestones => "MYT-7.51",
            Self::SpoilsOfWar => "MYT-7.52",
        }
    }
}
