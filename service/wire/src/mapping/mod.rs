//! Rows: the **mapping** between values of the rules and values of the contract, one row for each type.
//!
//! Most rows are derived: `build.rs` pairs by name everything that both sides spell alike. A type with another name is
//! imported under the name of the contract; a type of another shape has a row by hand in the folder of the ruleset.
//!
//! * [`FromPb`] reads messages; [`Value`] and [`ToField`] write their bytes, field by field, so that no message is
//!   built only to be encoded. [`ToPb`] is for numbers, and for messages that are built by hand. Numbers, seats, lists
//!   and options are implemented here, once for all rulesets.
//! * [`names!`] pairs closed sets of names: a row is `Good => pb::Good`.
//! * [`decisions!`] pairs decisions, which may contain values, by the names of their variants.
//! * [`message!`] pairs structs: a row names the fields, which both sides spell alike.
//! * [`oneof!`] pairs enums: a row is a variant with its fields, as both sides spell it.
//! * [`refusals!`] pairs refusals with the messages of their values, a row for each code that has any.
//! * [`required!`] reads messages and oneofs that must not be missing.
//! * [`FromView`] reads views, which are tables that somebody describes, strictly: [`view!`], [`view_message!`] and
//!   [`view_oneof!`] are derived like the rows that write, for rulesets with positions. What is written by hand is read
//!   by hand.
//! * [`wire!`] implements [`Wire`](crate::Wire) for a ruleset by all these rows.
//!
//! If one side lacks a variant or field, the row does not compile. Malformed values are reported with the path of
//! their field, such as `action.use_cult_spades.transforms[2].target`.

mod messages;
mod names;
mod ruleset;
#[cfg(test)]
pub(crate) mod tests;
mod view;
mod write;

use arrayvec::ArrayVec;
use enumset::{EnumSet, EnumSetType};
use gamekeeper_rules::table::{ClosedSet, NumberIn, OptionalParam, PerSeat, Seat};
use heck::AsSnakeCase;

pub(crate) use messages::{any, message, oneof, refusals, required, write_fields};
pub(crate) use names::{
    decision_number, decisions, enum_number, from_number, index_of, known_name, known_or_default,
    named, names, open_decision, read,
};
pub(crate) use ruleset::wire;
#[allow(unused_imports, reason = "rulesets without such values need no row")]
pub(crate) use view::{FromView, view, view_field, view_message, view_oneof};
pub(crate) use write::{
    AsText, ToField, Value, decoded, encoded, encoded_detail, encoded_kind, encoded_view,
    message_of, write, write_list, write_value, write_within,
};

use crate::Malformed;
use crate::common::seat_number;

/// A value of the rules that can be converted to a value `P` of the contract.
#[diagnostic::on_unimplemented(
    message = "no row pairs `{Self}` of the rules with `{P}` of the contract",
    label = "needs a row that writes `{Self}` as `{P}`",
    note = "rows stand in `service/wire/src/<ruleset>/`: `names!` for a closed set of names, `decisions!` for decisions, `message!` for a struct, `oneof!` for an enum with values",
    note = "a number or a list of another kind: compare the type of the field in the `.proto` file with the one in the rules"
)]
pub(crate) trait ToPb<P> {
    /// Returns the value on the wire.
    fn to_pb(&self) -> P;
}

/// A value of the rules that can be read from a value `P` of the contract.
#[diagnostic::on_unimplemented(
    message = "no row reads `{Self}` of the rules from `{P}` of the contract",
    label = "needs a row that reads `{P}`",
    note = "actions and options are read: `names!`, `oneof! {{ both … }}` and `message! {{ both … }}` write such rows; what differs in shape is an `impl FromPb` by hand",
    note = "a name that a client sends is `MaybeKnown<…>` in an action and `OptionalParam<…>` in a draft of options, so that the rules can refuse it"
)]
pub(crate) trait FromPb<P>: Sized {
    /// Reads the value. If the rules take an option, a number that names nothing is not an error: it becomes `None`,
    /// and the rules refuse it.
    ///
    /// # Errors
    /// Fails if the message is malformed; the path of the field begins below this value.
    fn from_pb(sent: P) -> Result<Self, Malformed>;
}

macro_rules! numbers {
    ($($rules:ty => $pb:ty),* $(,)?) => {
        $(impl ToPb<$pb> for $rules {
            fn to_pb(&self) -> $pb {
                (*self).into()
            }
        })*
    };
}

numbers! {
    bool => bool,
    u8 => u32,
    u16 => u32,
    u32 => u32,
    u64 => u64,
    i8 => i32,
    i16 => i32,
    i32 => i32,
}

macro_rules! as_sent {
    ($($kind:ty),* $(,)?) => {
        $(impl FromPb<$kind> for $kind {
            fn from_pb(sent: $kind) -> Result<Self, Malformed> {
                Ok(sent)
            }
        })*
    };
}

as_sent!(bool, u32, u64, i32, String);

/// A count. It saturates: no seat has that many things, so the rules refuse the largest number as well.
impl FromPb<u32> for u16 {
    fn from_pb(sent: u32) -> Result<Self, Malformed> {
        Ok(Self::try_from(sent).unwrap_or(Self::MAX))
    }
}

/// The number of a choice. Becomes `None` if it does not fit.
impl FromPb<Option<u32>> for Option<u8> {
    fn from_pb(sent: Option<u32>) -> Result<Self, Malformed> {
        Ok(sent.and_then(|sent| u8::try_from(sent).ok()))
    }
}

