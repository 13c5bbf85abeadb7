//! The **feature layout**: the translation of a view to cells, compiled once from the descriptor of the message.
//!
//! `proto/python/docs/observations.md` explains the rules to readers.

use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};

use crate::bytes::{Coding, Fields, Packed, Value, field};
use crate::count::{number, position};
use crate::key_index::{KeyIndex, coding, relative_seat_name};
use crate::row_buffer::RowBuffer;

/// The fields that list one number for each seat, in seat order.
pub(crate) const SEAT_LISTS: &[&str] = &["batches_this_turn", "parts", "ships"];

/// The lists of messages that are kept in order although their first field is a key, because several entries can have
/// the same key.
pub(crate) const ORDERED_LISTS: &[&str] = &["awards"];

/// The fields of views that only operators see. They have no cells: what seats know of their facts has
/// [numbers of its own](gamekeeper_rules::ruleset::Ruleset::count_tracked).
pub(crate) const OPERATOR_FIELDS: &[&str] = &["bookkeeping"];

/// The maximum number of cells of a list of messages, unless it has a row for each seat; and the maximum number of
/// rows of a list without a key, outside and inside another list.
const MAX_LIST_CELLS: usize = 4_096;
const MAX_ROWS: usize = 40;
const MAX_NESTED_ROWS: usize = 6;

/// The number of entries of a list of numbers that have cells of their own.
const MAX_LISTED_NUMBERS: usize = 8;

/// The cells of the views of one ruleset and one number of seats.
#[derive(Debug)]
pub(crate) struct ObservationSchema {
    /// The parts of each message, by the numbers of their fields.
    messages: Vec<Box<[Option<SchemaField>]>>,
    root: usize,
    /// The meaning of each cell.
    pub(crate) cells: Vec<String>,
}

/// The cells of a field of a message.
#[derive(Debug)]
struct SchemaField {
    /// The first cell, relative to the first cell of the message.
    at: u32,
    /// Whether an additional cell in front shows that the field is set.
    has_presence_cell: bool,
    kind: FieldEncoding,
}

#[derive(Debug)]
enum FieldEncoding {
    Flag,
    Number(Coding),
    /// A name: one cell for each (**one-hot**).
    OneHot(KeyIndex),
    Message(usize),
    /// A list of names, in order: for each name, the number of entries and their positions (**multi-hot**).
    Multiset {
        keys: KeyIndex,
        size: u32,
    },
    /// A number for each seat.
    BySeat {
        coding: Coding,
        seats: u32,
    },
    /// A list of numbers: its length, and the first numbers in order.
    FirstNumbers(Coding),
    /// A list of messages with keys: a row for each key.
    Keyed {
        keys: KeyIndex,
        message: usize,
        width: u32,
    },
    /// A list of messages: a row for each of the first ones in order. Further messages are added to the last row.
    Ordered {
        message: usize,
        width: u32,
        rows: u32,
    },
}

/// The messages that contain a message, and the number of lists among them.
#[derive(Clone, Default)]
struct Nesting {
    messages: Vec<String>,
    lists: usize,
}

impl ObservationSchema {
    /// Compiles the layout. `texts` are the components that the ruleset names by text.
    pub(crate) fn new(view: &MessageDescriptor, seats: u32, texts: &[String]) -> Self {
        let mut compiler = SchemaCompiler {
            seats,
            texts,
            messages: Vec::new(),
        };
        let (root, cells) = compiler.compile_message(view, &Nesting::default(), None);
        Self {
            messages: compiler.messages,
            root,
            cells,
        }
    }

    /// Writes a view as a seat sees it, from cell `at` on. Seats count from 0.
    pub(crate) fn write(&self, view: &[u8], at: u32, seat: u32, buffer: &mut RowBuffer) {
        SchemaWriter { schema: self, seat }.write_message(self.root, view, at, buffer);
    }
}

