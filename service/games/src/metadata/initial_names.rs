//! The names of the players at the creation of a game. The log holds only **commitments** to them, so that a name can
//! be erased without rewriting the log.

use gamekeeper_rules::table::Seat;
use gamekeeper_wire::{Commitment, name_commitment};
use serde::{Deserialize, Serialize};

/// The random bytes that are hashed with a name, so that the name cannot be guessed from its commitment.
type Salt = [u8; 16];

/// The names of all players at creation, in seat order, with what proves them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InitialNames {
    names: Box<[String]>,
    /// The salts of the commitments, in seat order. Is `None` for a name that was erased and replaced.
    salts: Box<[Option<Salt>]>,
    /// The users whose names these are, in seat order. Empty if the user is unknown.
    users: Box<[String]>,
}

impl InitialNames {
    /// Draws salts for the names of a new game. `user` returns the user of a seat.
    pub(crate) fn new<'a>(names: &[String], user: impl Fn(Seat) -> &'a str) -> Self {
        let seats = Seat::all(names.len());
        Self {
            names: names.into(),
            salts: names.iter().map(|_| Some(rand::random())).collect(),
            users: seats.map(|seat| user(seat).to_owned()).collect(),
        }
    }

    /// Returns the commitments to the names, as the log of the new game stores them.
    pub(crate) fn commitments(&self) -> Vec<Commitment> {
        let names = self.names.iter().zip(&self.salts);
        names
            .map(|(name, salt)| name_commitment(salt.as_ref().map_or(&[], |salt| salt), name))
            .collect()
    }

    /// Returns the names, with a placeholder for each erased one.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the name of a seat at creation and its salt. Returns `None` if the name was erased.
    pub(crate) fn opening(&self, seat: Seat) -> Option<(&str, &[u8])> {
        let salt = self.salts.get(seat.index())?.as_ref()?;
        Some((self.names.get(seat.index())?, salt))
    }

    /// Returns the user whose name the seat had at creation. Empty if the user is unknown.
    pub(crate) fn user(&self, seat: Seat) -> &str {
        self.users.get(seat.index()).map_or("", String::as_str)
    }

    /// Records the user whose name the seat had at creation, if no user is recorded and the name was not erased.
    pub(crate) fn attribute_to(mut self, seat: Seat, user: &str) -> Self {
        let is_erased = self.salts.get(seat.index()).is_none_or(Option::is_none);
        if let Some(attributed_user) = self.users.get_mut(seat.index())
            && attributed_user.is_empty()
            && !is_erased
        {
            user.clone_into(attributed_user);
        }
        self
    }

    /// Erases the name of a seat, with its salt and its user.
    pub(crate) fn erase(mut self, seat: Seat) -> Self {
        let index = seat.index();
        if index < self.names.len() {
            self.names[index] = placeholder_name(seat);
            self.salts[index] = None;
            self.users[index] = String::new();
        }
        self
    }
}

/// Returns the placeholder for a player without a name.
pub(crate) fn placeholder_name(seat: Seat) -> String {
    format!("Player {}", seat.number())
}
