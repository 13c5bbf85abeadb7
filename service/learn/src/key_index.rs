//! The closed lists of names that a field can have, which are known beforehand (**categorical features**).

use prost_reflect::{EnumDescriptor, FieldDescriptor, Kind};

use crate::bytes::{Coding, Value};
use crate::text_index::TextIndex;

/// The fields of views that name a seat, or list seats. Any other number is treated as a number.
pub(crate) const SEATS: &[&str] = &[
    "active_player",
    "builder",
    "controller",
    "declarer",
    "first_player",
    "gate",
    "holder",
    "immune",
    "inn_left",
    "inn_right",
    "joust_field",
    "merchants_guild",
    "next_first_player",
    "owner",
    "pass_order",
    "passed_order",
    "peeked_by",
    "pending_transform",
    "queue",
    "seat",
    "stables",
    "trading_post",
    "turn_order",
    "worker",
];

/// The messages whose first field may name no seat as well: their list has an additional row for no seat.
const NOBODY_HAS_ROW: &[&str] = &["gamekeeper.mythotopia.v1.Strength"];

/// The sentinel for values without an index.
const NOT_LISTED: u32 = u32::MAX;

/// A mapping from the values of a field to indexes in a list of names.
#[derive(Clone, Debug)]
pub(crate) enum KeyIndex {
    /// By the number of an enum value.
    Enum(Box<[u32]>),
    /// By text.
    Text(TextIndex),
    /// By seat: the number of seats to the left of the observing seat. With `nobody`, no seat comes behind them.
    Seat { seats: u32, nobody: bool },
}

impl KeyIndex {
    /// Returns the keys of a field of a view, and their names. Returns `None` if the field is not a name.
    pub(crate) fn of_view(
        field: &FieldDescriptor,
        seats: u32,
        texts: &[String],
    ) -> Option<(Self, Vec<String>)> {
        let kind = field.kind();
        if let Kind::Enum(values) = &kind {
            return Some(Self::of_enum(values, |number| number != 0));
        }
        if matches!(kind, Kind::String) {
            return Some((Self::of_texts(texts), texts.to_vec()));
        }
        if !SEATS.contains(&field.name()) || coding(&kind).is_none() {
            return None;
        }
        let nobody = NOBODY_HAS_ROW.contains(&field.parent_message().full_name());
        let mut names: Vec<String> = (0..seats).map(relative_seat_name).collect();
        if nobody {
            names.push(String::from("nobody"));
        }
        Some((Self::Seat { seats, nobody }, names))
    }

    /// Returns the values of an enum that `keep` accepts, and their names.
    pub(crate) fn of_enum(
        values: &EnumDescriptor,
        keep: impl Fn(i32) -> bool,
    ) -> (Self, Vec<String>) {
        let enum_values = values.values().filter(|value| keep(value.number()));
        let enum_values: Vec<_> = enum_values
            .filter_map(|value| Some((usize::try_from(value.number()).ok()?, value)))
            .collect();
        let size = enum_values
            .iter()
            .map(|(number, _)| number + 1)
            .max()
            .unwrap_or(0);
        let mut indices = vec![NOT_LISTED; size].into_boxed_slice();
        for (index, (number, _)) in (0..).zip(&enum_values) {
            indices[*number] = index;
        }
        let names = enum_values.iter().map(|(_, value)| value.name().to_owned());
        (Self::Enum(indices), names.collect())
    }

    pub(crate) fn of_texts(texts: &[String]) -> Self {
        Self::Text(TextIndex::new(texts))
    }

    /// Returns the index of a value among the names, for an observing seat.
    #[inline]
    pub(crate) fn index_of(&self, value: Value<'_>, seat: u32) -> Option<u32> {
        match (self, value) {
            (Self::Enum(indices), Value::Number(number)) => {
                let index = indices.get(usize::try_from(number).ok()?)?;
                Some(*index).filter(|index| *index != NOT_LISTED)
            }
            (Self::Seat { seats, nobody }, Value::Number(number)) => {
                match u32::try_from(number).ok()? {
                    0 => nobody.then_some(*seats),
                    number if number <= *seats => Some((number - 1 + seats - seat) % seats),
                    _ => None,
                }
            }
            (Self::Text(texts), Value::Bytes(text)) => texts.index_of(text),
            (Self::Enum(_) | Self::Seat { .. }, Value::Bytes(_))
            | (Self::Text(_), Value::Number(_)) => None,
        }
    }

    /// Returns the index of the nth value of a list. Faster than [`index_of`](Self::index_of) if the list is in the
    /// order of the names.
    #[inline]
    pub(crate) fn index_of_nth(&self, value: Value<'_>, seat: u32, nth: u32) -> Option<u32> {
        if let (Self::Text(texts), Value::Bytes(text)) = (self, value)
            && texts.is_at_index(nth, text)
        {
            return Some(nth);
        }
        self.index_of(value, seat)
    }

    /// Returns the index of the default value, which is not sent.
    pub(crate) fn default_index(&self, seat: u32) -> Option<u32> {
        match self {
            Self::Enum(_) | Self::Seat { .. } => self.index_of(Value::Number(0), seat),
            Self::Text(_) => self.index_of(Value::Bytes(&[]), seat),
        }
    }
}

/// Returns the encoding of a number, or `None` for other kinds.
pub(crate) fn coding(kind: &Kind) -> Option<Coding> {
    match kind {
        Kind::Uint32 | Kind::Uint64 => Some(Coding::Unsigned),
        Kind::Int32 | Kind::Int64 => Some(Coding::Signed),
        Kind::Sint32 | Kind::Sint64 => Some(Coding::Zigzag),
        Kind::Double
        | Kind::Float
        | Kind::Fixed32
        | Kind::Fixed64
        | Kind::Sfixed32
        | Kind::Sfixed64
        | Kind::Bool
        | Kind::String
        | Kind::Bytes
        | Kind::Message(_)
        | Kind::Enum(_) => None,
    }
}

/// Returns the name of a seat, counted from the observing one.
pub(crate) fn relative_seat_name(offset: u32) -> String {
    match offset {
        0 => String::from("own"),
        _ => format!("left {offset}"),
    }
}
