//! The program that turns an encoded action into words.

use crate::bytes::{Coding, Fields, Packed, Value, field};
use crate::keys::Keys;

/// A word of the vocabulary.
pub(crate) type Word = u16;

/// The maximum number of words of a number. A larger number is said as the largest that fits.
const LONGEST: usize = 64;

/// The messages of a vocabulary.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) messages: Vec<Box<[Part]>>,
    pub(crate) root: usize,
}

/// A field of a message, or a oneof.
#[derive(Debug)]
pub(crate) enum Part {
    OneOf {
        none: Word,
        /// The fields, by their numbers.
        members: Vec<(usize, Word, Spoken)>,
    },
    /// A field that is always present.
    Always { number: usize, value: Spoken },
    /// A field that can be missing.
    Maybe {
        number: usize,
        none: Word,
        set: Option<Word>,
        value: Spoken,
    },
    List {
        number: usize,
        end: Word,
        next: Option<Word>,
        value: Spoken,
    },
}

/// The way in which a value is said.
#[derive(Debug)]
pub(crate) enum Spoken {
    Message(usize),
    OneOf { first: Word, keys: Keys },
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

impl Program {
    /// Appends the words of an action. The sentence of an action is never a prefix of another one.
    pub(crate) fn say(&self, action: &[u8], said: &mut Vec<Word>) {
        self.message(self.root, action, said);
    }

    fn message(&self, message: usize, bytes: &[u8], said: &mut Vec<Word>) {
        for part in self.messages.get(message).into_iter().flatten() {
            match part {
                Part::OneOf { none, members } => {
                    let sent = Fields(bytes).filter_map(|(sent, value)| {
                        let member = members.iter().find(|(number, ..)| *number == sent);
                        member.map(|member| (member, value))
                    });
                    match sent.last() {
                        Some(((_, word, spoken), value)) => {
                            said.push(*word);
                            self.value(spoken, Some(value), said);
                        }
                        None => said.push(*none),
                    }
                }
                Part::Always { number, value } => self.value(value, field(bytes, *number), said),
                Part::Maybe {
                    number,
                    none,
                    set,
                    value,
                } => match field(bytes, *number) {
                    Some(sent) => {
                        said.extend(set);
                        self.value(value, Some(sent), said);
                    }
                    None => said.push(*none),
                },
                Part::List {
                    number,
                    end,
                    next,
                    value,
                } => {
                    let sent = Fields(bytes).filter(|(sent, _)| sent == number);
                    for (_, sent) in sent {
                        self.entries(value, *next, sent, said);
                    }
                    said.push(*end);
                }
            }
        }
    }

    fn entries(&self, spoken: &Spoken, next: Option<Word>, sent: Value<'_>, said: &mut Vec<Word>) {
        match (spoken, sent) {
            (Spoken::Message(_), _)
            | (
                Spoken::OneOf {
                    keys: Keys::Text(_),
                    ..
                },
                _,
            )
            | (_, Value::Number(_)) => {
                said.extend(next);
                self.value(spoken, Some(sent), said);
            }
            (
                Spoken::OneOf { .. } | Spoken::Bool { .. } | Spoken::Number(_),
                Value::Bytes(packed),
            ) => {
                for number in Packed(packed) {
                    self.value(spoken, Some(Value::Number(number)), said);
                }
            }
        }
    }

    /// Says a value; `sent` is `None` for the default, which is not sent.
    fn value(&self, spoken: &Spoken, sent: Option<Value<'_>>, said: &mut Vec<Word>) {
        match spoken {
            Spoken::Message(message) => {
                if let Some(Value::Bytes(bytes)) = sent {
                    self.message(*message, bytes, said);
                }
            }
            Spoken::OneOf { first, keys } => {
                let place = match sent {
                    Some(sent) => keys.place(sent, 0),
                    None => keys.default_place(0),
                };
                let place = place.and_then(|place| Word::try_from(place).ok());
                said.extend(place.map(|place| first + place));
            }
            Spoken::Bool { first } => {
                let is_true = matches!(sent, Some(Value::Number(1..)));
                said.push(first + Word::from(is_true));
            }
            Spoken::Number(number) => {
                let value = match sent {
                    Some(Value::Number(sent)) => number.coding.read(sent),
                    Some(Value::Bytes(_)) | None => 0,
                };
                number.say(value, said);
            }
        }
    }
}

impl Number {
    fn say(&self, mut value: i64, said: &mut Vec<Word>) {
        let begin = said.len();
        while value > self.high && said.len() - begin < LONGEST {
            said.push(self.more);
            value -= self.high + 1;
        }
        while value < self.low && said.len() - begin < LONGEST {
            said.push(self.less);
            value -= self.low - 1;
        }
        let place = value.clamp(self.low, self.high) - self.low;
        said.push(self.first + Word::try_from(place).unwrap_or(0));
    }
}