/// Walks messages and writes their cells.
#[derive(Clone, Copy)]
struct SchemaWriter<'a> {
    schema: &'a ObservationSchema,
    seat: u32,
}

impl SchemaWriter<'_> {
    fn write_message(self, message: usize, bytes: &[u8], at: u32, buffer: &mut RowBuffer) {
        let Some(parts) = self.schema.messages.get(message) else {
            return;
        };
        // Entries of one list are adjacent in the bytes, so counting repeated numbers gives the position of each.
        let (mut last, mut nth) = (0, 0);
        for (number, value) in Fields(bytes) {
            nth = if number == last { nth + 1 } else { 0 };
            last = number;
            if let Some(Some(part)) = parts.get(number) {
                self.write_field(part, value, nth, at + part.at, buffer);
            }
        }
    }

    fn write_field(
        self,
        part: &SchemaField,
        value: Value<'_>,
        nth: u32,
        mut at: u32,
        buffer: &mut RowBuffer,
    ) {
        if part.has_presence_cell {
            buffer.add(at, 1.0);
            at += 1;
        }
        match (&part.kind, value) {
            (FieldEncoding::Flag, Value::Number(sent)) => {
                if sent != 0 {
                    buffer.add(at, 1.0);
                }
            }
            (FieldEncoding::Number(coding), Value::Number(sent)) => {
                number(buffer, at, coding.read(sent));
            }
            (FieldEncoding::OneHot(keys), value) => {
                if let Some(index) = keys.index_of(value, self.seat) {
                    buffer.add(at + index, 1.0);
                }
            }
            (FieldEncoding::Message(message), Value::Bytes(bytes)) => {
                self.write_message(*message, bytes, at, buffer);
            }
            (_, value) => self.write_entry(&part.kind, value, nth, at, buffer),
        }
    }

    /// Writes an entry of a list, or all entries of a packed list.
    fn write_entry(
        self,
        kind: &FieldEncoding,
        value: Value<'_>,
        nth: u32,
        at: u32,
        buffer: &mut RowBuffer,
    ) {
        match (kind, value) {
            (FieldEncoding::Multiset { keys, size }, value) => match (keys, value) {
                (KeyIndex::Text(_), Value::Bytes(_)) | (_, Value::Number(_)) => {
                    self.write_multiset_entry((keys, *size), value, nth, at, buffer);
                }
                (KeyIndex::Enum(_) | KeyIndex::Seat { .. }, Value::Bytes(packed)) => {
                    for (nth, sent) in (0..).zip(Packed(packed)) {
                        self.write_multiset_entry(
                            (keys, *size),
                            Value::Number(sent),
                            nth,
                            at,
                            buffer,
                        );
                    }
                }
            },
            (FieldEncoding::BySeat { coding, seats }, Value::Bytes(packed)) => {
                for (other, sent) in (0..*seats).zip(Packed(packed)) {
                    let offset = (other + seats - self.seat) % seats;
                    number(buffer, at + 2 * offset, coding.read(sent));
                }
            }
            (FieldEncoding::FirstNumbers(coding), Value::Bytes(packed)) => {
                let count = Packed(packed).count();
                number(buffer, at, i64::try_from(count).unwrap_or(i64::MAX));
                for (index, sent) in (1..).zip(Packed(packed).take(MAX_LISTED_NUMBERS)) {
                    number(buffer, at + 2 * index, coding.read(sent));
                }
            }
            (
                FieldEncoding::Keyed {
                    keys,
                    message,
                    width,
                },
                Value::Bytes(entry),
            ) => {
                let index = match field(entry, 1) {
                    Some(key) => keys.index_of_nth(key, self.seat, nth),
                    None => keys.default_index(self.seat),
                };
                if let Some(index) = index {
                    self.write_row(*message, entry, at + index * width, buffer);
                }
            }
            (
                FieldEncoding::Ordered {
                    message,
                    width,
                    rows,
                },
                Value::Bytes(entry),
            ) => {
                let index = nth.min(rows - 1);
                self.write_row(*message, entry, at + index * width, buffer);
            }
            // Other combinations cannot occur: the contract and its bytes are from the same build.
            _ => {}
        }
    }

    fn write_multiset_entry(
        self,
        (keys, size): (&KeyIndex, u32),
        value: Value<'_>,
        nth: u32,
        at: u32,
        buffer: &mut RowBuffer,
    ) {
        if let Some(index) = keys.index_of(value, self.seat) {
            buffer.count_up(at + index, 2.0);
            buffer.add(at + size + index, position(nth));
        }
    }

    fn write_row(self, message: usize, entry: &[u8], at: u32, buffer: &mut RowBuffer) {
        buffer.add(at, 1.0);
        self.write_message(message, entry, at + 1, buffer);
    }
}

