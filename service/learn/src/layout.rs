//! The **feature layout**: the translation of a view to cells, compiled once from the descriptor of the message.
//!
//! `proto/python/docs/observations.md` explains the rules to readers.

use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};

use crate::bytes::{Coding, Fields, Packed, Value, field};
use crate::cells::Page;
use crate::count::{number, position};
use crate::keys::{Keys, coding, turn_name};

/// The fields that list one number for each seat, in seat order.
pub(crate) const BY_SEAT: &[&str] = &["batches_this_turn", "parts", "ships"];

/// The lists of messages that are kept in order although their first field is a key, because several entries can have
/// the same key.
pub(crate) const IN_ORDER: &[&str] = &["awards"];

/// The maximum number of cells of a list of messages, unless it has a row for each seat; and the maximum number of
/// rows of a list without a key, outside and inside another list.
const CELLS: usize = 4_096;
const ROWS: usize = 40;
const ROWS_INSIDE: usize = 6;

/// The number of entries of a list of numbers that have cells of their own.
const PLACES: usize = 8;

/// The cells of the views of one ruleset and one number of seats.
#[derive(Debug)]
pub(crate) struct Layout {
    /// The parts of each message, by the numbers of their fields.
    messages: Vec<Box<[Option<Part>]>>,
    root: usize,
    /// The meaning of each cell.
    pub(crate) cells: Vec<String>,
}

/// The cells of a field of a message.
#[derive(Debug)]
struct Part {
    /// The first cell, relative to the first cell of the message.
    at: u32,
    /// Whether an additional cell in front shows that the field is set.
    says_set: bool,
    kind: PartKind,
}

#[derive(Debug)]
enum PartKind {
    Bit,
    Number(Coding),
    /// A name: one cell for each (**one-hot**).
    Choice(Keys),
    Message(usize),
    /// A list of names, in order: for each name, the number of entries and their positions (**multi-hot**).
    Group {
        keys: Keys,
        size: u32,
    },
    /// A number for each seat.
    BySeat {
        coding: Coding,
        seats: u32,
    },
    /// A list of numbers: its length, and the first numbers in order.
    Places(Coding),
    /// A list of messages with keys: a row for each key.
    Keyed {
        keys: Keys,
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
struct Inside {
    messages: Vec<String>,
    lists: usize,
}

impl Layout {
    /// Compiles the layout. `texts` are the components that the ruleset names by text.
    pub(crate) fn new(view: &MessageDescriptor, seats: u32, texts: &[String]) -> Self {
        let mut compiler = Compiler {
            seats,
            texts,
            messages: Vec::new(),
        };
        let (root, cells) = compiler.message(view, &Inside::default(), None);
        Self {
            messages: compiler.messages,
            root,
            cells,
        }
    }

    /// Writes a view as a seat sees it, from cell `at` on. Seats count from 0.
    pub(crate) fn write(&self, view: &[u8], at: u32, seat: u32, page: &mut Page) {
        Writer { layout: self, seat }.message(self.root, view, at, page);
    }
}

/// Walks messages and writes their cells.
#[derive(Clone, Copy)]
struct Writer<'a> {
    layout: &'a Layout,
    seat: u32,
}

impl Writer<'_> {
    fn message(self, message: usize, bytes: &[u8], at: u32, page: &mut Page) {
        let Some(parts) = self.layout.messages.get(message) else {
            return;
        };
        // Entries of one list are adjacent in the bytes, so counting repeated numbers gives the position of each.
        let (mut last, mut nth) = (0, 0);
        for (number, value) in Fields(bytes) {
            nth = if number == last { nth + 1 } else { 0 };
            last = number;
            if let Some(Some(part)) = parts.get(number) {
                self.part(part, value, nth, at + part.at, page);
            }
        }
    }

    fn part(self, part: &Part, value: Value<'_>, nth: u32, mut at: u32, page: &mut Page) {
        if part.says_set {
            page.add(at, 1.0);
            at += 1;
        }
        match (&part.kind, value) {
            (PartKind::Bit, Value::Number(sent)) => {
                if sent != 0 {
                    page.add(at, 1.0);
                }
            }
            (PartKind::Number(coding), Value::Number(sent)) => number(page, at, coding.read(sent)),
            (PartKind::Choice(keys), value) => {
                if let Some(place) = keys.place(value, self.seat) {
                    page.add(at + place, 1.0);
                }
            }
            (PartKind::Message(message), Value::Bytes(bytes)) => {
                self.message(*message, bytes, at, page);
            }
            (_, value) => self.entry(&part.kind, value, nth, at, page),
        }
    }

