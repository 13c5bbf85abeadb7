//! The 13 point cards and the stacks of tokens on them (MYT-3.7).

use enumset::EnumSet;

use crate::table::ids;

ids! {
    /// A point card: three are always in play, of the other ten four are drawn.
    #[derive(enumset::EnumSetType)]
    #[enumset(no_super_impls, serialize_repr = "u16")]
    PointCard {
        City "city" "City",
        Castle "castle" "Castle",
        Road "road" "Road",
        Citadel "citadel" "Citadel",
        DefenderOfTheRealm "defender_of_the_realm" "Defender of the Realm",
        GuildCity "guild_city" "Guild City",
        HereBeDragons "here_be_dragons" "Here be Dragons",
        LordOfTheIsles "lord_of_the_isles" "Lord of the Isles",
        MasterOfTheSeas "master_of_the_seas" "Master of the Seas",
        Patronage "patronage" "Patronage",
        RoadsideInns "roadside_inns" "Roadside Inns",
        Runestones "runestones" "Runestones",
        SpoilsOfWar "spoils_of_war" "Spoils of War",
    }
}

/// A set of point cards.
pub type PointCardSet = EnumSet<PointCard>;

impl PointCard {
    /// The cards that are always in play.
    pub const FIXED: [Self; 3] = [Self::City, Self::Castle, Self::Road];

    /// The stacks of tokens of the card: one, or two where each token has its own slot.
    #[must_use]
    pub const fn stacks(self) -> &'static [Stack] {
        match self {
            Self::City => &[Stack::City],
            Self::Castle => &[Stack::Castle],
            Self::Road => &[Stack::Road],
            Self::Citadel => &[Stack::Citadel],
            Self::DefenderOfTheRealm => &[Stack::DefenderOfTheRealm],
            Self::GuildCity => &[Stack::GuildCity],
            Self::HereBeDragons => &[Stack::HereBeDragons],
            Self::LordOfTheIsles => &[Stack::LargeIsland, Stack::SmallIsland],
            Self::MasterOfTheSeas => &[Stack::ThreeSeas, Stack::FourSeas],
            Self::Patronage => &[Stack::Patronage],
            Self::RoadsideInns => &[Stack::RoadsideInns],
            Self::Runestones => &[Stack::Runestones],
            Self::SpoilsOfWar => &[Stack::SpoilsOfWar],
        }
    }
}

ids! {
    /// A slot of Lord of the Isles or Master of the Seas that holds one token.
    Slot {
        LargeIsland "large_island" "large island",
        SmallIsland "small_island" "small island",
        ThreeSeas "three_seas" "three seas",
        FourSeas "four_seas" "four seas",
    }
}

ids! {
    /// Tokens of one value at one place of a point card.
    Stack {
        City "city" "City",
        Castle "castle" "Castle",
        Road "road" "Road",
        Citadel "citadel" "Citadel",
        DefenderOfTheRealm "defender_of_the_realm" "Defender of the Realm",
        GuildCity "guild_city" "Guild City",
        HereBeDragons "here_be_dragons" "Here be Dragons",
        LargeIsland "large_island" "Lord of the Isles, large island",
        SmallIsland "small_island" "Lord of the Isles, small island",
        ThreeSeas "three_seas" "Master of the Seas, three seas",
        FourSeas "four_seas" "Master of the Seas, four seas",
        Patronage "patronage" "Patronage",
        RoadsideInns "roadside_inns" "Roadside Inns",
        Runestones "runestones" "Runestones",
        SpoilsOfWar "spoils_of_war" "Spoils of War",
    }
}

/// The number of tokens on each fixed card, with two players and with more.
pub const FIXED_TOKENS: [u8; 2] = [6, 7];

impl Stack {
    /// The card that the stack lies on.
    #[must_use]
    pub const fn card(self) -> PointCard {
        match self {
            Self::City => PointCard::City,
            Self::Castle => PointCard::Castle,
            Self::Road => PointCard::Road,
            Self::Citadel => PointCard::Citadel,
            Self::DefenderOfTheRealm => PointCard::DefenderOfTheRealm,
            Self::GuildCity => PointCard::GuildCity,
            Self::HereBeDragons => PointCard::HereBeDragons,
            Self::LargeIsland | Self::SmallIsland => PointCard::LordOfTheIsles,
            Self::ThreeSeas | Self::FourSeas => PointCard::MasterOfTheSeas,
            Self::Patronage => PointCard::Patronage,
            Self::RoadsideInns => PointCard::RoadsideInns,
            Self::Runestones => PointCard::Runestones,
            Self::SpoilsOfWar => PointCard::SpoilsOfWar,
        }
    }

    /// The slot, where the card has slots.
    #[must_use]
    pub const fn slot(self) -> Option<Slot> {
        match self {
            Self::LargeIsland => Some(Slot::LargeIsland),
            Self::SmallIsland => Some(Slot::SmallIsland),
            Self::ThreeSeas => Some(Slot::ThreeSeas),
            Self::FourSeas => Some(Slot::FourSeas),
            Self::City
            | Self::Castle
            | Self::Road
            | Self::Citadel
            | Self::DefenderOfTheRealm
            | Self::GuildCity
            | Self::HereBeDragons
            | Self::Patronage
            | Self::RoadsideInns
            | Self::Runestones
            | Self::SpoilsOfWar => None,
        }
    }

    /// The printed value of the tokens; the value of those on the Castle card is a rule switch (MYT-A1).
    #[must_use]
    pub const fn printed_value(self) -> u8 {
        match self {
            Self::Citadel | Self::LargeIsland => 3,
            Self::City
            | Self::Castle
            | Self::Road
            | Self::HereBeDragons
            | Self::SmallIsland
            | Self::ThreeSeas
            | Self::FourSeas
            | Self::Runestones => 2,
            Self::DefenderOfTheRealm
            | Self::GuildCity
            | Self::Patronage
            | Self::RoadsideInns
            | Self::SpoilsOfWar => 1,
        }
    }

    /// The number of tokens at the start of a game of this many players.
    #[must_use]
    pub const fn tokens(self, players: usize) -> u8 {
        match self {
            Self::City | Self::Castle | Self::Road => {
                FIXED_TOKENS[if players == 2 { 0 } else { 1 }]
            }
            Self::Citadel
            | Self::LargeIsland
            | Self::SmallIsland
            | Self::ThreeSeas
            | Self::FourSeas => 1,
            Self::HereBeDragons => 3,
            Self::GuildCity | Self::RoadsideInns | Self::Runestones => 4,
            Self::Patronage => 5,
            Self::DefenderOfTheRealm | Self::SpoilsOfWar => 6,
        }
    }
}
