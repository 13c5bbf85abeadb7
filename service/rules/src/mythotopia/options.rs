//! What a creator asks for, and what the rules accept (MYT-5.1).

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::action::Named;
use super::data::{Colour, MAX_PLAYERS, MIN_PLAYERS, POINTS_FLOOR, POINTS_TRACK, Stack};
use super::refusal::{No, Problem, Refusal, ensure};
use crate::table::{PerSeat, Refusal as _, Seat, broken, ids};

ids! {
    /// How the wars that are still open end with the game (MYT-A2).
    #[derive(Default)]
    EndGameWars {
        /// Ties go to the defender.
        #[default]
        ByStrength "by_strength",
        DefenderWins "defender_wins",
    }
}

ids! {
    /// Which provinces' cards stand for each other thanks to roads (MYT-A13).
    #[derive(Default)]
    RoadScope {
        /// Those joined by one road.
        #[default]
        Direct "direct",
        /// Those of one road network.
        Network "network",
    }
}

ids! {
    /// What Queen and Warehouse add together (MYT-A15).
    #[derive(Default)]
    HandStacking {
        /// The sum.
        #[default]
        Additive "additive",
        /// The larger of the two.
        Max "max",
    }
}

ids! {
    /// How many provinces remain with the option of more choice (MYT-A3).
    #[derive(Default)]
    ExtraProvince {
        #[default]
        SameAsStandard "same_as_standard",
        OneMore "one_more",
    }
}

/// The colour that a creator asks for, for one seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColourWish {
    /// The first colour that nobody asks for.
    #[default]
    Any,
    /// This colour; nothing if it names no colour.
    Exactly(Named<Colour>),
}

/// What a creator asks for, unchecked. The default is the plain game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// Colours in seat order; seats beyond the list take any.
    pub colours: Vec<ColourWish>,
    /// Deals one province card more; with three or four players only.
    pub more_choice: bool,
    /// The value of the tokens on the Castle card: 1 or 2 (MYT-A1). Default 2.
    pub castle_token_value: Option<u32>,
    /// MYT-A2.
    pub end_game_wars: Option<Named<EndGameWars>>,
    /// MYT-A13.
    pub road_substitution_scope: Option<Named<RoadScope>>,
    /// MYT-A15.
    pub hand_limit_stacking: Option<Named<HandStacking>>,
    /// The fewest victory points that anybody has, 0 to 100 (MYT-A16). Default 12.
    pub vp_floor: Option<u32>,
    /// MYT-A3.
    pub extra_province_final_count: Option<Named<ExtraProvince>>,
}

/// The rule switches of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switches {
    /// The value of the tokens on the Castle card.
    pub castle_token_value: u8,
    /// How open wars end with the game.
    pub end_game_wars: EndGameWars,
    /// Which site cards roads provide.
    pub road_substitution_scope: RoadScope,
    /// What Queen and Warehouse add together.
    pub hand_limit_stacking: HandStacking,
    /// The fewest victory points.
    pub vp_floor: u8,
    /// How many provinces remain with more choice.
    pub extra_province_final_count: ExtraProvince,
}

impl Default for Switches {
    fn default() -> Self {
        Self {
            castle_token_value: Stack::Castle.printed_value(),
            end_game_wars: EndGameWars::default(),
            road_substitution_scope: RoadScope::default(),
            hand_limit_stacking: HandStacking::default(),
            vp_floor: POINTS_FLOOR,
            extra_province_final_count: ExtraProvince::default(),
        }
    }
}

/// A checked set of options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The colour of each seat.
    pub colours: PerSeat<Colour>,
    /// Is one province card more dealt?
    pub more_choice: bool,
    /// The rule switches.
    pub switches: Switches,
}

