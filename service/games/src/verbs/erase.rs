//! `EraseUser`, in one game: the id of a user, their names, and labels. The log has none of them.

use gamekeeper_rules::table::Seat;
use gamekeeper_wire::Wire;
use uuid::Uuid;

use crate::heart::access::{Access, Caller, FirstNames, Wish, nameless};
use crate::heart::changing::Change;
use crate::heart::game::Game;
use crate::heart::games::Games;
use crate::heart::load::LockedGame;
use crate::heart::problem::Problem;

/// What is to be erased.
#[derive(Clone, Debug)]
pub struct Erasure {
    /// The user.
    pub user: String,
    /// Keys of labels.
    pub labels: Vec<String>,
}

impl<W: Wire> Games<W> {
    /// Erases a user from a game. False: the game has nothing of them.
    ///
    /// # Errors
    /// When the caller lacks permission, or the store fails.
    pub async fn erase(
        &self,
        caller: &Caller,
        id: Uuid,
        erasure: &Erasure,
    ) -> Result<bool, Problem> {
        self.change(caller, id, erasure).await
    }
}

impl<W: Wire> Change<W> for Erasure {
    type Answer = bool;

    async fn attempt(
        &self,
        games: &Games<W>,
        caller: &Caller,
        game: &mut LockedGame<W>,
    ) -> Result<Option<bool>, Problem> {
        caller.may(game.subject(), Wish::Manage)?;
        let after = self.applied(game);
        if after == game.access {
            let is_stale = games.refresh(game).await?;
            return Ok((!is_stale).then_some(false));
        }
        let head = game.head();
        let is_changed = games.change_access(game, after, Some(head)).await?;
        Ok(is_changed.then_some(true))
    }
}

impl Erasure {
    /// The access record of a game without the user.
    fn applied<W: Wire>(&self, game: &Game<W>) -> Access {
        let before = &game.access;
        let (mut tags, mut first) = (before.tags().clone(), before.first_names().cloned());
        let mut names = game.players().to_vec();
        let mut is_theirs = false;
        for seat in Seat::all(names.len()) {
            let at = seat.index();
            let began = first.as_ref();
            let began = began.filter(|first| first.user(seat) == self.user);
            let has_first_name = began.is_some_and(|first| first.names().get(at) == names.get(at));
            let sits = tags.user(seat) == self.user;
            is_theirs |= sits || began.is_some();
            if sits || has_first_name {
                names[at] = nameless(seat);
            }
            if began.is_some() {
                first = first.map(|first| first.without(seat));
            }
            if sits {
                tags.set_user(seat, "");
            }
        }
        if !is_theirs {
            return before.clone();
        }
        let labels: Vec<String> = tags
            .labels()
            .iter()
            .filter(|(key, value)| {
                **key == self.user || **value == self.user || self.labels.contains(key)
            })
            .map(|(key, _)| key.clone())
            .collect();
        for key in &labels {
            tags.remove_label(key);
        }
        let of_creation = first.as_ref().map(FirstNames::names);
        if names == of_creation.unwrap_or(&game.birth.players) {
            names.clear();
        }
        before.begun(first).tagged(tags).named(names)
    }
}
