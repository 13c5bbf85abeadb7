//! The abilities of the factions, in words for their players (TM-7.1).

use super::factions::Faction;

impl Faction {
    /// The abilities of the faction from the start. Empty if it has none that others lack.
    #[must_use]
    pub const fn ability(self) -> &'static str {
        match self {
            Self::Auren => "",
            Self::Witches => "Each town founded scores 5 VP more.",
            Self::Alchemists => {
                "On your turn and when you are offered power, you may change 1 VP into 1 coin, or 2 coins into 1 VP."
            }
            Self::Darklings => {
                "A bought spade costs a priest and scores 2 VP; there is no exchange track."
            }
            Self::Halflings => "Each spade obtained scores 1 VP.",
            Self::Cultists => {
                "When a neighbor takes power because of a building: one cult step; when no neighbor does: 1 power."
            }
            Self::Engineers => "As a main action: a bridge for 2 workers.",
            Self::Dwarves => {
                "Tunnels over one space when transforming and building: 2 workers, 4 VP. No shipping."
            }
            Self::Mermaids => {
                "Towns may reach over one river space, which then carries the tile. Shipping up to 5."
            }
            Self::Swarmlings => "Each town founded gives 3 workers.",
            Self::ChaosMagicians => {
                "Begins with one dwelling, placed last. Two favor tiles instead of one."
            }
            Self::Giants => "Every transformation takes exactly two spades and leads to wasteland.",
            Self::Fakirs => {
                "Flies over one space when transforming and building: 1 priest, 4 VP. No shipping."
            }
            Self::Nomads => "Begins with a third dwelling.",
        }
    }

    /// The abilities that the stronghold adds, besides income.
    #[must_use]
    pub const fn stronghold(self) -> &'static str {
        match self {
            Self::Auren => "Once a favor tile. Action: two steps on one cult.",
            Self::Witches => "Action: a free dwelling on any empty forest.",
            Self::Alchemists => "Once 12 power; from then on 2 power for each spade used.",
            Self::Darklings => "Once up to 3 workers become priests.",
            Self::Halflings => {
                "Once 3 spades, and a dwelling at its price on a space turned home by them."
            }
            Self::Cultists => "Once 7 VP.",
            Self::Engineers => {
                "On passing, 3 VP for each of your bridges between two of your structures."
            }
            Self::Dwarves => "Tunneling costs 1 worker.",
            Self::Mermaids => "Once a free step on the shipping track.",
            Self::Swarmlings => "Action: a dwelling becomes a trading house, free.",
            Self::ChaosMagicians => "Action: two main actions in a row.",
            Self::Giants => {
                "Action: two free spades for one space, and a dwelling there at its price."
            }
            Self::Fakirs => "The carpet flies over up to two spaces.",
            Self::Nomads => {
                "Action: an adjacent space becomes desert without spades, and a dwelling there at its price."
            }
        }
    }
}
