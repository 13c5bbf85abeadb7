//! The options of rulesets whose options do not depend on each other: one row for each.

use std::fmt::Debug;

use super::ids::ClosedSet;
use super::option::{OptionalParam, Values};
use super::seat::Seat;

/// A type of options: how clients ask for one, and which values it takes.
pub trait OptionType: Sized {
    /// The requested value, unchecked. The default is that of an option that is left out.
    type Draft: Clone + Debug + Default + PartialEq;

    /// The titles of its names, see [`OptionRule::names`](super::OptionRule::names).
    const NAMES: &'static [&'static str] = &[];

    /// Returns its values, see [`OptionRule::values`](super::OptionRule::values).
    #[must_use]
    fn values(_seats: u8) -> Values {
        Values::All
    }

    /// Returns the accepted value at a table of this many seats. Returns `None` if it is refused.
    #[must_use]
    fn accept(draft: &Self::Draft, seats: u8) -> Option<Self>;
}

/// A switch, which is off if it is left out.
impl OptionType for bool {
    type Draft = Self;

    fn accept(draft: &Self, _seats: u8) -> Option<Self> {
        Some(*draft)
    }
}

/// A seat of the table. Is `None` if it is left out.
impl OptionType for Option<Seat> {
    type Draft = Option<u32>;

    fn values(seats: u8) -> Values {
        Values::seats(seats)
    }

    fn accept(draft: &Self::Draft, seats: u8) -> Option<Self> {
        match draft {
            Some(number) => Seat::of_table(*number, seats).map(Some),
            None => Some(None),
        }
    }
}

/// A name of a closed set: its default if it is left out.
impl<T: ClosedSet + Default> OptionType for T {
    type Draft = OptionalParam<T>;

    const NAMES: &'static [&'static str] = T::NAMES;

    fn accept(draft: &Self::Draft, _seats: u8) -> Option<Self> {
        draft
            .require_known(|| ())
            .ok()
            .map(Option::unwrap_or_default)
    }
}

/// Defines `Draft`, `Options`, `OPTIONS` and `check` of a ruleset whose options do not depend on each other. First come
/// the numbers of players and the rule that gives them; then a row for each option, in the order of the contract: the
/// field with its type, its title, and the rule that refuses other values as `Refusal::InvalidOption { field }`. A type
/// is a closed set with a default, `bool`, `Option<Seat>`, or a number with its range and its default.
///
/// Options that depend on each other are checked by hand, as those of the larger rulesets are.
#[doc(hidden)]
#[macro_export]
macro_rules! options {
    (@draft $type:ty) => { <$type as $crate::table::OptionType>::Draft };
    (@draft $type:ty, $range:expr) => { Option<u32> };
    (@rule $field:ident, $title:literal, $type:ty) => {
        $crate::table::OptionRule {
            names: <$type as $crate::table::OptionType>::NAMES,
            values: <$type as $crate::table::OptionType>::values,
            ..$crate::table::OptionRule::new(stringify!($field), $title)
        }
    };
    (@rule $field:ident, $title:literal, $type:ty, $range:expr) => {
        $crate::table::OptionRule {
            values: |_| {
                let range: std::ops::RangeInclusive<$type> = $range;
                $crate::table::Values::Numbers((*range.start()).into()..=(*range.end()).into())
            },
            ..$crate::table::OptionRule::new(stringify!($field), $title)
        }
    };
    (@accept $draft:expr, $seats:expr, $type:ty) => {
        <$type as $crate::table::OptionType>::accept(&$draft, $seats)
    };
    (@accept $draft:expr, $seats:expr, $type:ty, $range:expr, $default:expr) => {
        $draft.map_or(Some($default), |number| <$type>::try_from(number).ok()).filter(|number| $range.contains(number))
    };
    (
        players: $players:expr, $cited:literal;
        $($(#[$doc:meta])* $field:ident: $type:ty, $title:literal, $(in $range:expr, or $default:expr,)? $cites:literal;)*
    ) => {
        /// The requested options, not yet validated. The default is the plain game.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Draft {
            $($(#[$doc])* pub $field: $crate::table::options!(@draft $type $(, $range)?),)*
        }

        /// Validated options.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub struct Options {
            /// The number of seats.
            pub seats: u8,
            $($(#[$doc])* pub $field: $type,)*
        }

        impl Options {
            /// The number of seats.
            #[must_use]
            pub fn seats(&self) -> usize {
                self.seats.into()
            }
        }

        /// The fields, and their values.
        pub const OPTIONS: &[$crate::table::OptionRule] = &[
            $($crate::table::options!(@rule $field, $title, $type $(, $range)?),)*
        ];

        /// Validates the requested options: the number of players, then the fields in their order.
        #[allow(unused_variables, reason = "some rulesets have no options")]
        pub fn check(
            players: &[String],
            draft: &Draft,
        ) -> Result<Options, $crate::table::RefusedOption<Refusal>> {
            let seats = $crate::table::player_count(players, $players, $cited)?;
            $(
                let $field = $crate::table::options!(@accept draft.$field, seats, $type $(, $range, $default)?);
                let $field = $field.ok_or_else(|| {
                    let refusal = Refusal::InvalidOption { field: stringify!($field) };
                    $crate::table::Refusal::citing(refusal, $cites).for_field(stringify!($field))
                })?;
            )*
            Ok(Options { seats, $($field),* })
        }
    };
}
pub use options;
