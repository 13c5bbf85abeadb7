//! What a creator asks for, and what the rules accept (MYT-5.1).

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::action::Named;
use super::data::{Colour, MAX_PLAYERS, MIN_PLAYERS, POINTS_FLOOR, POINTS_TRACK, Stack};
use super::refusal::{No, Problem, Refusal, ensure};
use crate::table::{Field, OptionRule, PerSeat, Refusal as _, Seat, Values, broken, ids};

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

const COLOURS: &str = "colours";
const MORE_CHOICE: &str = "more_choice";
const CASTLE_TOKEN_VALUE: &str = "castle_token_value";
const VP_FLOOR: &str = "vp_floor";

const CASTLE_TOKEN_VALUES: RangeInclusive<u8> = 1..=2;
const VP_FLOORS: RangeInclusive<u8> = 0..=POINTS_TRACK;

/// What the fields take (MYT-5.1).
pub(crate) const OPTIONS: &[OptionRule] = &[
    OptionRule {
        field: COLOURS,
        values: |seats| Values::names(palette(seats.into()).iter().copied()),
        items: Some(|seats| 1..=seats.into()),
    },
    OptionRule {
        field: MORE_CHOICE,
        values: |seats| {
            if has_more_choice(seats.into()) {
                Values::All
            } else {
                Values::Only(false)
            }
        },
        items: None,
    },
    OptionRule {
        field: CASTLE_TOKEN_VALUE,
        values: |_| numbers(&CASTLE_TOKEN_VALUES),
        items: None,
    },
    OptionRule {
        field: VP_FLOOR,
        values: |_| numbers(&VP_FLOORS),
        items: None,
    },
];

fn numbers(bounds: &RangeInclusive<u8>) -> Values {
    Values::Numbers(u32::from(*bounds.start())..=u32::from(*bounds.end()))
}

/// The colours of so many players.
fn palette(players: usize) -> &'static [Colour] {
    if players == 2 {
        &[Colour::Red, Colour::Blue]
    } else {
        &Colour::ALL
    }
}

fn has_more_choice(players: usize) -> bool {
    players > 2
}

/// Checks what a creator asks for.
///
/// # Rule MYT-5.1
/// Two to four players of distinct colours, two of them red and blue; more choice for three or
/// four only. Unknown ids come before everything else (MYT-6.11).
pub(crate) fn options(players: &[String], draft: &Draft) -> Result<Options, No> {
    known(draft)?;
    let switches = switches(draft)?;
    let count = players.len();
    let fits = (usize::from(MIN_PLAYERS)..=usize::from(MAX_PLAYERS)).contains(&count);
    let refused = Problem::Players { given: count }.at("MYT-5.1");
    ensure(fits, refused.on(Field::Players))?;
    let given = draft.colours.len();
    let players = count;
    ensure(
        given <= count,
        invalid(Problem::TooManyColours { given, players }, COLOURS),
    )?;
    let more_of_two = draft.more_choice && !has_more_choice(count);
    ensure(!more_of_two, invalid(Problem::MoreChoiceOfTwo, MORE_CHOICE))?;
    Ok(Options {
        colours: colours_of(count, &draft.colours)?,
        more_choice: draft.more_choice,
        switches,
    })
}

fn invalid(problem: Problem, field: impl Into<Field>) -> No {
    problem.at("MYT-5.1").on(field)
}

/// # Rule MYT-6.11
/// Every id names something.
fn known(draft: &Draft) -> Result<(), No> {
    let colours = draft.colours.iter().enumerate();
    let colours = colours.map(|(place, wish)| {
        let unknown = *wish == ColourWish::Exactly(None);
        (unknown, "colour", Field::from((COLOURS, place)))
    });
    let switches = [
        (
            draft.end_game_wars == Some(None),
            "way to end wars",
            "end_game_wars".into(),
        ),
        (
            draft.road_substitution_scope == Some(None),
            "scope of roads",
            "road_substitution_scope".into(),
        ),
        (
            draft.hand_limit_stacking == Some(None),
            "way to stack hand limits",
            "hand_limit_stacking".into(),
        ),
        (
            draft.extra_province_final_count == Some(None),
            "number of provinces",
            "extra_province_final_count".into(),
        ),
    ];
    for (unknown, what, field) in colours.chain(switches) {
        ensure(
            !unknown,
            Refusal::UnknownId { what }.at("MYT-6.11").on(field),
        )?;
    }
    Ok(())
}

/// The colours that are asked for; the other seats take what is left.
fn colours_of(count: usize, wishes: &[ColourWish]) -> Result<PerSeat<Colour>, No> {
    let palette = palette(count);
    let wish = |seat: Seat| match wishes.get(seat.index()) {
        Some(ColourWish::Exactly(colour)) => *colour,
        Some(ColourWish::Any) | None => None,
    };
    let asked: Vec<(usize, Colour)> = Seat::all(count)
        .filter_map(|seat| Some((seat.index(), wish(seat)?)))
        .collect();
    let colours: Vec<Colour> = asked.iter().map(|&(_, colour)| colour).collect();
    for (at, &(place, colour)) in asked.iter().enumerate() {
        let field = (COLOURS, place);
        if colours[..at].contains(&colour) {
            return Err(invalid(Problem::ColourTwice { colour }, field));
        }
        if !palette.contains(&colour) {
            return Err(invalid(Problem::ColourOfMore { colour }, field));
        }
    }
    let mut free = palette.iter().filter(|colour| !colours.contains(colour));
    Ok(PerSeat::new(count, |seat| {
        let next = || free.next().copied();
        wish(seat)
            .or_else(next)
            .unwrap_or_else(|| broken("MYT-5.1", seat))
    }))
}

/// The switches. Ids that name nothing were refused before.
fn switches(draft: &Draft) -> Result<Switches, No> {
    let default = Switches::default();
    let castle = draft.castle_token_value;
    let castle_token_value = number(castle, default.castle_token_value, CASTLE_TOKEN_VALUES)
        .map_err(|given| invalid(Problem::CastleValue { given }, CASTLE_TOKEN_VALUE))?;
    let vp_floor = number(draft.vp_floor, default.vp_floor, VP_FLOORS)
        .map_err(|given| invalid(Problem::Floor { given }, VP_FLOOR))?;
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
