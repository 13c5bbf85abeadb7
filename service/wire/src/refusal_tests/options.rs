//! Options that are refused, and the values that they are allowed.

use std::collections::BTreeSet;

use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::ruleset::RefusedOptionBy;
use gamekeeper_rules::table::Field;
use prost::Message as _;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, ReflectMessage as _, Value};

use super::{Flaw, pairs, reflected, set, spots};
use crate::allowed::allowed_values;
use crate::tests::Dice;
use crate::{Wire, detail};

/// The number of values that are tried as items of a list of numbers, which are those of seats.
const MAX_NUMBERS_LISTED: usize = 7;

/// The number of random options for each number of seats.
const TABLES: u64 = 3;

pub(super) fn check_options<W: Wire + Audit>() {
    let mut refused = BTreeSet::new();
    for seats in usize::from(W::INFO.min_seats)..=usize::from(W::INFO.max_seats) {
        for seed in 0..TABLES {
            let options = W::encoded_options(&W::table(seats, seed));
            let message = reflected::<W>("Options", &options);
            let mut dice = Dice(seed);
            for options in flawed_options(&message, &mut dice) {
                refused.extend(Case::<W>::new(seats, options).check(&mut dice));
            }
            for options in doubly_flawed(&message, &mut dice) {
                Case::<W>::new(seats, options).check_beside_others();
            }
        }
    }
    let fields = W::OPTIONS.iter().map(|rule| rule.field);
    let met: BTreeSet<&str> = fields.filter(|field| refused.contains(*field)).collect();
    assert!(met.len() > 1, "only {met:?} were refused");
}

/// Returns options with one flaw: a wrong value, another value of the same type, a list that is too long or too short or
/// has an item twice.
fn flawed_options(message: &DynamicMessage, dice: &mut Dice) -> Vec<DynamicMessage> {
    let mut all = Vec::new();
    spots(message, "", &mut all);
    let mut flawed = Vec::new();
    for Flaw { spot, value } in Flaw::all_of(&all) {
        let mut changed = message.clone();
        set(&mut changed, &spot.path, value);
        flawed.push(changed);
    }
    for spot in all.iter().filter(|spot| !spot.is_item) {
        let others = candidates(&spot.field.kind());
        if !others.is_empty() && others.len() < 10 {
            for value in others {
                let mut changed = message.clone();
                set(&mut changed, &spot.path, value);
                flawed.push(changed);
            }
        }
    }
    let lists: BTreeSet<&str> = all
        .iter()
        .filter(|spot| spot.is_item)
        .filter_map(|spot| spot.path.split('[').next())
        .collect();
    for path in lists {
        let items = items_at(message, path);
        let (longer, shorter) = ([&items[..], &items[..1]].concat(), items[1..].to_vec());
        let mut twice = items.clone();
        let (one, other) = (dice.below(items.len()), dice.below(items.len()));
        twice[one] = twice[other].clone();
        for list in [longer, shorter, twice] {
            let mut changed = message.clone();
            set(&mut changed, path, Value::List(list));
            flawed.push(changed);
        }
    }
    flawed
}

/// Returns options with wrong values in two fields.
fn doubly_flawed(message: &DynamicMessage, dice: &mut Dice) -> Vec<DynamicMessage> {
    let mut all = Vec::new();
    spots(message, "", &mut all);
    let flaws = Flaw::all_of(&all);
    let with_both = |flaws: [&Flaw; 2]| {
        let mut changed = message.clone();
        for Flaw { spot, value } in flaws {
            set(&mut changed, &spot.path, value.clone());
        }
        changed
    };
    pairs(&flaws, dice).into_iter().map(with_both).collect()
}

fn items_at(message: &DynamicMessage, path: &str) -> Vec<Value> {
    let mut inner = message.clone();
    let mut parts = path.split('.').peekable();
    loop {
        let name = parts.next().unwrap();
        let value = inner.get_field_by_name(name).unwrap().into_owned();
        match (parts.peek(), value) {
            (None, value) => return value.as_list().unwrap().to_vec(),
            (Some(_), Value::Message(message)) => inner = message,
            (Some(_), other) => panic!("{other:?}"),
        }
    }
}

