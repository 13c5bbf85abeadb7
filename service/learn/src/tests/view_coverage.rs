//! An observation contains everything that a view contains: each change of a view changes its cells.

use std::collections::BTreeMap;

use gamekeeper_rules::table::{Chance, Seed};
use gamekeeper_wire::contract::pool;
use prost_reflect::prost::Message;
use prost_reflect::{
    DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, ReflectMessage, Value,
};

use super::{begun, sizes, step};
use crate::key_index::{SEATS, coding};
use crate::observation_schema::{OPERATOR_FIELDS, ORDERED_LISTS, SEAT_LISTS};
use crate::row_buffer::DirtyCells;
use crate::{Observer, Space};

/// The number of entries of a list whose order is kept.
const KEPT: usize = 24;

/// Returns every message that differs from this one in one place, with the path of the place.
fn mutations(
    message: &DynamicMessage,
    seats: u32,
    texts: &[String],
) -> Vec<(String, DynamicMessage)> {
    let mut all = Vec::new();
    for field in message.descriptor().fields() {
        let is_left_out = !message.has_field(&field) && !field.supports_presence();
        if is_left_out || OPERATOR_FIELDS.contains(&field.name()) {
            continue;
        }
        for (what, value) in of_field(message, &field, seats, texts) {
            let mut changed = message.clone();
            match value {
                Some(value) => changed.set_field(&field, value),
                None => changed.clear_field(&field),
            }
            all.push((format!("{}{what}", field.name()), changed));
        }
    }
    all
}

fn of_field(
    message: &DynamicMessage,
    field: &FieldDescriptor,
    seats: u32,
    texts: &[String],
) -> Vec<(String, Option<Value>)> {
    if !message.has_field(field) {
        let kind = field.kind();
        let default = match kind.as_message() {
            Some(message) => Value::Message(DynamicMessage::new(message.clone())),
            None => Value::default_value(&kind),
        };
        return vec![(String::from(" set"), Some(default))];
    }
    let value = message.get_field(field);
    let mut all = Vec::new();
    if field.is_list() {
        let list = value.as_list().unwrap();
        for (at, entry) in list.iter().enumerate().take(KEPT) {
            for (what, changed) in of_value(entry, field, seats, texts) {
                let mut list = list.to_vec();
                list[at] = changed;
                all.push((format!("[{at}]{what}"), Some(Value::List(list))));
            }
            let mut fewer = list.to_vec();
            fewer.remove(at);
            // A list with one number for each seat has a fixed length.
            if !SEAT_LISTS.contains(&field.name()) {
                all.push((format!("[{at}] removed"), Some(Value::List(fewer))));
            }
            let next = list
                .get(at + 1)
                .filter(|next| *next != entry && at + 1 < KEPT);
            if next.is_some() && has_order(field) {
                let mut other = list.to_vec();
                other.swap(at, at + 1);
                all.push((format!("[{at}] swapped"), Some(Value::List(other))));
            }
        }
        return all;
    }
    for (what, changed) in of_value(&value, field, seats, texts) {
        all.push((what, Some(changed)));
    }
    if field.supports_presence() {
        all.push((String::from(" removed"), None));
    }
    all
}

/// Returns whether the order of the list is meaningful. Lists of messages with keys are always in the order of their
/// keys.
fn has_order(field: &FieldDescriptor) -> bool {
    let Kind::Message(message) = field.kind() else {
        return true;
    };
    let key = message.get_field(1).filter(|key| !key.is_list());
    let has_key = key.is_some_and(|key| {
        matches!(key.kind(), Kind::Enum(_) | Kind::String) || SEATS.contains(&key.name())
    });
    !has_key || ORDERED_LISTS.contains(&field.name())
}

fn of_value(
    value: &Value,
    field: &FieldDescriptor,
    seats: u32,
    texts: &[String],
) -> Vec<(String, Value)> {
    let one = |value| vec![(String::new(), value)];
    if let Some(message) = value.as_message() {
        let changed = mutations(message, seats, texts).into_iter();
        let changed = changed.map(|(what, changed)| (format!(".{what}"), Value::Message(changed)));
        return changed.collect();
    }
    if let (Some(number), Some(values)) = (value.as_enum_number(), field.kind().as_enum()) {
        let mut others = values.values().map(|other| other.number());
        let other = others.find(|other| *other != 0 && *other != number);
        return other.map_or_else(Vec::new, |other| one(Value::EnumNumber(other)));
    }
    if let Some(text) = value.as_str() {
        let other = texts.iter().find(|other| *other != text);
        return other.map_or_else(Vec::new, |other| one(Value::String(other.clone())));
    }
    if let Some(bit) = value.as_bool() {
        return one(Value::Bool(!bit));
    }
    if let Some(number) = value.as_u32() {
        let is_seat = SEATS.contains(&field.name());
        let other = if is_seat {
            number % seats + 1
        } else {
            number + 1
        };
        return one(Value::U32(other));
    }
    match value.as_i32() {
        Some(number) => one(Value::I32(number - 1)),
        None => panic!("{value:?} in a view: {:?}", coding(&field.kind())),
    }
}

