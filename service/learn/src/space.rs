//! The **observation space** and the **action space** of a ruleset.

use std::collections::HashMap;

use gamekeeper_proto::DESCRIPTORS;
use gamekeeper_rules::table::MAX_SEATS;
use gamekeeper_wire::Wire;
use gamekeeper_wire::contract::{message_name, pool};
use prost::Message;
use prost_reflect::{DynamicMessage, Kind, MessageDescriptor, Value};
use xxhash_rust::xxh3::xxh3_64;

use crate::count::{number, times};
use crate::key_index::relative_seat_name;
use crate::observation_schema::{ObservationSchema, number_cells, to_u32};
use crate::row_buffer::{DirtyCells, Element, RowBuffer};
use crate::settings::Fault;
use crate::vocabulary::Vocabulary;
use crate::words::Word;

/// The revision of the translation of messages to cells and words. To be raised if the same view gives other numbers
/// although the names of the cells are the same.
const REVISION: u64 = 1;

/// Observations and actions of one ruleset, for a number of seats.
#[derive(Debug)]
pub struct Space {
    ruleset: &'static str,
    seats: usize,
    has_hidden_information: bool,
    /// The components that the contract names by text.
    texts: Vec<String>,
    schema: ObservationSchema,
    vocabulary: Vocabulary,
    /// The decisions that seats can owe, with their places.
    decisions: HashMap<&'static str, u32>,
    /// The kinds of events, with their places.
    event_kinds: HashMap<String, u32>,
    view_offset: u32,
    pending_offset: u32,
    counter_offset: u32,
    /// The number of things in the tally of each seat, which viewers know although no view shows them.
    counters_per_seat: u32,
    event_offset: u32,
    prefix_offset: u32,
    cells: Vec<String>,
    version: u64,
}

impl Space {
    /// Creates the space of a ruleset.
    ///
    /// # Errors
    /// Fails if the ruleset is played by other numbers of players.
    pub fn new<W: Wire>(seats: usize) -> Result<Self, Fault> {
        let info = W::INFO;
        if !info.seats().contains(&seats) || seats > MAX_SEATS {
            return Err(Fault::Seats {
                ruleset: info.id,
                min: info.min_seats,
                max: info.max_seats,
                seats,
            });
        }
        let texts = texts::<W>();
        let schema = ObservationSchema::new(&message::<W>("View"), to_u32(seats), &texts);
        let vocabulary = Vocabulary::new(&message::<W>("Action"), &texts);
        let kinds = kinds(&message::<W>("Event"));
        let seat_names: Vec<String> = (0..to_u32(seats)).map(relative_seat_name).collect();
        let mut cells: Vec<String> = (1..=seats).map(|seat| format!("own seat={seat}")).collect();
        let view = to_u32(cells.len());
        cells.extend(schema.cells.iter().cloned());
        let pending = to_u32(cells.len());
        let decisions = || W::DECISIONS.iter().map(|row| row.id);
        for seat_name in &seat_names {
            cells.extend(decisions().map(|decision| format!("pending[{seat_name}]={decision}")));
        }
        let (tally, counter_names) = (to_u32(cells.len()), W::tracked_counter_names());
        for seat_name in &seat_names {
            let counters = counter_names
                .iter()
                .map(|what| format!("counted[{seat_name}][{what}]"));
            cells.extend(number_cells(counters));
        }
        let event_counts = to_u32(cells.len());
        for kind in &kinds {
            let actor = seat_names.iter().map(String::as_str).chain(["table"]);
            cells.extend(actor.map(|actor| format!("happened[{kind}][{actor}]")));
        }
        let words = to_u32(cells.len());
        cells.extend(vocabulary.words.iter().map(|word| format!("said {word}")));
        let names = cells
            .iter()
            .chain(&vocabulary.words)
            .fold(String::new(), |all, name| all + name + "\n");
        Ok(Self {
            ruleset: info.id,
            seats,
            has_hidden_information: W::HAS_HIDDEN_INFORMATION,
            decisions: decisions().zip(0..).collect(),
            event_kinds: kinds.into_iter().zip(0..).collect(),
            texts,
            schema,
            vocabulary,
            view_offset: view,
            pending_offset: pending,
            counter_offset: tally,
            counters_per_seat: to_u32(counter_names.len()),
            event_offset: event_counts,
            prefix_offset: words,
            version: xxh3_64(names.as_bytes()).wrapping_add(REVISION),
            cells,
        })
    }

