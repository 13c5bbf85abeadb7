//! Fields of views that name seats are known as such: a new one that is not listed would be a mere number to learners.

use std::collections::BTreeSet;

use gamekeeper_rules::conformance::{Audit, random_game};
use gamekeeper_rules::of_each_ruleset;
use gamekeeper_rules::table::{Seat, Viewer};
use gamekeeper_wire::contract::pool;
use prost_reflect::{Kind, MessageDescriptor};

use crate::key_index::{SEATS, coding};

/// Adds the names of the fields that name a seat, or list seats, in a value that is printed for debugging:
/// `owner: Some(Seat(1)), order: [Seat(2), Seat(1)]`.
fn add_seat_fields(printed: &str, fields: &mut BTreeSet<String>) {
    for (at, _) in printed.match_indices("Seat(") {
        let Some((before, value)) = printed[..at].rsplit_once(": ") else {
            continue;
        };
        let value = value.trim_start_matches("Some(");
        if value.is_empty() || value == "[" || value.starts_with("[Seat(") {
            let name = before.rsplit(|letter: char| !letter.is_alphanumeric() && letter != '_');
            fields.extend(name.take(1).map(String::from));
        }
    }
}

/// Returns the id of a ruleset, and the fields that name seats to a player, in a random game of every number of seats.
fn seat_fields<R: Audit>() -> (&'static str, BTreeSet<String>) {
    let mut fields = BTreeSet::new();
    for seats in R::INFO.seats() {
        let options = R::table(seats, 1);
        random_game::<R>(&options, 1, |table| {
            let view = R::view(&table.state, Viewer::Seat(Seat::FIRST));
            add_seat_fields(&format!("{view:?}"), &mut fields);
        })
        .unwrap();
    }
    (R::INFO.id, fields)
}

/// Adds the names of all fields that are numbers, in a message of the contract and in those that it contains.
fn add_numbers(
    message: &MessageDescriptor,
    seen: &mut BTreeSet<String>,
    numbers: &mut BTreeSet<String>,
) {
    if !seen.insert(message.full_name().to_owned()) {
        return;
    }
    for field in message.fields() {
        let kind = field.kind();
        if let Kind::Message(inner) = kind {
            add_numbers(&inner, seen, numbers);
        } else if coding(&kind).is_some() {
            numbers.insert(field.name().to_owned());
        }
    }
}

#[test]
fn every_field_of_a_view_that_names_a_seat_is_listed() {
    for (id, fields) in of_each_ruleset!(R => seat_fields::<R>()) {
        let view = pool().get_message_by_name(&format!("gamekeeper.{id}.v1.View"));
        let mut numbers = BTreeSet::new();
        add_numbers(&view.unwrap(), &mut BTreeSet::new(), &mut numbers);
        let named: Vec<_> = fields.intersection(&numbers).collect();
        assert!(named.iter().any(|name| *name == "seat"), "{id}: {named:?}");
        for name in named {
            assert!(
                SEATS.contains(&name.as_str()),
                "{id}: `{name}` is not in SEATS"
            );
        }
    }
}
