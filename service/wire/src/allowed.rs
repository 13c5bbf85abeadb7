//! Lists the values with which a refused option would be accepted: the rules judge each of them beside everything else
//! that was sent.

use std::marker::PhantomData;

use gamekeeper_rules::table::{Field, Values};
use prost::Message as _;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, ReflectMessage as _, Value};

use crate::Wire;
use crate::contract::{message_name, pool};
use crate::options::{list_of, list_text, rule_of};
use crate::unknown_enum_path::text_of;

/// The size of options that are tried with other values, in bytes. Larger ones are no options of any game.
const MAX_TRIED_BYTES: usize = 4096;

/// The description of a field that takes no value.
const NOTHING: &str = "none, leave it out";

/// Describes the values of a field of the options that the rules do not refuse, everything else being as it was sent.
///
/// * A single field or item: the values with which the game would be created. If other fields are refused whatever this
///   one is, they are left out.
/// * A list as a whole: the number of items, and the values that a list of this length can have.
#[must_use]
pub(crate) fn allowed_values<W: Wire>(
    field: Field,
    players: &[String],
    sent: &W::PbOptions,
) -> String {
    let (min, max) = (
        usize::from(W::INFO.min_seats),
        usize::from(W::INFO.max_seats),
    );
    let path = match field {
        Field::Players => return format!("{min} to {max} players"),
        Field::Option(path) | Field::Item(path, _) => path,
    };
    // Some options are checked before the number of players, which may be out of range here.
    let seats = players.len().clamp(min, max);
    let trial = Trial::<W> {
        names: (1..=seats).map(|seat| seat.to_string()).collect(),
        field,
        path,
        ruleset: PhantomData,
    };
    trial.describe(sent).unwrap_or_else(|| NOTHING.to_owned())
}

/// The judgment of the rules on options with another value.
enum Verdict {
    Accepted,
    Refused(Field),
    /// The options are malformed.
    Malformed,
}

/// Options in which one field is replaced.
struct Trial<W> {
    /// A name for each player.
    names: Vec<String>,
    /// The field that was refused.
    field: Field,
    /// The path of the field, or of the list that contains it.
    path: &'static str,
    ruleset: PhantomData<W>,
}

impl<W: Wire> Trial<W> {
    /// Returns `None` if the field takes no value.
    fn describe(&self, sent: &W::PbOptions) -> Option<String> {
        let message = pool().get_message_by_name(&message_name::<W>("Options"))?;
        let mut options = match sent.encoded_len() {
            0..=MAX_TRIED_BYTES => DynamicMessage::decode(message, &*sent.encode_to_vec()).ok()?,
            _ => DynamicMessage::new(message),
        };
        let field = field_at(&mut options, self.path)?.1;
        let candidates = self.candidates(&field.kind());
        match self.field {
            Field::Option(_) if field.is_list() => self.describe_list(&options, &candidates),
            Field::Players | Field::Option(_) | Field::Item(..) => {
                values_text(&field.kind(), &self.fitting(options, candidates))
            }
        }
    }

    fn seats(&self) -> u8 {
        // Clamped to the seats of the ruleset.
        u8::try_from(self.names.len()).unwrap_or(u8::MAX)
    }

    /// Returns all values that the field, or an item of the list, can have at this table.
    fn candidates(&self, kind: &Kind) -> Vec<Value> {
        if let Some(names) = kind.as_enum() {
            let numbers = names.values().map(|name| name.number());
            return numbers
                .filter(|number| *number != 0)
                .map(Value::EnumNumber)
                .collect();
        }
        if *kind == Kind::Bool {
            return [false, true].map(Value::Bool).into();
        }
        let rule = rule_of::<W>(self.path);
        match rule.map(|rule| (rule.values)(self.seats())) {
            Some(Values::Numbers(numbers)) => numbers.map(Value::U32).collect(),
            Some(Values::All | Values::Only(_) | Values::Names(_)) | None => Vec::new(),
        }
    }

    /// Returns the values of the single field with which the rules accept the options. If they refuse another field
    /// with every value, that field is left out, until they accept some, or refuse only items of the same list.
    fn fitting(&self, mut options: DynamicMessage, candidates: Vec<Value>) -> Vec<Value> {
        loop {
            let verdict = |value: &Value| {
                let mut changed = options.clone();
                self.set(&mut changed, value.clone());
                self.judge(&changed)
            };
            let verdicts: Vec<Verdict> = candidates.iter().map(verdict).collect();
            let is_accepted = |verdict: &Verdict| matches!(verdict, Verdict::Accepted);
            if verdicts.iter().any(is_accepted) {
                return kept(candidates, &verdicts, is_accepted);
            }
            let elsewhere = |verdict: &Verdict| {
                let Verdict::Refused(field) = verdict else {
                    return None;
                };
                Some(*field).filter(|field| !self.is_own(*field))
            };
            match verdicts.iter().find_map(elsewhere) {
                Some(other) if clear(&mut options, other).is_some() => {}
                _ => {
                    let is_free = |verdict: &Verdict| match verdict {
                        Verdict::Refused(field) => *field != self.field,
                        Verdict::Accepted | Verdict::Malformed => false,
                    };
                    return kept(candidates, &verdicts, is_free);
                }
            }
        }
    }

    /// Describes the lists that the rules accept in place of a refused one.
    fn describe_list(&self, options: &DynamicMessage, candidates: &[Value]) -> Option<String> {
        let numbers = rule_of::<W>(self.path)?.items?(self.seats());
        let fits = |value: &&Value| self.fits_in_a_list(options, candidates, value, *numbers.end());
        let values: Vec<Value> = candidates.iter().filter(fits).cloned().collect();
        let kind = field_at(&mut options.clone(), self.path)?.1.kind();
        let [least, most] = [*numbers.start(), *numbers.end()]
            .map(|items| u32::try_from(items).unwrap_or(u32::MAX));
        Some(list_of(&values_text(&kind, &values)?, (least, most)))
    }

