//! Options of a new game: requested, and validated (MYT-5.1).

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::data::{Color, MAX_PLAYERS, MIN_PLAYERS, POINTS_FLOOR, POINTS_TRACK, Stack};
use super::refusal::{Refusal, ensure};
use crate::table::{
    OptionRule, OptionType, OptionalParam, PerSeat, Refusal as _, RefusedOption, Seat, Values, ids,
    invariant_violated, player_count,
};

ids! {
    /// The way in which the wars that are still open end with the game (MYT-A2).
    #[derive(Default)]
    EndGameWars {
        /// Ties go to the defender.
        #[default]
        ByStrength "by_strength" "by strength",
        DefenderWins "defender_wins" "the defender wins",
    }
}

ids! {
    /// The provinces whose cards can replace each other thanks to roads (MYT-A13).
    #[derive(Default)]
    RoadScope {
        /// Provinces joined by one road.
        #[default]
        Direct "direct" "joined by one road",
        /// Provinces of one road network.
        Network "network" "of one road network",
    }
}

ids! {
    /// The number of cards that Queen and Warehouse add together to the hand limit (MYT-A15).
    #[derive(Default)]
    HandStacking {
        /// The sum of both numbers.
        #[default]
        Additive "additive" "the sum",
        /// The larger of the two numbers.
        Max "max" "the larger of the two",
    }
}

/// The requested options, not yet validated. The default is the plain game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// Colors in seat order; seats beyond the list take any.
    pub colors: Vec<OptionalParam<Color>>,
    /// Deals one more province card to each player, and each gives two away; only with three or four players.
    pub more_choice: bool,
    /// The value of the tokens on the Castle card: 1 or 2 (MYT-A1). Default 2.
    pub castle_token_value: Option<u32>,
    /// The way in which open wars end with the game (MYT-A2).
    pub end_game_wars: OptionalParam<EndGameWars>,
    /// The provinces whose cards can replace each other thanks to roads (MYT-A13).
    pub road_substitution_scope: OptionalParam<RoadScope>,
    /// The number of cards that Queen and Warehouse add together to the hand limit (MYT-A15).
    pub hand_limit_stacking: OptionalParam<HandStacking>,
    /// The minimum of every player's victory points, 0 to 100 (MYT-A16). Default 12.
    pub vp_floor: Option<u32>,
}

/// The rule switches of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switches {
    /// The value of the tokens on the Castle card.
    pub castle_token_value: u8,
    /// The way in which open wars end with the game.
    pub end_game_wars: EndGameWars,
    /// The site cards that roads provide.
    pub road_substitution_scope: RoadScope,
    /// The number of cards that Queen and Warehouse add together to the hand limit.
    pub hand_limit_stacking: HandStacking,
    /// The minimum of victory points.
    pub vp_floor: u8,
}

impl Default for Switches {
    fn default() -> Self {
        Self {
            castle_token_value: Stack::Castle.printed_value(),
            end_game_wars: EndGameWars::default(),
            road_substitution_scope: RoadScope::default(),
            hand_limit_stacking: HandStacking::default(),
            vp_floor: POINTS_FLOOR,
        }
    }
}

/// Validated options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The color of each seat.
    pub colors: PerSeat<Color>,
    /// Whether one more province card is dealt to each player, and each gives two away.
    pub more_choice: bool,
    /// The rule switches.
    pub switches: Switches,
}

impl Options {
    /// The number of seats.
    #[must_use]
    pub fn seats(&self) -> usize {
        self.colors.count()
    }
}

const COLORS: &str = "colors";
const MORE_CHOICE: &str = "more_choice";
const CASTLE_TOKEN_VALUE: &str = "castle_token_value";
const END_GAME_WARS: &str = "end_game_wars";
const ROAD_SUBSTITUTION_SCOPE: &str = "road_substitution_scope";
const HAND_LIMIT_STACKING: &str = "hand_limit_stacking";
const VP_FLOOR: &str = "vp_floor";

const CASTLE_TOKEN_VALUES: RangeInclusive<u8> = 1..=2;
const VP_FLOORS: RangeInclusive<u8> = 0..=POINTS_TRACK;