impl<const MIN: u8, const MAX: u8> ToPb<u32> for NumberIn<MIN, MAX> {
    fn to_pb(&self) -> u32 {
        self.get().into()
    }
}

/// A number of a component. Becomes `None` if there is no such component.
impl<const MIN: u8, const MAX: u8> FromPb<Option<u32>> for Option<NumberIn<MIN, MAX>> {
    fn from_pb(sent: Option<u32>) -> Result<Self, Malformed> {
        let number = Option::<u8>::from_pb(sent)?;
        Ok(number.and_then(NumberIn::new))
    }
}

/// A length. No list is too long to fit.
impl ToPb<u32> for usize {
    fn to_pb(&self) -> u32 {
        u32::try_from(*self).unwrap_or(u32::MAX)
    }
}

impl ToPb<u32> for Seat {
    fn to_pb(&self) -> u32 {
        seat_number(*self)
    }
}

/// 0 means no seat.
impl ToPb<u32> for Option<Seat> {
    fn to_pb(&self) -> u32 {
        self.map_or(0, seat_number)
    }
}

/// A number that is no seat of any table becomes `None`.
impl FromPb<u32> for Option<Seat> {
    fn from_pb(sent: u32) -> Result<Self, Malformed> {
        Ok(u8::try_from(sent).ok().and_then(Seat::new))
    }
}

impl<T: AsText> ToPb<String> for T {
    fn to_pb(&self) -> String {
        self.as_text().to_owned()
    }
}

impl<T: ToPb<P>, P> ToPb<Option<P>> for Option<T> {
    fn to_pb(&self) -> Option<P> {
        self.as_ref().map(ToPb::to_pb)
    }
}

impl<T: FromPb<P>, P> FromPb<Option<P>> for Option<T> {
    fn from_pb(sent: Option<P>) -> Result<Self, Malformed> {
        sent.map(T::from_pb).transpose()
    }
}

/// 0 leaves the choice to the game; an unknown number is passed on, and the rules refuse it.
impl<T: ClosedSet> FromPb<i32> for OptionalParam<T> {
    fn from_pb(sent: i32) -> Result<Self, Malformed> {
        Ok(match sent {
            0 => Self::Absent,
            _ => from_number(sent).map_or(Self::Unknown, Self::Known),
        })
    }
}

impl<T: ToPb<P>, P> ToPb<Vec<P>> for [T] {
    fn to_pb(&self) -> Vec<P> {
        self.iter().map(ToPb::to_pb).collect()
    }
}

impl<T: ToPb<P>, P> ToPb<Vec<P>> for Vec<T> {
    fn to_pb(&self) -> Vec<P> {
        self.as_slice().to_pb()
    }
}

impl<T: ToPb<P>, P, const N: usize> ToPb<Vec<P>> for [T; N] {
    fn to_pb(&self) -> Vec<P> {
        self.as_slice().to_pb()
    }
}

impl<T: ToPb<P>, P, const N: usize> ToPb<Vec<P>> for ArrayVec<T, N> {
    fn to_pb(&self) -> Vec<P> {
        self.as_slice().to_pb()
    }
}

impl<T: ToPb<P>, P> ToPb<Vec<P>> for PerSeat<T> {
    fn to_pb(&self) -> Vec<P> {
        self.iter().map(ToPb::to_pb).collect()
    }
}

impl<T: EnumSetType + ToPb<P>, P> ToPb<Vec<P>> for EnumSet<T> {
    fn to_pb(&self) -> Vec<P> {
        self.iter().map(|one| one.to_pb()).collect()
    }
}

impl<T: FromPb<P>, P> FromPb<Vec<P>> for Vec<T> {
    fn from_pb(sent: Vec<P>) -> Result<Self, Malformed> {
        entries(sent, T::from_pb).collect()
    }
}

/// A list that is longer than the rules can hold is malformed.
impl<T: FromPb<P>, P, const N: usize> FromPb<Vec<P>> for ArrayVec<T, N> {
    fn from_pb(sent: Vec<P>) -> Result<Self, Malformed> {
        if sent.len() > N {
            let problem = format!("has {} entries; at most {N} are allowed", sent.len());
            return Err(Malformed::new("", problem));
        }
        entries(sent, T::from_pb).collect()
    }
}

/// Reads the entries of a list.
fn entries<T, P>(
    sent: Vec<P>,
    read: impl Fn(P) -> Result<T, Malformed>,
) -> impl Iterator<Item = Result<T, Malformed>> {
    let entry = move |(index, one)| {
        read(one).map_err(|fault: Malformed| fault.with_prefix(&format!("[{index}]")))
    };
    sent.into_iter().enumerate().map(entry)
}

/// Reads a field of a message.
pub(crate) fn field<T: FromPb<P>, P>(name: &str, sent: P) -> Result<T, Malformed> {
    T::from_pb(sent).map_err(|fault| fault.with_prefix(name))
}

/// Reads the field of a oneof for the variant of this name.
pub(crate) fn variant<T>(
    name: &str,
    read: impl FnOnce() -> Result<T, Malformed>,
) -> Result<T, Malformed> {
    read().map_err(|fault| fault.with_prefix(&AsSnakeCase(name).to_string()))
}

/// Reads the action in the oneof `kind`.
pub(crate) fn action<T: FromPb<P>, P>(kind: Option<P>) -> Result<T, Malformed> {
    let action = kind
        .ok_or_else(|| Malformed::missing("kind"))
        .and_then(T::from_pb);
    action.map_err(|fault| fault.with_prefix("action"))
}