/// Returns the values that a field of this type can have, except for numbers that no option takes.
fn candidates(kind: &Kind) -> Vec<Value> {
    if let Some(names) = kind.as_enum() {
        let numbers = names.values().map(|name| name.number());
        let numbers = numbers.filter(|number| *number != 0);
        return numbers.map(Value::EnumNumber).collect();
    }
    if *kind == Kind::Bool {
        return [false, true].map(Value::Bool).into();
    }
    assert_eq!(*kind, Kind::Uint32);
    (0..=120).map(Value::U32).collect()
}

/// Options that may be refused.
struct Case<W: Wire> {
    names: Vec<String>,
    sent: DynamicMessage,
    ruleset: std::marker::PhantomData<W>,
}

impl<W: Wire> Case<W> {
    fn new(seats: usize, sent: DynamicMessage) -> Self {
        let names = (1..=seats).map(|seat| seat.to_string()).collect();
        Self {
            names,
            sent,
            ruleset: std::marker::PhantomData,
        }
    }

    fn judge(&self, options: &DynamicMessage) -> Result<(), RefusedOptionBy<W>> {
        let read = W::PbOptions::decode(&*options.encode_to_vec()).unwrap();
        W::options(&self.names, &W::draft(read).unwrap()).map(drop)
    }

    /// Checks that a refusal of a single field, beside which others may be refused, tells values with which it is not
    /// what is refused, if there are any.
    fn check_beside_others(&self) {
        let Err(refusal) = self.judge(&self.sent) else {
            return;
        };
        let sent = W::PbOptions::decode(&*self.sent.encode_to_vec()).unwrap();
        let (path, full_path) = path_of(refusal.field);
        self.check_value(&refusal, &sent, &full_path);
        let field = self.descriptor_of(path);
        if field.is_list() && path == full_path {
            return;
        }
        let text = allowed_values::<W>(refusal.field, &self.names, &sent);
        let told = told(&text);
        let is_free = |value: &&Value| {
            let mut changed = self.sent.clone();
            set(&mut changed, &full_path, (*value).clone());
            let verdict = self.judge(&changed).map_err(|other| other.field);
            verdict != Err(refusal.field)
        };
        let values = candidates(&field.kind());
        let free: BTreeSet<String> = values
            .iter()
            .filter(is_free)
            .map(|value| name_of(&field.kind(), value))
            .collect();
        assert!(
            told.is_subset(&free),
            "{full_path}: {text}: {:?}",
            self.sent
        );
        assert_eq!(
            told.is_empty(),
            free.is_empty(),
            "{full_path}: {text}: {:?}",
            self.sent
        );
    }

    /// Returns the field with this path.
    fn descriptor_of(&self, path: &str) -> FieldDescriptor {
        let (outer, name) = path.rsplit_once('.').unwrap_or(("", path));
        let outer = outer.split('.').filter(|name| !name.is_empty());
        let message = outer.fold(self.sent.descriptor(), |message, name| {
            let field = message.get_field_by_name(name).unwrap();
            field.kind().as_message().unwrap().clone()
        });
        message.get_field_by_name(name).unwrap()
    }