/// The fields and their values (MYT-5.1).
pub const OPTIONS: &[OptionRule] = &[
    OptionRule::of::<Color>(COLORS, "Colors")
        .taking(|seats| Values::names(palette(seats.into()).iter().copied()))
        .listing(|seats| 1..=seats.into()),
    OptionRule::new(MORE_CHOICE, "More choice").taking(|seats| {
        if has_more_choice(seats.into()) {
            Values::All
        } else {
            Values::Only(false)
        }
    }),
    OptionRule::new(CASTLE_TOKEN_VALUE, "Value of Castle tokens")
        .taking(|_| numbers(&CASTLE_TOKEN_VALUES)),
    OptionRule::of::<EndGameWars>(END_GAME_WARS, "Open wars at the end"),
    OptionRule::of::<RoadScope>(ROAD_SUBSTITUTION_SCOPE, "Site cards by road"),
    OptionRule::of::<HandStacking>(HAND_LIMIT_STACKING, "Queen and Warehouse together"),
    OptionRule::new(VP_FLOOR, "Minimum of victory points").taking(|_| numbers(&VP_FLOORS)),
];

fn numbers(bounds: &RangeInclusive<u8>) -> Values {
    Values::Numbers(u32::from(*bounds.start())..=u32::from(*bounds.end()))
}

/// The colors of this many players.
fn palette(players: usize) -> &'static [Color] {
    if players == 2 {
        &[Color::Red, Color::Blue]
    } else {
        &Color::ALL
    }
}

fn has_more_choice(players: usize) -> bool {
    players > 2
}

/// Validates the requested options.
///
/// # Rule MYT-5.1
/// Two to four players of distinct colors, two of them red and blue; more choice for three or
/// four only.
pub fn check(players: &[String], draft: &Draft) -> Result<Options, RefusedOption<Refusal>> {
    let switches = switches(draft)?;
    let seats = usize::from(player_count(players, MIN_PLAYERS..=MAX_PLAYERS, "MYT-5.1")?);
    ensure(draft.colors.len() <= seats, wrong(COLORS))?;
    let more_of_two = draft.more_choice && !has_more_choice(seats);
    ensure(!more_of_two, wrong(MORE_CHOICE))?;
    Ok(Options {
        colors: colors(seats, &draft.colors)?,
        more_choice: draft.more_choice,
        switches,
    })
}

fn wrong(field: &'static str) -> RefusedOption<Refusal> {
    Refusal::InvalidOption { field }
        .citing("MYT-5.1")
        .for_field(field)
}

/// Assigns colors as requested; the other seats take the first free ones.
fn colors(
    seats: usize,
    choices: &[OptionalParam<Color>],
) -> Result<PerSeat<Color>, RefusedOption<Refusal>> {
    let palette = palette(seats);
    let mut given = Vec::with_capacity(seats);
    for (index, requested) in choices.iter().enumerate() {
        let field = (COLORS, index);
        let refused = || {
            Refusal::InvalidOption { field: COLORS }
                .citing("MYT-5.1")
                .for_field(field)
        };
        let choice = requested.require_known(refused)?;
        if let Some(color) = choice {
            ensure(palette.contains(&color), refused())?;
            let refusal = Refusal::DuplicateColor { color }.citing("MYT-5.1");
            ensure(!given.contains(&choice), refusal.for_field(field))?;
        }
        given.push(choice);
    }
    let colors = palette.iter().copied();
    let mut free = colors.filter(|&color| !given.contains(&Some(color)));
    Ok(PerSeat::new(seats, |seat: Seat| {
        let choice = given.get(seat.index()).copied().flatten();
        choice
            .or_else(|| free.next())
            .unwrap_or_else(|| invariant_violated("MYT-5.1", seat))
    }))
}

fn switches(draft: &Draft) -> Result<Switches, RefusedOption<Refusal>> {
    let default = Switches::default();
    Ok(Switches {
        castle_token_value: number(
            draft.castle_token_value,
            default.castle_token_value,
            CASTLE_TOKEN_VALUES,
            CASTLE_TOKEN_VALUE,
        )?,
        end_game_wars: choice(&draft.end_game_wars, END_GAME_WARS)?,
        road_substitution_scope: choice(&draft.road_substitution_scope, ROAD_SUBSTITUTION_SCOPE)?,
        hand_limit_stacking: choice(&draft.hand_limit_stacking, HAND_LIMIT_STACKING)?,
        vp_floor: number(draft.vp_floor, default.vp_floor, VP_FLOORS, VP_FLOOR)?,
    })
}

/// Returns a choice of a draft, or its default.
fn choice<T: OptionType>(
    requested: &T::Draft,
    field: &'static str,
) -> Result<T, RefusedOption<Refusal>> {
    T::accept(requested, MAX_PLAYERS).ok_or(wrong(field))
}

/// Returns a number of a draft, between its bounds.
fn number(
    requested: Option<u32>,
    default: u8,
    bounds: RangeInclusive<u8>,
    field: &'static str,
) -> Result<u8, RefusedOption<Refusal>> {
    let number = requested.map_or(Some(default), |number| u8::try_from(number).ok());
    let number = number.filter(|number| bounds.contains(number));
    number.ok_or(wrong(field))
}
