//! The **vocabulary** of actions as words, which follows from the descriptor of the message alone.
//!
//! An action is a message of enums, numbers and lists, and some rulesets have thousands of legal ones at a time. This
//! module turns it into a sentence: first the kind of action, then the value of each field. `BuyCard(card=GOLD)` of
//! Dominion is `kind=buy_card`, `BuyCard.card=CARD_GOLD`. The number of each word is fixed.

use std::collections::BTreeMap;

use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor, OneofDescriptor};

use crate::key_index::{KeyIndex, coding};
use crate::words::{ActionField, Number, ValueWords, Word, WordProgram};

/// The range of numbers that have a word each. Beyond it, `more` or `less` continues the count from the end of the
/// range.
const MIN_NUMBER: i64 = -8;
const MAX_NUMBER: i64 = 31;

/// The words of one ruleset's actions.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    pub(crate) program: WordProgram,
    /// The words by number, such as `BuyCard.card=CARD_GOLD`.
    pub(crate) words: Vec<String>,
}

impl Vocabulary {
    /// Compiles the vocabulary. `texts` are the components that the ruleset names by text.
    pub(crate) fn new(action: &MessageDescriptor, texts: &[String]) -> Self {
        let mut compiler = Compiler {
            package: format!("{}.", action.package_name()),
            texts,
            message_indices: BTreeMap::new(),
            messages: Vec::new(),
            words: Vec::new(),
        };
        let root = compiler.message(action);
        let messages = compiler.messages.into_iter().map(Vec::into_boxed_slice);
        Self {
            program: WordProgram {
                messages: messages.collect(),
                root,
            },
            words: compiler.words,
        }
    }
}

struct Compiler<'a> {
    package: String,
    texts: &'a [String],
    /// The compiled messages by name: a type of message has the same words wherever it occurs.
    message_indices: BTreeMap<String, usize>,
    messages: Vec<Vec<ActionField>>,
    words: Vec<String>,
}

impl Compiler<'_> {
    /// Adds words. Returns the first of them.
    fn add(
        &mut self,
        field: &str,
        values: impl IntoIterator<Item = impl std::fmt::Display>,
    ) -> Word {
        let first = Word::try_from(self.words.len()).unwrap_or(Word::MAX);
        let field = field.strip_prefix(&self.package).unwrap_or(field);
        let words = values.into_iter().map(|value| format!("{field}={value}"));
        self.words.extend(words);
        first
    }

    /// Compiles a message, which says its fields in the order of their numbers, and a oneof at the place of its first
    /// field.
    fn message(&mut self, message: &MessageDescriptor) -> usize {
        if let Some(known_index) = self.message_indices.get(message.full_name()) {
            return *known_index;
        }
        let message_index = self.messages.len();
        self.message_indices
            .insert(message.full_name().to_owned(), message_index);
        self.messages.push(Vec::new());
        let mut fields: Vec<_> = message.fields().collect();
        fields.sort_by_key(FieldDescriptor::number);
        let mut oneofs = Vec::new();
        for field in fields {
            let oneof = field
                .containing_oneof()
                .filter(|oneof| !oneof.is_synthetic());
            let part = match oneof {
                None => self.field(&field),
                Some(oneof) if oneofs.contains(&oneof.full_name().to_owned()) => continue,
                Some(oneof) => {
                    oneofs.push(oneof.full_name().to_owned());
                    self.oneof(&oneof)
                }
            };
            self.messages[message_index].push(part);
        }
        message_index
    }

    fn oneof(&mut self, oneof: &OneofDescriptor) -> ActionField {
        let mut fields: Vec<_> = oneof.fields().collect();
        fields.sort_by_key(FieldDescriptor::number);
        let names = fields.iter().map(|field| field.name().to_owned());
        let names: Vec<String> = std::iter::once(String::from("none")).chain(names).collect();
        let none = self.add(oneof.full_name(), &names);
        let member = |(word, field): (Word, &FieldDescriptor)| {
            (field.number() as usize, word, self.value(field))
        };
        let members = (none + 1..).zip(&fields).map(member).collect();
        ActionField::OneOf { none, members }
    }

    fn field(&mut self, field: &FieldDescriptor) -> ActionField {
        let (name, number) = (field.full_name(), field.number() as usize);
        let is_message = matches!(field.kind(), Kind::Message(_));
        if field.is_list() {
            let end = self.add(name, ["end"]);
            // A message has no word for its own presence, so each further entry is announced.
            let next = is_message.then(|| self.add(name, ["next"]));
            let value = self.value(field);
            return ActionField::List {
                number,
                end,
                next,
                value,
            };
        }
        if !field.supports_presence() {
            let value = self.value(field);
            return ActionField::Implicit { number, value };
        }
        // A value is its own sign of presence; a message needs a word for it.
        let none = self.add(name, ["none"]);
        let set = is_message.then(|| self.add(name, ["set"]));
        let value = self.value(field);
        ActionField::Optional {
            number,
            none,
            set,
            value,
        }
    }

    /// Compiles a value that is present.
    fn value(&mut self, field: &FieldDescriptor) -> ValueWords {
        let (name, kind) = (field.full_name(), field.kind());
        if let Kind::Message(message) = &kind {
            return ValueWords::Message(self.message(message));
        }
        if let Kind::Enum(values) = &kind {
            let (keys, names) = KeyIndex::of_enum(values, |_| true);
            let first = self.add(name, names);
            return ValueWords::OneOf { first, keys };
        }
        if matches!(kind, Kind::Bool) {
            let first = self.add(name, ["false", "true"]);
            return ValueWords::Bool { first };
        }
        if matches!(kind, Kind::String) {
            let texts = std::iter::once(String::new()).chain(self.texts.iter().cloned());
            let texts: Vec<String> = texts.collect();
            let first = self.add(name, &texts);
            let keys = KeyIndex::of_texts(&texts);
            return ValueWords::OneOf { first, keys };
        }
        self.number(name, &kind)
    }

    fn number(&mut self, name: &str, kind: &Kind) -> ValueWords {
        // The contract's actions have no values of other types; a test checks this.
        let coding = coding(kind).unwrap_or(crate::bytes::Coding::Unsigned);
        let is_unsigned = coding == crate::bytes::Coding::Unsigned;
        let low = if is_unsigned { 0 } else { MIN_NUMBER };
        let first = self.add(name, low..=MAX_NUMBER);
        let more = self.add(name, ["more"]);
        let less = if is_unsigned {
            more
        } else {
            self.add(name, ["less"])
        };
        ValueWords::Number(Number {
            coding,
            first,
            low,
            high: MAX_NUMBER,
            more,
            less,
        })
    }
}