fn cells(space: &Space, view: &[u8], seat: usize) -> Vec<f32> {
    let (mut buffer, mut cells) = (space.row_buffer(), vec![0.0; space.cells().len()]);
    space.write_view(view, seat, &mut buffer);
    buffer.flush_into(&mut cells, &mut DirtyCells::default());
    cells
}

fn view(space: &Space) -> MessageDescriptor {
    let name = format!("gamekeeper.{}.v1.View", space.ruleset());
    pool().get_message_by_name(&name).unwrap()
}

/// Returns the places at which a change of the view does not change the observation.
fn lost(space: &std::sync::Arc<Space>, seed: u64) -> BTreeMap<String, u32> {
    let (mut game, mut chance) = (
        begun(space, seed),
        Chance::from_seed(&Seed::from_number(seed)),
    );
    let (descriptor, texts) = (view(space), space.texts());
    let seats = u32::try_from(space.seats()).unwrap();
    let mut lost = BTreeMap::new();
    for number in 0..1_500 {
        if number % 300 == 50 {
            let seat = number % space.seats();
            let bytes = game.view(Observer::Seat(seat));
            let cells_before = cells(space, &bytes, seat);
            let table = DynamicMessage::decode(descriptor.clone(), &*bytes).unwrap();
            for (what, changed) in mutations(&table, seats, texts) {
                if cells(space, &changed.encode_to_vec(), seat) == cells_before {
                    let path = what.replace(|letter: char| letter.is_ascii_digit(), "");
                    *lost.entry(path).or_insert(0) += 1;
                }
            }
        }
        if !step(&mut *game, &mut chance) {
            break;
        }
    }
    lost
}

#[test]
fn whatever_changes_in_a_view_changes_the_observation() {
    let lost = sizes().into_iter().filter_map(|space| {
        let lost = lost(&space, 11);
        (!lost.is_empty()).then(|| format!("{} {}: {lost:#?}", space.ruleset(), space.seats()))
    });
    let lost: Vec<String> = lost.collect();
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}

/// No view shows a deck, but everybody can count the gained cards, and remember the cards seen in the discard pile.
#[test]
fn everybody_knows_who_owns_which_cards_and_what_was_seen() {
    let space = crate::space_of("dominion", 2).unwrap();
    let names = space.cells();
    let count = |game: &dyn crate::Game, seat: usize, whose: &str, card: &str| {
        let name = format!("counted[{whose}][{card}] (small)");
        let at = names.iter().position(|cell| *cell == name).unwrap();
        let cell = super::observed(game, seat)[at];
        (3.0 * cell / (1.0 - cell)).round()
    };
    let (mut game, mut chance) = (begun(&space, 8), Chance::from_seed(&Seed::from_number(8)));
    let (mut bought, mut below) = ([0.0; 2], false);
    for _ in 0..200 {
        for seat in 0..2 {
            let other = 1 - seat;
            assert_eq!(count(&*game, seat, "own", "copper"), 7.0 + bought[seat]);
            assert_eq!(count(&*game, seat, "left 1", "copper"), 7.0 + bought[other]);
        }
        let Some(seat) = game.seat() else {
            break;
        };
        // The bot buys Copper whenever it can, and never a card that trashes one.
        let wanted = [
            "kind=play_all_treasures",
            "BuyCard.card=CARD_COPPER",
            "kind=buy_card",
            "kind=end_turn",
        ];
        let word_name = |word: &u16| &space.words()[usize::from(*word)];
        let find = |wanted: &&str| {
            game.legal_words()
                .iter()
                .find(|word| word_name(word).contains(*wanted))
        };
        let word = wanted.iter().find_map(find).copied();
        let buys = word.is_some_and(|word| word_name(&word).contains("CARD_COPPER"));
        bought[seat] += f32::from(buys);
        match word {
            Some(word) => drop(game.push(word.into()).unwrap()),
            None => drop(step(&mut *game, &mut chance)),
        }
        if buys {
            // Everybody saw that Copper go to the discard pile. Its owner also knows the Estates below it.
            let own_count =
                |card: &str| count(&*game, seat, "own", &format!("discard pile {card}"));
            let seen_count =
                |card: &str| count(&*game, 1 - seat, "left 1", &format!("discard pile {card}"));
            assert!(seen_count("copper") >= 1.0 && own_count("copper") >= seen_count("copper"));
            below |= own_count("estate") > seen_count("estate");
        }
    }
    assert!(bought[0] + bought[1] > 10.0 && below);
}
