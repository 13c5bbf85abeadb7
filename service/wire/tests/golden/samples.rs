//! The first message of every kind in full, so that a difference can be located.

use std::collections::BTreeMap;

use gamekeeper_proto::DESCRIPTORS;
use gamekeeper_rules::ruleset::Applied;
use gamekeeper_rules::table::{Detail, Seat, Viewer};
use gamekeeper_wire::Wire;
use prost::Message;
use prost::encoding::{DecodeContext, decode_key, skip_field};
use prost_types::FileDescriptorSet;

use crate::hex::hex;
use crate::rules::listed;

/// The names of the oneof `kind` of a message, by their numbers.
type Kinds = BTreeMap<u32, String>;

pub(crate) struct Samples {
    actions: Kinds,
    events: Kinds,
    /// The first sample of each kind, by the type of message and by its kind.
    first: BTreeMap<&'static str, BTreeMap<String, String>>,
}

impl Samples {
    pub(crate) fn new(package: &str) -> Self {
        Self {
            actions: kinds(package, "Action"),
            events: kinds(package, "Event"),
            first: BTreeMap::new(),
        }
    }

    /// Adds the new samples of a version.
    pub(crate) fn look<W: Wire>(
        &mut self,
        action: Option<&W::Action>,
        now: &Applied<W>,
        seats: usize,
    ) {
        let listed = Seat::all(seats).flat_map(|seat| listed::<W>(&now.state, seat, Detail::Moves));
        for action in action.cloned().into_iter().chain(listed) {
            let message = W::action_message(&action).encode_to_vec();
            let name = kind(&self.actions, &message);
            take(&mut self.first, "action", name, &message);
        }
        for event in &now.events {
            let heard = [
                ("event", Viewer::Operator),
                ("overheard", Viewer::Spectator),
            ];
            for (how, viewer) in heard {
                let Some(seen) = W::event_view(event, viewer) else {
                    continue;
                };
                let message = W::event_message(&seen).encode_to_vec();
                take(&mut self.first, how, kind(&self.events, &message), &message);
            }
        }
    }

    /// Adds the views of a version.
    pub(crate) fn look_at_views<W: Wire>(&mut self, now: &Applied<W>) {
        let seat = Viewer::Seat(Seat::FIRST);
        for (name, viewer) in [("seat_1", seat), ("operator", Viewer::Operator)] {
            let message = W::view_message(&W::view(&now.state, viewer));
            take(&mut self.first, "view", name, &message.encode_to_vec());
        }
    }

    /// Returns the number of kinds that occurred.
    pub(crate) fn met(&self) -> usize {
        self.first.values().map(BTreeMap::len).sum()
    }

    /// Returns one line for each sample, and at the end the kinds without one.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (what, samples) in &self.first {
            let samples = samples.iter();
            lines.extend(samples.map(|(name, message)| format!("{what} {name} {message}")));
        }
        for (what, kinds) in [("action", &self.actions), ("event", &self.events)] {
            let is_met =
                |name: &&String| self.first.get(what).is_some_and(|s| s.contains_key(*name));
            let unmet = kinds.values().filter(|name| !is_met(name));
            lines.extend(unmet.map(|name| format!("{what} {name} unmet")));
        }
        lines
    }
}

fn take(
    first: &mut BTreeMap<&'static str, BTreeMap<String, String>>,
    what: &'static str,
    name: &str,
    message: &[u8],
) {
    let samples = first.entry(what).or_default();
    if !samples.contains_key(name) {
        samples.insert(name.to_owned(), hex(message));
    }
}

fn kinds(package: &str, message: &str) -> Kinds {
    let contract = FileDescriptorSet::decode(DESCRIPTORS).unwrap();
    let message = contract
        .file
        .into_iter()
        .filter(|file| file.package() == package)
        .flat_map(|file| file.message_type)
        .find(|descriptor| descriptor.name() == message)
        .unwrap();
    let oneof = |index: i32| message.oneof_decl[usize::try_from(index).unwrap()].name();
    let is_kind = |index: Option<i32>| index.is_some_and(|index| oneof(index) == "kind");
    let fields = message.field.iter();
    fields
        .filter(|field| is_kind(field.oneof_index))
        .map(|field| {
            (
                u32::try_from(field.number()).unwrap(),
                field.name().to_owned(),
            )
        })
        .collect()
}

/// Returns the name of the first field that is one of the kinds.
fn kind<'a>(kinds: &'a Kinds, mut rest: &[u8]) -> &'a str {
    while !rest.is_empty() {
        let (number, wire) = decode_key(&mut rest).unwrap();
        if let Some(name) = kinds.get(&number) {
            return name;
        }
        skip_field(wire, number, &mut rest, DecodeContext::default()).unwrap();
    }
    "none"
}