    /// Returns whether the rules accept a list of this many different values that contains this one.
    fn fits_in_a_list(
        &self,
        options: &DynamicMessage,
        candidates: &[Value],
        value: &Value,
        items: usize,
    ) -> bool {
        (0..items).any(|place| {
            let mut others: Vec<&Value> =
                candidates.iter().filter(|other| *other != value).collect();
            while others.len() + 1 >= items {
                let mut list: Vec<Value> =
                    others.iter().copied().take(items - 1).cloned().collect();
                list.insert(place, value.clone());
                match self.judge_alone(options.clone(), list) {
                    Verdict::Accepted => return true,
                    // Another value does not fit there, or not beside the ones before it.
                    Verdict::Refused(Field::Item(_, refused))
                        if refused != place && refused < items =>
                    {
                        others.remove(refused - usize::from(refused > place));
                    }
                    Verdict::Refused(_) | Verdict::Malformed => return false,
                }
            }
            false
        })
    }

    /// Judges the options with this list. Other fields that are refused are left out.
    fn judge_alone(&self, mut options: DynamicMessage, list: Vec<Value>) -> Verdict {
        if let Some((message, field)) = field_at(&mut options, self.path) {
            message.set_field(&field, Value::List(list));
        }
        loop {
            let verdict = self.judge(&options);
            let elsewhere = match verdict {
                Verdict::Refused(field) if !self.is_own(field) => field,
                Verdict::Accepted | Verdict::Refused(_) | Verdict::Malformed => return verdict,
            };
            if clear(&mut options, elsewhere).is_none() {
                return verdict;
            }
        }
    }

    fn judge(&self, options: &DynamicMessage) -> Verdict {
        let read = W::PbOptions::decode(&*options.encode_to_vec());
        let Some(draft) = read.ok().and_then(|read| W::draft(read).ok()) else {
            return Verdict::Malformed;
        };
        match W::options(&self.names, &draft) {
            Ok(_) => Verdict::Accepted,
            Err(refusal) => Verdict::Refused(refusal.field),
        }
    }

    /// Returns whether this is the refused field, or an item of the same list.
    fn is_own(&self, field: Field) -> bool {
        matches!(field, Field::Option(path) | Field::Item(path, _) if path == self.path)
    }

    /// Sets the refused field, or the refused item of the list.
    fn set(&self, options: &mut DynamicMessage, value: Value) {
        let Some((message, field)) = field_at(options, self.path) else {
            return;
        };
        match self.field {
            Field::Item(_, index) => {
                let list = message.get_field_mut(&field).as_list_mut();
                if let Some(item) = list.and_then(|list| list.get_mut(index)) {
                    *item = value;
                }
            }
            Field::Players | Field::Option(_) => message.set_field(&field, value),
        }
    }
}

/// Returns the values whose verdict is kept.
fn kept(
    values: Vec<Value>,
    verdicts: &[Verdict],
    is_kept: impl Fn(&Verdict) -> bool,
) -> Vec<Value> {
    let verdicts = values.into_iter().zip(verdicts);
    let verdicts = verdicts.filter(|(_, verdict)| is_kept(verdict));
    verdicts.map(|(value, _)| value).collect()
}

/// Leaves a field out, with the message around it if that contains nothing else. Returns `None` if it is not set.
fn clear(options: &mut DynamicMessage, field: Field) -> Option<()> {
    let (Field::Option(path) | Field::Item(path, _)) = field else {
        return None;
    };
    let (outer, inner) = path.split_once('.').unwrap_or((path, ""));
    let descriptor = options.descriptor().get_field_by_name(outer)?;
    let was_set = options.has_field(&descriptor);
    let kind = descriptor.kind();
    let others = kind
        .as_message()
        .map_or(0, |message| message.fields().len());
    if inner.is_empty() || others == 1 {
        options.clear_field(&descriptor);
    } else {
        options
            .get_field_mut(&descriptor)
            .as_message_mut()?
            .clear_field_by_name(inner);
    }
    was_set.then_some(())
}

/// Returns the field with this path, and the message that contains it.
fn field_at<'a>(
    message: &'a mut DynamicMessage,
    path: &str,
) -> Option<(&'a mut DynamicMessage, FieldDescriptor)> {
    match path.split_once('.') {
        Some((outer, path)) => {
            let inner = message.get_field_by_name_mut(outer)?.as_message_mut()?;
            field_at(inner, path)
        }
        None => {
            let field = message.descriptor().get_field_by_name(path)?;
            Some((message, field))
        }
    }
}

/// Describes values of this type. Returns `None` if there are none.
fn values_text(kind: &Kind, values: &[Value]) -> Option<String> {
    let numbers: Vec<u32> = values.iter().filter_map(Value::as_u32).collect();
    if let [least, .., most] = numbers[..]
        && usize::try_from(most - least).is_ok_and(|steps| steps + 1 == numbers.len())
    {
        return Some(format!("{least} to {most}"));
    }
    let text = |value: &Value| match value.as_enum_number() {
        Some(number) => {
            let name = kind.as_enum().and_then(|names| names.get_value(number));
            name.map_or_else(String::new, |name| name.name().to_owned())
        }
        None => text_of(value),
    };
    let texts: Vec<String> = values.iter().map(text).collect();
    (!texts.is_empty()).then(|| list_text(&texts))
}