/// Checks what a creator asks for.
///
/// # Rule MYT-5.1
/// Two to four players of distinct colours, two of them red and blue; more choice for three or
/// four only. Unknown ids come before everything else (MYT-6.11).
pub(crate) fn options(players: &[String], draft: &Draft) -> Result<Options, No> {
    known(draft)?;
    let switches = switches(draft).map_err(|problem| problem.at("MYT-5.1"))?;
    let count = players.len();
    let fits = (usize::from(MIN_PLAYERS)..=usize::from(MAX_PLAYERS)).contains(&count);
    ensure(fits, Problem::Players { given: count }.at("MYT-5.1"))?;
    let colours = Problem::TooManyColours {
        given: draft.colours.len(),
        players: count,
    };
    ensure(draft.colours.len() <= count, colours.at("MYT-5.1"))?;
    let more_of_two = draft.more_choice && count == 2;
    ensure(!more_of_two, Problem::MoreChoiceOfTwo.at("MYT-5.1"))?;
    let colours = colours_of(count, &draft.colours).map_err(|problem| problem.at("MYT-5.1"))?;
    Ok(Options {
        colours,
        more_choice: draft.more_choice,
        switches,
    })
}

/// # Rule MYT-6.11
/// Every id names something.
fn known(draft: &Draft) -> Result<(), No> {
    let exactly_nothing = |wish: &ColourWish| *wish == ColourWish::Exactly(None);
    for (unknown, what) in [
        (draft.colours.iter().any(exactly_nothing), "colour"),
        (draft.end_game_wars == Some(None), "way to end wars"),
        (
            draft.road_substitution_scope == Some(None),
            "scope of roads",
        ),
        (
            draft.hand_limit_stacking == Some(None),
            "way to stack hand limits",
        ),
        (
            draft.extra_province_final_count == Some(None),
            "number of provinces",
        ),
    ] {
        ensure(!unknown, Refusal::UnknownId { what }.at("MYT-6.11"))?;
    }
    Ok(())
}

/// The colours that are asked for; the other seats take what is left.
fn colours_of(count: usize, wishes: &[ColourWish]) -> Result<PerSeat<Colour>, Problem> {
    let palette = if count == 2 {
        &Colour::ALL[..2]
    } else {
        &Colour::ALL[..]
    };
    let wish = |seat: Seat| match wishes.get(seat.index()) {
        Some(ColourWish::Exactly(colour)) => *colour,
        Some(ColourWish::Any) | None => None,
    };
    let asked: Vec<Colour> = Seat::all(count).filter_map(wish).collect();
    for (place, &colour) in asked.iter().enumerate() {
        if asked[..place].contains(&colour) {
            return Err(Problem::ColourTwice { colour });
        }
        if !palette.contains(&colour) {
            return Err(Problem::ColourOfMore { colour });
        }
    }
    let mut free = palette.iter().filter(|colour| !asked.contains(colour));
    Ok(PerSeat::new(count, |seat| {
        let next = || free.next().copied();
        wish(seat)
            .or_else(next)
            .unwrap_or_else(|| broken("MYT-5.1", seat))
    }))
}

/// The switches. Ids that name nothing were refused before.
fn switches(draft: &Draft) -> Result<Switches, Problem> {
    let default = Switches::default();
    let castle = draft.castle_token_value;
    let castle_token_value = number(castle, default.castle_token_value, 1..=2)
        .map_err(|given| Problem::CastleValue { given })?;
    let vp_floor = number(draft.vp_floor, default.vp_floor, 0..=POINTS_TRACK)
        .map_err(|given| Problem::Floor { given })?;
    Ok(Switches {
        castle_token_value,
        end_game_wars: draft.end_game_wars.flatten().unwrap_or_default(),
        road_substitution_scope: draft.road_substitution_scope.flatten().unwrap_or_default(),
        hand_limit_stacking: draft.hand_limit_stacking.flatten().unwrap_or_default(),
        vp_floor,
        extra_province_final_count: draft
            .extra_province_final_count
            .flatten()
            .unwrap_or_default(),
    })
}

/// A number of a draft, or the number itself if it does not lie between its bounds.
fn number(wish: Option<u32>, default: u8, bounds: RangeInclusive<u8>) -> Result<u8, u32> {
    let Some(wish) = wish else {
        return Ok(default);
    };
    let number = u8::try_from(wish).ok();
    number.filter(|number| bounds.contains(number)).ok_or(wish)
}