    /// Returns the id of the ruleset.
    #[must_use]
    pub fn ruleset(&self) -> &'static str {
        self.ruleset
    }

    /// Returns the number of seats.
    #[must_use]
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// Returns whether any part of a table is ever hidden from a seat.
    #[must_use]
    pub fn has_hidden_information(&self) -> bool {
        self.has_hidden_information
    }

    /// Returns the meaning of each number of an observation.
    #[must_use]
    pub fn cells(&self) -> &[String] {
        &self.cells
    }

    /// Returns the meaning of each word, such as `BuyCard.card=CARD_GOLD`.
    #[must_use]
    pub fn words(&self) -> &[String] {
        &self.vocabulary.words
    }

    /// Returns a hash of the meanings of all numbers and words: it changes whenever one of them does.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Compares this space with another one.
    ///
    /// # Errors
    /// Fails if its numbers and words have other meanings.
    pub fn check_same(&self, other: &Self) -> Result<(), Fault> {
        if self.version == other.version && self.ruleset == other.ruleset {
            return Ok(());
        }
        let name = |space: &Self| format!("{} with {} players", space.ruleset, space.seats);
        Err(Fault::OtherSpace {
            found: name(self),
            expected: name(other),
        })
    }

    /// Returns the components that the contract names by text.
    #[must_use]
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Creates an empty page for rows of this space.
    #[must_use]
    pub fn row_buffer(&self) -> RowBuffer {
        RowBuffer::new(self.cells.len())
    }

    /// Returns the words with which a seat says an encoded action.
    #[must_use]
    pub fn words_of(&self, action: &[u8]) -> Vec<u16> {
        let mut words = Vec::new();
        self.push_encoded_words(action, &mut words);
        words
    }

    /// Appends the words of an encoded action.
    pub(crate) fn push_encoded_words(&self, action: &[u8], words: &mut Vec<Word>) {
        self.vocabulary.program.push_words(action, words);
    }

    /// Writes the observing seat and the view. Seats count from 0.
    pub(crate) fn write_view(&self, view: &[u8], seat: usize, buffer: &mut RowBuffer) {
        buffer.add(to_u32(seat), 1.0);
        self.schema
            .write(view, self.view_offset, to_u32(seat), buffer);
    }

    /// Writes that a seat owes a decision.
    pub(crate) fn write_pending(
        &self,
        pending_seat: usize,
        decision: &str,
        seat: usize,
        buffer: &mut RowBuffer,
    ) {
        if let Some(decision) = self.decisions.get(decision) {
            let at = self.pending_offset
                + self.relative_seat(pending_seat, seat) * to_u32(self.decisions.len());
            buffer.add(at + decision, 1.0);
        }
    }

    /// Writes the number of a thing that a seat has, for things that the viewer knows although no view shows them.
    pub(crate) fn write_counter(
        &self,
        (of, what, count): (usize, usize, u16),
        seat: usize,
        buffer: &mut RowBuffer,
    ) {
        let at = self.relative_seat(of, seat) * self.counters_per_seat + to_u32(what);
        number(buffer, self.counter_offset + 2 * at, count.into());
    }

    /// Returns the cell of an event among the counts of events, by its kind and the acting seat.
    pub(crate) fn event_index(&self, kind: &str, actor: Option<usize>, seat: usize) -> Option<u32> {
        let actor = actor.map_or(to_u32(self.seats), |actor| self.relative_seat(actor, seat));
        let kind = self.event_kinds.get(kind)?;
        Some(kind * (to_u32(self.seats) + 1) + actor)
    }

    /// Writes the number of times that an event happened since the seat's last decision.
    pub(crate) fn write_event_count(&self, event_index: u32, count: u32, buffer: &mut RowBuffer) {
        times(buffer, self.event_offset + event_index, count);
    }

    /// Writes the words of the current action.
    pub(crate) fn write_prefix(&self, words: &[Word], buffer: &mut RowBuffer) {
        for word in words {
            buffer.count_up(self.prefix_offset + u32::from(*word), 1.0);
        }
    }

    /// Adds the new words of the current action to a row that is otherwise up to date. `words` are all its words, the
    /// new ones from `from` on.
    pub fn update_prefix<C: Element>(
        &self,
        (words, from): (&[Word], usize),
        cells: &mut [C],
        dirty: &mut DirtyCells,
    ) {
        for word in words.iter().skip(from) {
            let times = words.iter().filter(|other| *other == word).count();
            dirty.set(cells, self.prefix_offset + u32::from(*word), share(times));
        }
    }

    fn relative_seat(&self, other: usize, seat: usize) -> u32 {
        to_u32((other + self.seats - seat) % self.seats)
    }
}

/// Returns count / (count + 1).
fn share(count: usize) -> f32 {
    let count = u16::try_from(count).map_or(f32::from(u16::MAX), f32::from);
    count / (count + 1.0)
}

/// Returns the descriptor of a message of a ruleset. The contract that is compiled into this build contains all of
/// them; a test reads each.
fn message<W: Wire>(name: &str) -> MessageDescriptor {
    let name = message_name::<W>(name);
    let descriptor = pool().get_message_by_name(&name);
    descriptor
        .unwrap_or_else(|| unreachable!("the contract, {} bytes, has no {name}", DESCRIPTORS.len()))
}

/// Lists the kinds of events: the fields of the oneof `kind`, by number.
fn kinds(event: &MessageDescriptor) -> Vec<String> {
    let oneofs = event.oneofs().filter(|oneof| oneof.name() == "kind");
    let mut fields: Vec<_> = oneofs
        .flat_map(|oneof| oneof.fields().collect::<Vec<_>>())
        .collect();
    fields.sort_by_key(prost_reflect::FieldDescriptor::number);
    fields.iter().map(|field| field.name().to_owned()).collect()
}

/// Lists the components that the contract names by text instead of an enum, such as spaces of a map, in their order:
/// the entries of a catalogue whose first field is a text named `id`.
fn texts<W: Wire>() -> Vec<String> {
    let descriptor = message::<W>("Catalogue");
    let encoded = W::catalogue().encode_to_vec();
    let Ok(catalogue) = DynamicMessage::decode(descriptor, &*encoded) else {
        return Vec::new();
    };
    let mut ids = Vec::new();
    let mut fields: Vec<_> = catalogue.fields().collect();
    fields.sort_by_key(|(field, _)| field.number());
    for (field, value) in fields {
        let Kind::Message(entry) = field.kind() else {
            continue;
        };
        let key = entry
            .get_field(1)
            .filter(|key| key.name() == "id" && matches!(key.kind(), Kind::String));
        let (Some(key), Value::List(entries)) = (key, value) else {
            continue;
        };
        for entry in entries.iter().filter_map(Value::as_message) {
            if let Some(id) = entry.get_field(&key).as_str() {
                ids.push(id.to_owned());
            }
        }
    }
    ids
}