    /// Checks what a refusal of these options says. Returns the path of the refused option.
    fn check(&self, dice: &mut Dice) -> Option<&'static str> {
        let refusal = self.judge(&self.sent).err()?;
        let sent = W::PbOptions::decode(&*self.sent.encode_to_vec()).unwrap();
        let (path, full_path) = path_of(refusal.field);
        let text = allowed_values::<W>(refusal.field, &self.names, &sent);
        let told = told(&text);
        self.check_value(&refusal, &sent, &full_path);
        let field = self.descriptor_of(path);
        let mut values = candidates(&field.kind());
        assert!(!values.is_empty(), "{path}");
        let fitting: Vec<bool> = if path == full_path && field.is_list() {
            if field.kind() == Kind::Uint32 {
                values.truncate(MAX_NUMBERS_LISTED);
            }
            let told = |value: &Value| told.contains(&name_of(&field.kind(), value));
            let fits = |value: &Value| self.fits_in_list(path, (value, &told), &values, dice);
            values.iter().map(fits).collect()
        } else {
            self.fitting(&values, &full_path, refusal.field)
        };
        for (value, fits) in values.iter().zip(fitting) {
            let name = name_of(&field.kind(), value);
            assert_eq!(
                told.contains(&name),
                fits,
                "{full_path}: {name}: {text}: {:?}",
                self.sent
            );
        }
        Some(path)
    }

    /// Returns for each value whether the rules accept the options with it; if they accept none, whether they refuse
    /// another field.
    fn fitting(&self, values: &[Value], path: &str, field: Field) -> Vec<bool> {
        let verdict = |value: &Value| {
            let mut changed = self.sent.clone();
            set(&mut changed, path, value.clone());
            self.judge(&changed).map_err(|refusal| refusal.field)
        };
        let verdicts: Vec<_> = values.iter().map(verdict).collect();
        let is_any_accepted = verdicts.iter().any(Result::is_ok);
        let fits = |verdict: Result<(), Field>| match verdict {
            Ok(()) => true,
            Err(other) => !is_any_accepted && other != field,
        };
        verdicts.into_iter().map(fits).collect()
    }

    /// Checks the path and the value of a name that is refused.
    fn check_value(&self, refusal: &RefusedOptionBy<W>, sent: &W::PbOptions, path: &str) {
        let Some(mut values) = detail::<W>(&refusal.refused.reason) else {
            return;
        };
        let full_path = format!("options.{}.{path}", W::INFO.id);
        let Some(unknown) = values.locate_option::<W>(sent, refusal.field, &full_path) else {
            return;
        };
        let last = path
            .rsplit('.')
            .next()
            .and_then(|part| part.split('[').next());
        assert_eq!(Some(&*unknown.field), last);
        let mut all = Vec::new();
        spots(&self.sent, "", &mut all);
        let spot = all.iter().find(|spot| spot.path == path).unwrap();
        let number = Value::EnumNumber(unknown.value.parse().unwrap());
        let mut same = self.sent.clone();
        set(&mut same, &spot.path, number);
        assert_eq!(same, self.sent, "{path}");
    }

    /// Returns whether the rules accept a list with this value in place of the refused one. Lists are tried at random:
    /// many of values that the text names for one of these, since it must be in one of them, and some of all values for
    /// another one, since it must be in none.
    fn fits_in_list(
        &self,
        path: &'static str,
        (value, told): (&Value, &impl Fn(&Value) -> bool),
        values: &[Value],
        dice: &mut Dice,
    ) -> bool {
        let rule = W::OPTIONS.iter().find(|rule| rule.field == path).unwrap();
        let items = *rule.items.unwrap()(u8::try_from(self.names.len()).unwrap()).end();
        let is_told = told(value);
        let tries = if is_told { 20_000 } else { 60 };
        (0..tries).any(|_| {
            let others = values.iter().filter(|other| *other != value);
            let mut others: Vec<&Value> = others.filter(|other| !is_told || told(other)).collect();
            let mut list: Vec<Value> = Vec::new();
            while list.len() + 1 < items && !others.is_empty() {
                list.push(others.swap_remove(dice.below(others.len())).clone());
            }
            list.insert(dice.below(list.len() + 1), value.clone());
            let mut changed = self.sent.clone();
            set(&mut changed, path, Value::List(list));
            self.judge(&changed).is_ok()
        })
    }
}

/// Returns the path of an option, and the path of the item of the list if it is one.
fn path_of(field: Field) -> (&'static str, String) {
    match field {
        Field::Players => panic!("the number of players is right"),
        Field::Option(path) => (path, path.to_owned()),
        Field::Item(path, index) => (path, format!("{path}[{index}]")),
    }
}

/// Returns the values that a text about the allowed ones tells: `3 different values: A, B or C`, `1 to 3`.
fn told(text: &str) -> BTreeSet<String> {
    let values = text.rsplit(": ").next().unwrap();
    if let Some((least, most)) = values.split_once(" to ") {
        let [least, most]: [u32; 2] = [least, most].map(|end| end.parse().unwrap());
        return (least..=most).map(|number| number.to_string()).collect();
    }
    let parts = values.split(", ").flat_map(|part| part.split(" or "));
    let is_value = |part: &&str| *part != "none" && !part.contains(' ');
    parts.filter(is_value).map(str::to_owned).collect()
}

fn name_of(kind: &Kind, value: &Value) -> String {
    if let Some(number) = value.as_enum_number() {
        let names = kind.as_enum().expect("the type of a name");
        return names.get_value(number).unwrap().name().to_owned();
    }
    match (value.as_bool(), value.as_u32()) {
        (Some(value), _) => value.to_string(),
        (None, number) => number.expect("a name, a switch or a number").to_string(),
    }
}
