//! The program that turns an encoded action into words.

use crate::bytes::{Coding, Fields, Packed, Value, field};
use crate::key_index::KeyIndex;

/// A word of the vocabulary.
pub(crate) type Word = u16;

/// The maximum number of words of a number. A larger number is said as the largest that fits.
const MAX_NUMBER_WORDS: usize = 64;

/// The messages of a vocabulary.
#[derive(Debug)]
pub(crate) struct WordProgram {
    pub(crate) messages: Vec<Box<[ActionField]>>,
    pub(crate) root: usize,
}

/// A field of a message, or a oneof.
#[derive(Debug)]
pub(crate) enum ActionField {
    OneOf {
        none: Word,
        /// The fields, by their numbers.
        members: Vec<(usize, Word, ValueWords)>,
    },
    /// A field that is always present.
    Implicit { number: usize, value: ValueWords },
    /// A field that can be missing.
    Optional {
        number: usize,
        none: Word,
        set: Option<Word>,
        value: ValueWords,
    },
    List {
        number: usize,
        end: Word,
        next: Option<Word>,
        value: ValueWords,
    },
}

/// The way in which a value is said.
#[derive(Debug)]
pub(crate) enum ValueWords {
    Message(usize),
    OneOf { first: Word, keys: KeyIndex },
    Bool { first: Word },
    Number(Number),
}

/// The words of a number.
#[derive(Debug)]
pub(crate) struct Number {
    pub(crate) coding: Coding,
    pub(crate) first: Word,
    pub(crate) low: i64,
    pub(crate) high: i64,
    pub(crate) more: Word,
    pub(crate) less: Word,
}

impl WordProgram {
    /// Appends the words of an action. The sentence of an action is never a prefix of another one.
    pub(crate) fn push_words(&self, action: &[u8], words: &mut Vec<Word>) {
        self.push_message(self.root, action, words);
    }

    fn push_message(&self, message: usize, bytes: &[u8], words: &mut Vec<Word>) {
        for part in self.messages.get(message).into_iter().flatten() {
            match part {
                ActionField::OneOf { none, members } => {
                    let sent = Fields(bytes).filter_map(|(sent, value)| {
                        let member = members.iter().find(|(number, ..)| *number == sent);
                        member.map(|member| (member, value))
                    });
                    match sent.last() {
                        Some(((_, word, encoding), value)) => {
                            words.push(*word);
                            self.push_value(encoding, Some(value), words);
                        }
                        None => words.push(*none),
                    }
                }
                ActionField::Implicit { number, value } => {
                    self.push_value(value, field(bytes, *number), words);
                }
                ActionField::Optional {
                    number,
                    none,
                    set,
                    value,
                } => match field(bytes, *number) {
                    Some(sent) => {
                        words.extend(set);
                        self.push_value(value, Some(sent), words);
                    }
                    None => words.push(*none),
                },
                ActionField::List {
                    number,
                    end,
                    next,
                    value,
                } => {
                    let sent = Fields(bytes).filter(|(sent, _)| sent == number);
                    for (_, sent) in sent {
                        self.push_entries(value, *next, sent, words);
                    }
                    words.push(*end);
                }
            }
        }
    }

    fn push_entries(
        &self,
        encoding: &ValueWords,
        next: Option<Word>,
        sent: Value<'_>,
        words: &mut Vec<Word>,
    ) {
        match (encoding, sent) {
            (ValueWords::Message(_), _)
            | (
                ValueWords::OneOf {
                    keys: KeyIndex::Text(_),
                    ..
                },
                _,
            )
            | (_, Value::Number(_)) => {
                words.extend(next);
                self.push_value(encoding, Some(sent), words);
            }
            (
                ValueWords::OneOf { .. } | ValueWords::Bool { .. } | ValueWords::Number(_),
                Value::Bytes(packed),
            ) => {
                for number in Packed(packed) {
                    self.push_value(encoding, Some(Value::Number(number)), words);
                }
            }
        }
    }

    /// Says a value; `sent` is `None` for the default, which is not sent.
    fn push_value(&self, encoding: &ValueWords, sent: Option<Value<'_>>, words: &mut Vec<Word>) {
        match encoding {
            ValueWords::Message(message) => {
                if let Some(Value::Bytes(bytes)) = sent {
                    self.push_message(*message, bytes, words);
                }
            }
            ValueWords::OneOf { first, keys } => {
                let offset = match sent {
                    Some(sent) => keys.index_of(sent, 0),
                    None => keys.default_index(0),
                };
                let offset = offset.and_then(|offset| Word::try_from(offset).ok());
                words.extend(offset.map(|offset| first + offset));
            }
            ValueWords::Bool { first } => {
                let is_true = matches!(sent, Some(Value::Number(1..)));
                words.push(first + Word::from(is_true));
            }
            ValueWords::Number(number) => {
                let value = match sent {
                    Some(Value::Number(sent)) => number.coding.read(sent),
                    Some(Value::Bytes(_)) | None => 0,
                };
                number.push_words(value, words);
            }
        }
    }
}

impl Number {
    fn push_words(&self, mut value: i64, words: &mut Vec<Word>) {
        let begin = words.len();
        while value > self.high && words.len() - begin < MAX_NUMBER_WORDS {
            words.push(self.more);
            value -= self.high + 1;
        }
        while value < self.low && words.len() - begin < MAX_NUMBER_WORDS {
            words.push(self.less);
            value -= self.low - 1;
        }
        let offset = value.clamp(self.low, self.high) - self.low;
        words.push(self.first + Word::try_from(offset).unwrap_or(0));
    }
}