    /// Writes an entry of a list, or all entries of a packed list.
    fn entry(self, kind: &PartKind, value: Value<'_>, nth: u32, at: u32, page: &mut Page) {
        match (kind, value) {
            (PartKind::Group { keys, size }, value) => match (keys, value) {
                (Keys::Text(_), Value::Bytes(_)) | (_, Value::Number(_)) => {
                    self.one_of_group((keys, *size), value, nth, at, page);
                }
                (Keys::Enum(_) | Keys::Seat { .. }, Value::Bytes(packed)) => {
                    for (nth, sent) in (0..).zip(Packed(packed)) {
                        self.one_of_group((keys, *size), Value::Number(sent), nth, at, page);
                    }
                }
            },
            (PartKind::BySeat { coding, seats }, Value::Bytes(packed)) => {
                for (other, sent) in (0..*seats).zip(Packed(packed)) {
                    let turn = (other + seats - self.seat) % seats;
                    number(page, at + 2 * turn, coding.read(sent));
                }
            }
            (PartKind::Places(coding), Value::Bytes(packed)) => {
                let count = Packed(packed).count();
                number(page, at, i64::try_from(count).unwrap_or(i64::MAX));
                for (place, sent) in (1..).zip(Packed(packed).take(PLACES)) {
                    number(page, at + 2 * place, coding.read(sent));
                }
            }
            (
                PartKind::Keyed {
                    keys,
                    message,
                    width,
                },
                Value::Bytes(entry),
            ) => {
                let place = match field(entry, 1) {
                    Some(key) => keys.place_of_nth(key, self.seat, nth),
                    None => keys.default_place(self.seat),
                };
                if let Some(place) = place {
                    self.row(*message, entry, at + place * width, page);
                }
            }
            (
                PartKind::Ordered {
                    message,
                    width,
                    rows,
                },
                Value::Bytes(entry),
            ) => {
                let place = nth.min(rows - 1);
                self.row(*message, entry, at + place * width, page);
            }
            // Other combinations cannot occur: the contract and its bytes are from the same build.
            _ => {}
        }
    }

    fn one_of_group(
        self,
        (keys, size): (&Keys, u32),
        value: Value<'_>,
        nth: u32,
        at: u32,
        page: &mut Page,
    ) {
        if let Some(place) = keys.place(value, self.seat) {
            page.count_up(at + place, 2.0);
            page.add(at + size + place, position(nth));
        }
    }

    fn row(self, message: usize, entry: &[u8], at: u32, page: &mut Page) {
        page.add(at, 1.0);
        self.message(message, entry, at + 1, page);
    }
}

/// Compiles the descriptors of messages.
struct Compiler<'a> {
    seats: u32,
    texts: &'a [String],
    messages: Vec<Box<[Option<Part>]>>,
}

