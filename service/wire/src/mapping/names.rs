//! Rows of closed sets: names, and decisions by the names of their variants.

use gamekeeper_rules::table::{ClosedSet, DecisionWords, Pending};

use super::view::view_field;
use crate::Malformed;

/// Pairs closed sets of names with their enums of the contract, which number them in the same order
/// from 1. On the wire 0 and all other numbers are not names.
///
/// The rows also generate a test: both sides spell the same names in the same order. A set that has only numbers names
/// its trait, and has no test: `names! { Card => pb::Card, as Numbered }`.
macro_rules! names {
    ($rules:ty => $pb:ty, as $numbered:path) => {
        impl $crate::mapping::ToPb<i32> for $rules {
            fn to_pb(&self) -> i32 {
                $crate::mapping::enum_number(<Self as $numbered>::index(*self))
            }
        }

        impl $crate::mapping::ToPb<i32> for Option<$rules> {
            fn to_pb(&self) -> i32 {
                self.map_or(0, |name| $crate::mapping::ToPb::<i32>::to_pb(&name))
            }
        }

        impl $crate::mapping::FromPb<i32> for Option<$rules> {
            fn from_pb(sent: i32) -> Result<Self, $crate::Malformed> {
                Ok($crate::mapping::index_of(sent).and_then(<$rules as $numbered>::nth))
            }
        }

        impl $crate::mapping::FromView<i32> for $rules {
            fn from_view(sent: i32) -> Result<Self, $crate::Malformed> {
                $crate::mapping::named(sent, <$rules as $numbered>::nth)
            }
        }

        impl $crate::mapping::FromView<i32> for Option<$rules> {
            fn from_view(sent: i32) -> Result<Self, $crate::Malformed> {
                let name = || $crate::mapping::named(sent, <$rules as $numbered>::nth);
                (sent != 0).then(name).transpose()
            }
        }
    };
    ($($rules:ty => $pb:ty),+ $(,)?) => {
        $($crate::mapping::names! { $rules => $pb, as ::gamekeeper_rules::table::ClosedSet })+

        #[cfg(test)]
        #[test]
        fn names_are_those_of_the_contract() {
            $($crate::mapping::tests::check_names::<$rules>(|number| {
                <$pb>::try_from(number).ok().map(|name| name.as_str_name())
            });)+
        }
    };
}
pub(crate) use names;

/// Returns the name with this number on the wire.
pub(crate) fn from_number<T: ClosedSet>(number: i32) -> Option<T> {
    T::nth(index_of(number)?)
}

/// Returns the number on the wire, from 1, for this index.
pub(crate) fn enum_number(index: usize) -> i32 {
    // No set has more than a few hundred members.
    i32::try_from(index).unwrap_or(i32::MAX - 1) + 1
}

/// Returns the index for this number on the wire; `None` for 0 and negative numbers.
pub(crate) fn index_of(number: i32) -> Option<usize> {
    usize::try_from(number).ok()?.checked_sub(1)
}

/// Returns the name with this number on the wire, among those that `nth` gives; 0 and an unknown number are malformed.
pub(crate) fn named<T>(number: i32, nth: impl Fn(usize) -> Option<T>) -> Result<T, Malformed> {
    if number == 0 {
        return Err(Malformed::missing(""));
    }
    let name = index_of(number).and_then(nth);
    name.ok_or_else(|| Malformed::new("", format!("{number} names nothing")))
}

/// Returns the number on the wire of the decision with this name.
pub(crate) fn decision_number(words: &[DecisionWords], name: &str) -> i32 {
    let index = words.iter().position(|words| words.id == name);
    index.map_or(0, enum_number)
}

/// Reads a decision that a view names as open, and its seat.
///
/// # Errors
/// Fails if the seat or the decision does not exist.
pub(crate) fn open_decision(
    words: &[DecisionWords],
    (seat, decision): (u32, i32),
) -> Result<Pending, Malformed> {
    let id = named(decision, |index| words.get(index).map(|words| words.id));
    Ok(Pending {
        seat: view_field("seat", seat)?,
        decision: id.map_err(|fault| fault.with_prefix("decision"))?,
    })
}

/// Reads names with the function `how`, in types of the rules that cannot be `None`, as in
/// `read! { known_name: Cult, Terrain }`.
macro_rules! read {
    ($how:ident: $($rules:ty),+ $(,)?) => {
        $(impl $crate::mapping::FromPb<i32> for $rules {
            fn from_pb(sent: i32) -> Result<Self, $crate::Malformed> {
                $crate::mapping::$how(sent)
            }
        })+
    };
}
pub(crate) use read;

/// Returns the name with this number on the wire; an unknown number is malformed.
pub(crate) fn known_name<T: ClosedSet>(number: i32) -> Result<T, Malformed> {
    from_number(number).ok_or_else(|| Malformed::new("", format!("{number} names nothing")))
}

/// Returns the name with this number on the wire, or the default for 0, which leaves the choice to the game.
pub(crate) fn known_or_default<T: ClosedSet + Default>(number: i32) -> Result<T, Malformed> {
    match number {
        0 => Ok(T::default()),
        _ => known_name(number),
    }
}

/// Pairs the decisions of a ruleset with the enum `Decision` of its package, by the names of the variants.
/// The values of a decision are sent separately.
macro_rules! decisions {
    ($rules:ident in $pb:ident: $($variant:ident),+ $(,)?) => {
        impl $crate::mapping::ToPb<i32> for $rules {
            fn to_pb(&self) -> i32 {
                match self {
                    $($rules::$variant { .. } => $pb::Decision::$variant.into(),)+
                }
            }
        }

        #[cfg(test)]
        #[test]
        fn decisions_are_those_of_the_contract() {
            let mut number = 0;
            for words in $rules::WORDS {
                number += 1;
                let decision = $pb::Decision::try_from(number).map(|name| name.as_str_name());
                assert_eq!(decision, Ok(format!("DECISION_{}", words.id.to_uppercase()).as_str()));
            }
            assert!($pb::Decision::try_from(number + 1).is_err());
        }
    };
}
pub(crate) use decisions;
