//! The **observation space** and the **action space** of a ruleset.

use std::collections::HashMap;

use gamekeeper_proto::DESCRIPTORS;
use gamekeeper_rules::table::MAX_SEATS;
use gamekeeper_wire::Wire;
use gamekeeper_wire::contract::{message_name, pool};
use prost::Message;
use prost_reflect::{DynamicMessage, Kind, MessageDescriptor, Value};
use xxhash_rust::xxh3::xxh3_64;

use crate::cells::{Cell, Page, Row};
use crate::count::{number, times};
use crate::keys::turn_name;
use crate::layout::{Layout, numbers, place};
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
    /// The components that the contract names by text.
    texts: Vec<String>,
    layout: Layout,
    vocabulary: Vocabulary,
    /// The decisions that seats can owe, with their places.
    decisions: HashMap<&'static str, u32>,
    /// The kinds of events, with their places.
    kinds: HashMap<String, u32>,
    view: u32,
    pending: u32,
    tally: u32,
    /// The number of things in the tally of each seat, which viewers know although no view shows them.
    counted: u32,
    happened: u32,
    said: u32,
    cells: Vec<String>,
    version: u64,
}

impl Space {
    /// Creates the space of a ruleset.
    ///
    /// # Errors
    /// Fails if the ruleset is played by other numbers of players.
    pub fn new<W: Wire>(seats: usize) -> Result<Self, Fault> {
        let sheet = W::SHEET;
        if !sheet.seats().contains(&seats) || seats > MAX_SEATS {
            return Err(Fault::Seats {
                ruleset: sheet.id,
                min: sheet.min_seats,
                max: sheet.max_seats,
                seats,
            });
        }
        let texts = texts::<W>();
        let layout = Layout::new(&message::<W>("View"), place(seats), &texts);
        let vocabulary = Vocabulary::new(&message::<W>("Action"), &texts);
        let kinds = kinds(&message::<W>("Event"));
        let turns: Vec<String> = (0..place(seats)).map(turn_name).collect();
        let mut cells: Vec<String> = (1..=seats).map(|seat| format!("own seat={seat}")).collect();
        let view = place(cells.len());
        cells.extend(layout.cells.iter().cloned());
        let pending = place(cells.len());
        let decisions = || W::DECISIONS.iter().map(|row| row.id);
        for turn in &turns {
            cells.extend(decisions().map(|decision| format!("pending[{turn}]={decision}")));
        }
        let (tally, tallied) = (place(cells.len()), W::tallied());
        for turn in &turns {
            let counted = tallied
                .iter()
                .map(|what| format!("counted[{turn}][{what}]"));
            cells.extend(numbers(counted));
        }
        let happened = place(cells.len());
        for kind in &kinds {
            let who = turns.iter().map(String::as_str).chain(["table"]);
            cells.extend(who.map(|who| format!("happened[{kind}][{who}]")));
        }
        let said = place(cells.len());
        cells.extend(vocabulary.words.iter().map(|word| format!("said {word}")));
        let names = cells
            .iter()
            .chain(&vocabulary.words)
            .fold(String::new(), |all, name| all + name + "\n");
        Ok(Self {
            ruleset: sheet.id,
            seats,
            decisions: decisions().zip(0..).collect(),
            kinds: kinds.into_iter().zip(0..).collect(),
            texts,
            layout,
            vocabulary,
            view,
            pending,
            tally,
            counted: place(tallied.len()),
            happened,
            said,
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

    /// Returns the components that the contract names by text.
    #[must_use]
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Creates an empty page for rows of this space.
    #[must_use]
    pub fn page(&self) -> Page {
        Page::new(self.cells.len())
    }

    /// Returns the words with which a seat says an encoded action.
    #[must_use]
    pub fn words_of(&self, action: &[u8]) -> Vec<u16> {
        let mut said = Vec::new();
        self.sentence(action, &mut said);
        said
    }

    /// Appends the words of an encoded action.
    pub(crate) fn sentence(&self, action: &[u8], said: &mut Vec<Word>) {
        self.vocabulary.program.say(action, said);
    }

    /// Writes the observing seat and the view. Seats count from 0.
    pub(crate) fn write_view(&self, view: &[u8], seat: usize, page: &mut Page) {
        page.add(place(seat), 1.0);
        self.layout.write(view, self.view, place(seat), page);
    }

    /// Writes that a seat owes a decision.
    pub(crate) fn write_pending(&self, owes: usize, decision: &str, seat: usize, page: &mut Page) {
        if let Some(decision) = self.decisions.get(decision) {
            let at = self.pending + self.turn(owes, seat) * place(self.decisions.len());
            page.add(at + decision, 1.0);
        }
    }

    /// Writes the number of a thing that a seat has, for things that the viewer knows although no view shows them.
    pub(crate) fn write_tally(
        &self,
        (of, what, count): (usize, usize, u16),
        seat: usize,
        page: &mut Page,
    ) {
        let at = self.turn(of, seat) * self.counted + place(what);
        number(page, self.tally + 2 * at, count.into());
    }

    /// Returns the cell of an event among the counts of events, by its kind and the acting seat.
    pub(crate) fn happening(&self, kind: &str, who: Option<usize>, seat: usize) -> Option<u32> {
        let who = who.map_or(place(self.seats), |who| self.turn(who, seat));
        let kind = self.kinds.get(kind)?;
        Some(kind * (place(self.seats) + 1) + who)
    }

    /// Writes the number of times that an event happened since the seat's last decision.
    pub(crate) fn write_happened(&self, happening: u32, count: u32, page: &mut Page) {
        times(page, self.happened + happening, count);
    }

    /// Writes the words of the current action.
    pub(crate) fn write_said(&self, said: &[Word], page: &mut Page) {
        for word in said {
            page.count_up(self.said + u32::from(*word), 1.0);
        }
    }

    /// Adds the new words of the current action to a row that is otherwise up to date. `said` are all its words, the
    /// new ones from `from` on.
    pub(crate) fn say_more<C: Cell>(
        &self,
        (said, from): (&[Word], usize),
        cells: &mut [C],
        row: &mut Row,
    ) {
        for word in said.iter().skip(from) {
            let times = said.iter().filter(|other| *other == word).count();
            row.set(cells, self.said + u32::from(*word), share(times));
        }
    }

    fn turn(&self, other: usize, seat: usize) -> u32 {
        place((other + self.seats - seat) % self.seats)
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
    let found = pool().get_message_by_name(&name);
    found
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
    let mut found = Vec::new();
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
                found.push(id.to_owned());
            }
        }
    }
    found
}
