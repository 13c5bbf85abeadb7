//! Spades: sources, numbers for a transformation, prices (TM-3.9, J7).

use super::goods::score;
use super::reach::LeapRule;
use crate::table::Seat;
use crate::terra_mystica::action::{Direction, MAX_LIST};
use crate::terra_mystica::data::{Faction, Goods, STRONGHOLD_SPADES, Space, Spades, Terrain};
use crate::terra_mystica::event::{Event, VpSource};
use crate::terra_mystica::state::{ExecContext, State};

/// The source of the spades.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpadeSource {
    /// All spades are bought.
    Bought,
    Act5,
    Act6,
    Bon1,
    ActG,
    /// The Halflings' stronghold (TM-6.57).
    Stronghold,
    /// This many of a cult reward (TM-6.62).
    Cult(u8),
}

impl SpadeSource {
    pub const fn free(self) -> u8 {
        match self {
            Self::Bought => 0,
            Self::Act5 | Self::Bon1 => 1,
            Self::Act6 | Self::ActG => 2,
            Self::Stronghold => STRONGHOLD_SPADES,
            Self::Cult(spades) => spades,
        }
    }

    /// The paragraph that refusals of the action cite (TM-14.11).
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Bought => "TM-6.20",
            Self::Act5 | Self::Act6 => "TM-6.38",
            Self::Bon1 | Self::ActG => "TM-6.44",
            Self::Stronghold => "TM-6.57",
            Self::Cult(_) => "TM-6.62",
        }
    }

    /// The maximum number of spaces of one action.
    pub const fn max_spaces(self) -> usize {
        match self {
            Self::Bought | Self::Act5 | Self::Bon1 | Self::ActG => 1,
            Self::Act6 => 2,
            Self::Stronghold => 3,
            Self::Cult(_) => MAX_LIST,
        }
    }

    /// Returns whether spades may be bought in this action.
    pub const fn may_buy(self) -> bool {
        matches!(self, Self::Bought | Self::Act5 | Self::Act6 | Self::Bon1)
    }

    pub const fn leaps(self) -> LeapRule {
        if self.may_buy() {
            LeapRule::Allowed
        } else {
            LeapRule::Forbidden
        }
    }

    /// Returns whether all spaces except the last must become home terrain.
    pub const fn home_first(self) -> bool {
        !matches!(self, Self::Cult(_))
    }

    /// Returns whether nothing may be transformed, with or without a dwelling (TM-6.20 (7), TM-14.6).
    pub const fn may_idle(self, build_at: Option<Space>) -> bool {
        match self {
            Self::Bought => build_at.is_some(),
            Self::Bon1 | Self::ActG => false,
            // With a dwelling the stronghold is refused later: its space was not transformed.
            Self::Act5 | Self::Act6 | Self::Stronghold | Self::Cult(_) => true,
        }
    }
}

pub fn spade_price(state: &State, seat: Seat, spades: u8) -> Goods {
    let player = &state.players[seat];
    let spades = u16::from(spades);
    match player.sheet().spades {
        Spades::Workers { .. } => Goods::workers(spades * u16::from(3 - player.terraforming)),
        Spades::Priests => Goods::priests(spades),
    }
}

/// The number of spades that a transformation takes (J7, J14).
pub fn spades_for(faction: Faction, from: Terrain, target: Terrain, direction: Direction) -> u8 {
    let short = from.spades_to(target);
    match direction {
        _ if faction == Faction::Giants => 2,
        Direction::Short => short,
        Direction::Long => 7 - short,
    }
}

/// Returns whether spades may be bought for a space of this terrain.
///
/// # Rule TM-6.20 (5), J43
/// Beside free spades only if those alone do not reach the home terrain; the space may end as any terrain.
pub fn may_buy_for(source: SpadeSource, faction: Faction, terrain: Terrain) -> bool {
    let home = spades_for(faction, terrain, faction.home(), Direction::Short);
    let free = source.free();
    source.may_buy() && (free == 0 || home > free)
}

/// Scores every spade that Halflings obtain (J12).
pub fn halfling_spades(ctx: &mut ExecContext<'_>, seat: Seat, spades: u8) {
    if ctx.state.faction(seat) == Faction::Halflings {
        score(ctx, seat, u16::from(spades), VpSource::Spades);
    }
}

/// Reports unused free spades, which are lost (J10).
pub fn spades_unused(ctx: &mut ExecContext<'_>, seat: Seat, spades: u8) {
    if spades > 0 {
        ctx.emit(Event::SpadesUnused { seat, spades });
    }
}
