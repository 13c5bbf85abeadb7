//! The names with which a game began. The log has only commitments to them, so that they can be erased.

use gamekeeper_rules::table::Seat;
use gamekeeper_wire::{Commitment, name_commitment};
use serde::{Deserialize, Serialize};

/// What a commitment to a name begins with.
type Salt = [u8; 16];

/// The names of all players at creation, in seat order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstNames {
    names: Box<[String]>,
    /// `None`: the name was erased, and another one stands in its place.
    salts: Box<[Option<Salt>]>,
    /// The users whose names they are; empty: nobody knows.
    users: Box<[String]>,
}

impl FirstNames {
    /// The names of a new game, with the users of the seats.
    pub(crate) fn new<'a>(names: &[String], user: impl Fn(Seat) -> &'a str) -> Self {
        let seats = Seat::all(names.len());
        Self {
            names: names.into(),
            salts: names.iter().map(|_| Some(rand::random())).collect(),
            users: seats.map(|seat| user(seat).to_owned()).collect(),
        }
    }

    /// The commitments that the log has.
    pub(crate) fn commitments(&self) -> Vec<Commitment> {
        let names = self.names.iter().zip(&self.salts);
        names
            .map(|(name, salt)| name_commitment(salt.as_ref().map_or(&[], |salt| salt), name))
            .collect()
    }

    /// The names, or what stands in the place of those that were erased.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// The name of a seat with its salt, unless it was erased.
    pub(crate) fn proof(&self, seat: Seat) -> Option<(&str, &[u8])> {
        let salt = self.salts.get(seat.index())?.as_ref()?;
        Some((self.names.get(seat.index())?, salt))
    }

    /// The user whose name a seat had at creation; empty: nobody knows.
    pub(crate) fn user(&self, seat: Seat) -> &str {
        self.users.get(seat.index()).map_or("", String::as_str)
    }

    /// The same, once somebody is known to have had the name of a seat.
    pub(crate) fn known_as(mut self, seat: Seat, user: &str) -> Self {
        let is_known = self.salts.get(seat.index()).is_none_or(Option::is_none);
        if let Some(own) = self.users.get_mut(seat.index())
            && own.is_empty()
            && !is_known
        {
            user.clone_into(own);
        }
        self
    }

    /// The same without the name of a seat.
    pub(crate) fn without(mut self, seat: Seat) -> Self {
        let at = seat.index();
        if at < self.names.len() {
            self.names[at] = nameless(seat);
            self.salts[at] = None;
            self.users[at] = String::new();
        }
        self
    }
}

/// What a player is called without a name.
pub(crate) fn nameless(seat: Seat) -> String {
    format!("Player {}", seat.number())
}
