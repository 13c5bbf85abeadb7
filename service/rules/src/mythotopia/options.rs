//! What a creator asks for, and what the rules accept (MYT-5.1).

use serde::{Deserialize, Serialize};

use super::action::Named;
use super::data::{Colour, MAX_PLAYERS, MIN_PLAYERS, POINTS_FLOOR, POINTS_TRACK, Stack};
use super::refusal::Refusal;
use crate::table::{PerSeat, Seat};

/// How the wars that are still open end with the game (MYT-A2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum EndGameWars {
    /// By strength, ties for the defender.
    #[default]
    ByStrength,
    /// The defender wins.
    DefenderWins,
}

/// Which provinces' cards stand for each other thanks to roads (MYT-A13).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RoadScope {
    /// Those joined by one road.
    #[default]
    Direct,
    /// Those of one road network.
    Network,
}

/// What Queen and Warehouse add together (MYT-A15).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum HandStacking {
    /// The sum.
    #[default]
    Additive,
    /// The larger of the two.
    Max,
}

/// How many provinces remain with the option of more choice (MYT-A3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExtraProvince {
    /// As many as without the option.
    #[default]
    SameAsStandard,
    /// One more.
    OneMore,
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
pub(super) fn options(players: &[String], draft: &Draft) -> Result<Options, Refusal> {
    let switches = switches(draft);
    let unknown_colour = draft
        .colours
        .iter()
        .any(|wish| matches!(wish, ColourWish::Exactly(None)));
    let switches = match switches {
        Some(switches) if !unknown_colour => switches?,
        Some(_) | None => return Err(Refusal::UnknownId),
    };
    let count = players.len();
    let fits = (usize::from(MIN_PLAYERS)..=usize::from(MAX_PLAYERS)).contains(&count);
    if !fits || draft.colours.len() > count || draft.more_choice && count == 2 {
        return Err(Refusal::InvalidArgument);
    }
    let palette = if count == 2 {
        &Colour::ALL[..2]
    } else {
        Colour::ALL
    };
    let wish = |seat: Seat| match draft.colours.get(seat.index()) {
        Some(ColourWish::Exactly(colour)) => *colour,
        Some(ColourWish::Any) | None => None,
    };
    let wishes: Vec<Colour> = Seat::all(count).filter_map(wish).collect();
    let twice = (1..wishes.len()).any(|at| wishes[..at].contains(&wishes[at]));
    if twice || wishes.iter().any(|colour| !palette.contains(colour)) {
        return Err(Refusal::InvalidArgument);
    }
    let mut free = palette.iter().filter(|colour| !wishes.contains(colour));
    let colours = PerSeat::new(count, |seat| {
        // There are at least as many colours as seats.
        wish(seat).unwrap_or_else(|| free.next().copied().unwrap_or(Colour::Red))
    });
    Ok(Options {
        colours,
        more_choice: draft.more_choice,
        switches,
    })
}

/// The switches; nothing, if one of them is set to something unknown.
fn switches(draft: &Draft) -> Option<Result<Switches, Refusal>> {
    let end_game_wars = draft
        .end_game_wars
        .unwrap_or(Some(EndGameWars::default()))?;
    let scope = draft
        .road_substitution_scope
        .unwrap_or(Some(RoadScope::default()))?;
    let stacking = draft
        .hand_limit_stacking
        .unwrap_or(Some(HandStacking::default()))?;
    let extra = draft
        .extra_province_final_count
        .unwrap_or(Some(ExtraProvince::default()))?;
    let value = number(draft.castle_token_value, 2, 1, 2);
    let floor = number(draft.vp_floor, POINTS_FLOOR, 0, POINTS_TRACK);
    let (Some(castle_token_value), Some(vp_floor)) = (value, floor) else {
        return Some(Err(Refusal::InvalidArgument));
    };
    Some(Ok(Switches {
        castle_token_value,
        end_game_wars,
        road_substitution_scope: scope,
        hand_limit_stacking: stacking,
        vp_floor,
        extra_province_final_count: extra,
    }))
}

/// A number of a draft, if it lies between two bounds.
fn number(wish: Option<u32>, default: u8, least: u8, most: u8) -> Option<u8> {
    wish.map_or(Some(default), |wish| u8::try_from(wish).ok())
        .filter(|number| (least..=most).contains(number))
}
