//! The parts of one version of a game, each as bytes.

use gamekeeper_rules::ruleset::{Applied, is_exhaustive};
use gamekeeper_rules::table::{Detail, GameEvent, Names, Seat, Wanted, encode, fingerprint};
use gamekeeper_wire::{Wire, draw, pending, standings};
use prost::Message;

use crate::rules::{listed, viewers};

/// The names of the parts, in the order of the columns.
pub(crate) const PARTS: [&str; 11] = [
    "action",
    "pending",
    "standings",
    "moves",
    "payments",
    "draws",
    "events",
    "texts",
    "views",
    "stored",
    "state",
];

/// A list of pieces, each preceded by its length.
#[derive(Default)]
struct Pieces(Vec<u8>);

impl Pieces {
    fn add(&mut self, piece: &[u8]) {
        self.0
            .extend(u32::try_from(piece.len()).unwrap().to_be_bytes());
        self.0.extend(piece);
    }

    fn add_message(&mut self, message: &impl Message) {
        self.add(&message.encode_to_vec());
    }
}

fn of_messages<M: Message>(messages: impl IntoIterator<Item = M>) -> Vec<u8> {
    let mut pieces = Pieces::default();
    for message in messages {
        pieces.add_message(&message);
    }
    pieces.0
}

/// Returns all parts of a version, in the order of [`PARTS`]. `action` led to it.
pub(crate) fn parts<W: Wire>(
    action: Option<&W::Action>,
    now: &Applied<W>,
    seats: usize,
) -> [Vec<u8>; PARTS.len()] {
    let (events, texts) = events(now, seats);
    [
        actions::<W>(action),
        of_messages(pending(&W::pending(&now.state))),
        of_messages(W::ranking(&now.state).iter().flat_map(standings)),
        lists::<W>(&now.state, seats, Detail::Moves),
        lists::<W>(&now.state, seats, Detail::AllPayments),
        of_messages(now.draws.iter().map(draw::<W>)),
        events,
        texts,
        of_messages(viewers(seats).map(|viewer| W::view_message(&W::view(&now.state, viewer)))),
        stored(action, now),
        table(now),
    ]
}

/// Encodes the messages of actions, their kinds, and their stored form.
fn actions<'a, W: Wire>(actions: impl IntoIterator<Item = &'a W::Action>) -> Vec<u8> {
    let mut pieces = Pieces::default();
    for action in actions {
        pieces.add_message(&W::action_message(action));
        pieces.add(W::kind(action).as_bytes());
        pieces.add(&encode(action));
    }
    pieces.0
}

fn lists<W: Wire>(state: &W::State, seats: usize, detail: Detail) -> Vec<u8> {
    let mut pieces = Pieces::default();
    for seat in Seat::all(seats) {
        let actions_of = listed::<W>(state, seat, detail);
        pieces.add(&actions::<W>(&actions_of));
        pieces.add(&[u8::from(is_exhaustive::<W>(
            state,
            seat,
            Wanted::all(detail),
        ))]);
    }
    pieces.0
}

/// Encodes events as every viewer sees them, and their sentences.
fn events<W: Wire>(now: &Applied<W>, seats: usize) -> (Vec<u8>, Vec<u8>) {
    let (mut messages, mut texts) = (Pieces::default(), Pieces::default());
    if now.events.is_empty() {
        return (messages.0, texts.0);
    }
    for viewer in viewers(seats) {
        for event in &now.events {
            let seen = W::event_view(event, viewer);
            let Some(seen) = seen else {
                messages.add(&[]);
                texts.add(&[]);
                continue;
            };
            messages.add_message(&W::event_message(&seen));
            texts.add(seen.sentence(Names::NONE).as_bytes());
        }
    }
    (messages.0, texts.0)
}

/// Encodes the log's part of a version.
fn stored<W: Wire>(action: Option<&W::Action>, now: &Applied<W>) -> Vec<u8> {
    let mut pieces = Pieces::default();
    pieces.add(&action.map(encode).unwrap_or_default());
    pieces.add(&encode(&now.automatic));
    for automatic in &now.automatic {
        pieces.add_message(&W::action_message(&automatic.action));
    }
    pieces.add(&encode(&now.draws));
    pieces.add(&encode(&now.events));
    pieces.0
}

/// Encodes the snapshot's part of a version, and its fingerprint.
fn table<W: Wire>(now: &Applied<W>) -> Vec<u8> {
    let mut pieces = Pieces::default();
    pieces.add(&now.chance.position().to_be_bytes());
    pieces.add(&encode(&now.state));
    pieces.add(&fingerprint(&now.state).to_be_bytes());
    pieces.0
}
