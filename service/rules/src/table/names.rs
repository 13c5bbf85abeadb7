//! Names of players and places in sentences and boards.

use std::fmt::{self, Display, Formatter};

use super::seat::{MAX_SEATS, Seat};

/// The public facts of the table at a point in time that sentences mention: the roles of the seats, and the things on
/// places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextContext {
    roles: [Option<&'static str>; MAX_SEATS],
    objects: Vec<Option<&'static str>>,
}

impl TextContext {
    /// Returns the sentence of an event, with `(no choice)` at its end if the event belongs to a forced action.
    #[doc(hidden)]
    pub fn remark(mut sentence: String, is_forced: bool) -> String {
        if is_forced && sentence.ends_with('.') {
            sentence.truncate(sentence.len() - 1);
            sentence.push_str(" (no choice).");
        }
        sentence
    }

    /// Sets the role of a seat, such as the faction that it chose.
    #[doc(hidden)]
    pub fn set_role(&mut self, seat: Seat, role: &'static str) {
        if let Some(entry) = self.roles.get_mut(seat.index()) {
            *entry = Some(role);
        }
    }

    /// Puts a thing on a place, which is a number from 0.
    #[doc(hidden)]
    pub fn set_object(&mut self, index: usize, object: &'static str) {
        if self.objects.len() <= index {
            self.objects.resize(index + 1, None);
        }
        self.objects[index] = Some(object);
    }
}

/// The names of the players, for sentences and boards. Without a name, or with an empty one, a seat goes by its number. With a text context,
/// players have their roles after their names, and places are named after the objects on them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Names<'a> {
    players: &'a [String],
    context: Option<&'a TextContext>,
}

impl<'a> Names<'a> {
    /// Names nobody: seats go by their numbers.
    pub const NONE: Names<'static> = Names::new(&[]);

    /// Creates names, given in seat order.
    #[must_use]
    pub const fn new(players: &'a [String]) -> Self {
        Self {
            players,
            context: None,
        }
    }

    /// Adds a text context to the names.
    #[must_use]
    pub const fn in_context(self, context: &'a TextContext) -> Self {
        Self {
            context: Some(context),
            ..self
        }
    }

    /// Returns the name of a player in the middle of a sentence: `Ann`, `Ann (Witches)`, or `seat 1`.
    #[must_use]
    pub fn of(self, seat: Seat) -> impl Display + Clone + use<'a> {
        self.label(seat, "seat")
    }

    /// Returns the name of a player at the beginning of a sentence: `Ann`, `Ann (Witches)`, or `Seat 1`.
    #[must_use]
    pub fn who(self, seat: Seat) -> impl Display + Clone + use<'a> {
        self.label(seat, "Seat")
    }

    /// Returns the object on this place, a number from 0, if the text context has one.
    #[doc(hidden)]
    pub fn object_at(self, index: usize) -> Option<&'static str> {
        self.context?.objects.get(index).copied().flatten()
    }

    fn label(self, seat: Seat, word: &'static str) -> PlayerLabel<'a> {
        let role = self
            .context
            .and_then(|context| context.roles.get(seat.index()));
        let name = self.players.get(seat.index());
        let name = name.filter(|name| !name.is_empty());
        PlayerLabel {
            name: name.map(String::as_str),
            seat,
            word,
            role: role.copied().flatten(),
        }
    }
}

#[derive(Clone)]
struct PlayerLabel<'a> {
    name: Option<&'a str>,
    seat: Seat,
    word: &'static str,
    role: Option<&'static str>,
}

impl Display for PlayerLabel<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.name {
            Some(name) => f.write_str(name)?,
            None => write!(f, "{} {}", self.word, self.seat.number())?,
        }
        self.role.map_or(Ok(()), |role| write!(f, " ({role})"))
    }
}