impl Compiler<'_> {
    /// Lays out a message: its fields, one after the other. Returns its index, and the names of its cells.
    fn message(
        &mut self,
        message: &MessageDescriptor,
        inside: &Inside,
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
                if Some(field.number()) == without {
                    continue;
                }
                let (at, number) = (place(cells.len()), field.number() as usize);
                let (says_set, kind, names) = self.field(&field, &inside);
                if parts.len() <= number {
                    parts.resize_with(number + 1, || None);
                }
                parts[number] = kind.map(|kind| Part { at, says_set, kind });
                cells.extend(names.iter().map(|cell| format!("{}{cell}", field.name())));
            }
        }
        self.messages.push(parts.into_boxed_slice());
        (self.messages.len() - 1, cells)
    }

    fn field(
        &mut self,
        field: &FieldDescriptor,
        inside: &Inside,
    ) -> (bool, Option<PartKind>, Vec<String>) {
        if field.is_list() {
            let (kind, names) = self.list(field, inside);
            return (false, kind, names);
        }
        let (kind, mut names) = self.value(field, inside);
        let says_set = kind.is_some() && field.supports_presence();
        if says_set {
            names.insert(0, String::from(" is set"));
        }
        (says_set, kind, names)
    }

    fn value(
        &mut self,
        field: &FieldDescriptor,
        inside: &Inside,
    ) -> (Option<PartKind>, Vec<String>) {
        if let Kind::Message(message) = field.kind() {
            let (message, cells) = self.message(&message, inside, None);
            let names = cells.iter().map(|cell| format!(".{cell}"));
            return (Some(PartKind::Message(message)), names.collect());
        }
        if let Some((keys, names)) = Keys::of_view(field, self.seats, self.texts) {
            let names = names.iter().map(|name| format!("={name}"));
            return (Some(PartKind::Choice(keys)), names.collect());
        }
        if matches!(field.kind(), Kind::Bool) {
            return (Some(PartKind::Bit), vec![String::new()]);
        }
        match coding(&field.kind()) {
            Some(coding) => (Some(PartKind::Number(coding)), numbers([""])),
            None => (None, Vec::new()),
        }
    }

    fn list(
        &mut self,
        field: &FieldDescriptor,
        inside: &Inside,
    ) -> (Option<PartKind>, Vec<String>) {
        if let Kind::Message(message) = field.kind() {
            return self.rows(field, &message, inside);
        }
        if let Some((keys, names)) = Keys::of_view(field, self.seats, self.texts) {
            let counts = names.iter().map(|name| format!("[{name}] count"));
            let places = names.iter().map(|name| format!("[{name}] places"));
            let cells = counts.chain(places).collect();
            let size = place(names.len());
            return (Some(PartKind::Group { keys, size }), cells);
        }
        let Some(coding) = coding(&field.kind()) else {
            return (None, Vec::new());
        };
        if BY_SEAT.contains(&field.name()) {
            let turns: Vec<String> = (0..self.seats).map(turn_name).collect();
            let names = turns.iter().map(|turn| format!("[{turn}]"));
            let seats = self.seats;
            return (Some(PartKind::BySeat { coding, seats }), numbers(names));
        }
        let places = (0..PLACES).map(|place| format!("[{place}]"));
        let names = std::iter::once(String::from("[length]")).chain(places);
        (Some(PartKind::Places(coding)), numbers(names))
    }

    /// Lays out a list of messages: a row for each key if the first field is a key, otherwise rows for the first ones
    /// in order.
    fn rows(
        &mut self,
        list: &FieldDescriptor,
        message: &MessageDescriptor,
        inside: &Inside,
    ) -> (Option<PartKind>, Vec<String>) {
        let inside = Inside {
            lists: inside.lists + 1,
            ..inside.clone()
        };
        let key = message.get_field(1).filter(|key| !key.is_list());
        let keys = key.and_then(|key| Keys::of_view(&key, self.seats, self.texts));
        if let Some((keys, names)) = keys
            && !IN_ORDER.contains(&list.name())
        {
            let (message, row) = self.message(message, &inside, Some(1));
            let width = row.len() + 1;
            // Every seat has a row of its own, regardless of its width.
            if width * names.len() <= CELLS || matches!(keys, Keys::Seat { .. }) {
                let width = place(width);
                let kind = PartKind::Keyed {
                    keys,
                    message,
                    width,
                };
                return (Some(kind), row_names(&names, &row));
            }
        }
        let (message, row) = self.message(message, &inside, None);
        let width = row.len() + 1;
        let most = if inside.lists > 1 { ROWS_INSIDE } else { ROWS };
        let rows = most.min(CELLS / width).max(2);
        let names: Vec<String> = (0..rows).map(|row| row.to_string()).collect();
        let kind = PartKind::Ordered {
            message,
            width: place(width),
            rows: place(rows),
        };
        (Some(kind), row_names(&names, &row))
    }
}

fn row_names(keys: &[String], row: &[String]) -> Vec<String> {
    let of = |key: &String| {
        let cells = row.iter().map(|cell| format!("[{key}].{cell}"));
        std::iter::once(format!("[{key}] is set"))
            .chain(cells)
            .collect::<Vec<_>>()
    };
    keys.iter().flat_map(of).collect()
}

/// Returns the names of the two cells of each number.
pub(crate) fn numbers(names: impl IntoIterator<Item = impl std::fmt::Display>) -> Vec<String> {
    let names = names.into_iter();
    let both = names.flat_map(|name| [format!("{name} (small)"), format!("{name} (large)")]);
    both.collect()
}

/// Converts a number of cells. No layout has more than fit.
pub(crate) fn place(cells: usize) -> u32 {
    u32::try_from(cells).unwrap_or(u32::MAX)
}