/// Compiles the descriptors of messages.
struct SchemaCompiler<'a> {
    seats: u32,
    texts: &'a [String],
    messages: Vec<Box<[Option<SchemaField>]>>,
}

impl SchemaCompiler<'_> {
    /// Lays out a message: its fields, one after the other. Returns its index, and the names of its cells.
    fn compile_message(
        &mut self,
        message: &MessageDescriptor,
        inside: &Nesting,
        without: Option<u32>,
    ) -> (usize, Vec<String>) {
        let mut inside = inside.clone();
        let (mut cells, mut parts) = (Vec::new(), Vec::new());
        // A message that contains itself has no fixed size, so the recursion is cut off here.
        if !inside
            .messages
            .iter()
            .any(|name| name == message.full_name())
        {
            inside.messages.push(message.full_name().to_owned());
            let mut fields: Vec<_> = message.fields().collect();
            fields.sort_by_key(FieldDescriptor::number);
            for field in fields {
                if Some(field.number()) == without || OPERATOR_FIELDS.contains(&field.name()) {
                    continue;
                }
                let (at, number) = (to_u32(cells.len()), field.number() as usize);
                let (says_set, kind, names) = self.compile_field(&field, &inside);
                if parts.len() <= number {
                    parts.resize_with(number + 1, || None);
                }
                parts[number] = kind.map(|kind| SchemaField {
                    at,
                    has_presence_cell: says_set,
                    kind,
                });
                cells.extend(names.iter().map(|cell| format!("{}{cell}", field.name())));
            }
        }
        self.messages.push(parts.into_boxed_slice());
        (self.messages.len() - 1, cells)
    }

    fn compile_field(
        &mut self,
        field: &FieldDescriptor,
        inside: &Nesting,
    ) -> (bool, Option<FieldEncoding>, Vec<String>) {
        if field.is_list() {
            let (kind, names) = self.compile_list(field, inside);
            return (false, kind, names);
        }
        let (kind, mut names) = self.compile_value(field, inside);
        let says_set = kind.is_some() && field.supports_presence();
        if says_set {
            names.insert(0, String::from(" is set"));
        }
        (says_set, kind, names)
    }

    fn compile_value(
        &mut self,
        field: &FieldDescriptor,
        inside: &Nesting,
    ) -> (Option<FieldEncoding>, Vec<String>) {
        if let Kind::Message(message) = field.kind() {
            let (message, cells) = self.compile_message(&message, inside, None);
            let names = cells.iter().map(|cell| format!(".{cell}"));
            return (Some(FieldEncoding::Message(message)), names.collect());
        }
        if let Some((keys, names)) = KeyIndex::of_view(field, self.seats, self.texts) {
            let names = names.iter().map(|name| format!("={name}"));
            return (Some(FieldEncoding::OneHot(keys)), names.collect());
        }
        if matches!(field.kind(), Kind::Bool) {
            return (Some(FieldEncoding::Flag), vec![String::new()]);
        }
        match coding(&field.kind()) {
            Some(coding) => (Some(FieldEncoding::Number(coding)), number_cells([""])),
            None => (None, Vec::new()),
        }
    }

    fn compile_list(
        &mut self,
        field: &FieldDescriptor,
        inside: &Nesting,
    ) -> (Option<FieldEncoding>, Vec<String>) {
        if let Kind::Message(message) = field.kind() {
            return self.compile_rows(field, &message, inside);
        }
        if let Some((keys, names)) = KeyIndex::of_view(field, self.seats, self.texts) {
            let counts = names.iter().map(|name| format!("[{name}] count"));
            let position_names = names.iter().map(|name| format!("[{name}] places"));
            let cells = counts.chain(position_names).collect();
            let size = to_u32(names.len());
            return (Some(FieldEncoding::Multiset { keys, size }), cells);
        }
        let Some(coding) = coding(&field.kind()) else {
            return (None, Vec::new());
        };
        if SEAT_LISTS.contains(&field.name()) {
            let seat_names: Vec<String> = (0..self.seats).map(relative_seat_name).collect();
            let names = seat_names.iter().map(|seat| format!("[{seat}]"));
            let seats = self.seats;
            return (
                Some(FieldEncoding::BySeat { coding, seats }),
                number_cells(names),
            );
        }
        let element_names = (0..MAX_LISTED_NUMBERS).map(|index| format!("[{index}]"));
        let names = std::iter::once(String::from("[length]")).chain(element_names);
        (
            Some(FieldEncoding::FirstNumbers(coding)),
            number_cells(names),
        )
    }

    /// Lays out a list of messages: a row for each key if the first field is a key, otherwise rows for the first ones
    /// in order.
    fn compile_rows(
        &mut self,
        list: &FieldDescriptor,
        message: &MessageDescriptor,
        inside: &Nesting,
    ) -> (Option<FieldEncoding>, Vec<String>) {
        let inside = Nesting {
            lists: inside.lists + 1,
            ..inside.clone()
        };
        let key = message.get_field(1).filter(|key| !key.is_list());
        let keys = key.and_then(|key| KeyIndex::of_view(&key, self.seats, self.texts));
        if let Some((keys, names)) = keys
            && !ORDERED_LISTS.contains(&list.name())
        {
            let (message, row) = self.compile_message(message, &inside, Some(1));
            let width = row.len() + 1;
            // Every seat has a row of its own, regardless of its width.
            if width * names.len() <= MAX_LIST_CELLS || matches!(keys, KeyIndex::Seat { .. }) {
                let width = to_u32(width);
                let kind = FieldEncoding::Keyed {
                    keys,
                    message,
                    width,
                };
                return (Some(kind), row_names(&names, &row));
            }
        }
        let (message, row) = self.compile_message(message, &inside, None);
        let width = row.len() + 1;
        let max_rows = if inside.lists > 1 {
            MAX_NESTED_ROWS
        } else {
            MAX_ROWS
        };
        let rows = max_rows.min(MAX_LIST_CELLS / width).max(2);
        let names: Vec<String> = (0..rows).map(|row| row.to_string()).collect();
        let kind = FieldEncoding::Ordered {
            message,
            width: to_u32(width),
            rows: to_u32(rows),
        };
        (Some(kind), row_names(&names, &row))
    }
}

fn row_names(keys: &[String], row: &[String]) -> Vec<String> {
    let row_cells = |key: &String| {
        let cells = row.iter().map(|cell| format!("[{key}].{cell}"));
        std::iter::once(format!("[{key}] is set"))
            .chain(cells)
            .collect::<Vec<_>>()
    };
    keys.iter().flat_map(row_cells).collect()
}

/// Returns the names of the two cells of each number.
pub(crate) fn number_cells(names: impl IntoIterator<Item = impl std::fmt::Display>) -> Vec<String> {
    let names = names.into_iter();
    let both = names.flat_map(|name| [format!("{name} (small)"), format!("{name} (large)")]);
    both.collect()
}

/// Converts a number of cells. No layout has more than fit.
pub(crate) fn to_u32(cells: usize) -> u32 {
    u32::try_from(cells).unwrap_or(u32::MAX)
}
