//! The **index** of games by the front end's users and labels, and the visibility of these.

use std::collections::BTreeSet;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::{PendingList, Seat, SeatSet};
use gamekeeper_store::{GameId, IndexRow, Lists};
use gamekeeper_wire::Wire;

use crate::aggregate::due::due_list_names;
use crate::aggregate::game::Game;
use crate::authz::Caller;
use crate::context::app_context::AppContext;
use crate::hashed_id::hashed_id;
use crate::metadata::{GameMetadata, Tags};

/// The name of the list of all games with users or labels.
pub(crate) const TAGGED_LIST: &str = "tagged";

/// Returns the name of the part of a list with the games of one status. Each part is a list of its own, since a tenant
/// may have few active games and many finished ones, or the other way round.
pub(crate) fn status_key(list: &str, finished: bool) -> String {
    let status = if finished { "over" } else { "active" };
    format!("{status} {list}")
}

/// Returns the name of the list of games at which a user has a seat.
pub(crate) fn user_key(user: &str) -> String {
    format!("user {user}")
}

/// Returns the name of the list of games that hold the user's name at creation, while the user is not at that seat.
pub(crate) fn initial_name_key(user: &str) -> String {
    format!("named after {user}")
}

/// Returns the name of the list of games in which a user has a pending decision.
pub(crate) fn awaiting_key(user: &str) -> String {
    format!("awaits {user}")
}

/// Returns the name of the list of games with a label. It contains the length of the key, so that no two labels share a
/// list.
pub(crate) fn label_key(key: &str, value: &str) -> String {
    format!("label {} {key} {value}", key.len())
}

/// Returns the name of the list of all forks in the family of a game that is not a fork itself.
pub(crate) fn forks_key(root_game: GameId) -> String {
    format!("forks {root_game}")
}

/// Returns the lists that contain a game with these users, labels and pending decisions, at these times. `root_game` is
/// the oldest ancestor of a fork. Returns `None` if no list contains the game.
pub(crate) fn index_lists(
    metadata: &GameMetadata,
    pending: &PendingList,
    (changed_ms, due_ms, clock_ms): IndexTimes,
    root_game: Option<GameId>,
) -> Option<Lists> {
    let tags = metadata.tags();
    let mut names = due_ms.map_or_else(Vec::new, due_list_names);
    names.extend(root_game.map(forks_key));
    names.extend(initial_name_keys(metadata));
    if !tags.is_empty() {
        names.extend(tag_keys(tags, pending));
    }
    names.sort_unstable();
    names.dedup();
    let timed = clock_ms.map_or_else(Vec::new, |clock_ms| due_positions(tags, clock_ms));
    (!names.is_empty() || !timed.is_empty()).then_some(Lists {
        changed_ms,
        names,
        timed,
    })
}

/// The time of the last change, the next time at which the service must act, and the next time at which a seat runs out
/// of time, in milliseconds since the Unix epoch.
pub(crate) type IndexTimes = (u64, Option<u64>, Option<u64>);

/// Returns the name of the timed list of games with running clocks: of all games of a tenant, or of a user's.
pub(crate) fn due_list_key(user: Option<&str>) -> String {
    user.map_or_else(
        || String::from("due"),
        |user| format!("due {}", user_key(user)),
    )
}

/// Returns the sort key of a game in such a list. Stores sort timed lists in descending order, so the key is the
/// complement of the time, and the game that is due first comes first.
pub(crate) const fn due_position(due_ms: u64) -> u64 {
    DESCENDING_BASE.saturating_sub(due_ms)
}

/// A time that no clock reaches, and that stores can represent.
const DESCENDING_BASE: u64 = 1 << 52;

/// Returns the timed lists that contain a game whose next decision is due at this time.
fn due_positions(tags: &Tags, due_ms: u64) -> Vec<(String, u64)> {
    let users = tags.users().iter().filter(|user| !user.is_empty());
    let users: BTreeSet<&str> = users.map(String::as_str).collect();
    let lists = [None].into_iter().chain(users.into_iter().map(Some));
    lists
        .map(|user| (due_list_key(user), due_position(due_ms)))
        .collect()
}

/// Returns the lists of the users whose names a game still holds from its creation, but who are not at their seats now.
/// No other list finds the game for them, for instance when their data is erased.
fn initial_name_keys(metadata: &GameMetadata) -> impl Iterator<Item = String> {
    let initial_names = metadata.initial_names();
    let seats = Seat::all(initial_names.map_or(0, |first| first.names().len()));
    seats.filter_map(move |seat| {
        let user = initial_names.map_or("", |initial_names| initial_names.user(seat));
        (!user.is_empty() && user != metadata.tags().user(seat)).then(|| initial_name_key(user))
    })
}

/// Returns the lists that contain a game because of its users and labels.
fn tag_keys(tags: &Tags, pending: &PendingList) -> Vec<String> {
    let users = || tags.users().iter().filter(|user| !user.is_empty());
    let mut names = vec![TAGGED_LIST.to_owned()];
    names.extend(users().map(|user| user_key(user)));
    names.extend(
        tags.labels()
            .iter()
            .map(|(key, value)| label_key(key, value)),
    );
    let status_keys: Vec<String> = names
        .iter()
        .map(|list| status_key(list, pending.is_empty()))
        .collect();
    names.extend(status_keys);
    let awaited_users = pending.iter().map(|pending| tags.user(pending.seat));
    names.extend(
        awaited_users
            .filter(|user| !user.is_empty())
            .map(awaiting_key),
    );
    names
}

/// Returns the topic that watchers of a user subscribe to, an id that no game has.
pub(crate) fn user_topic(tenant: &str, user: &str) -> GameId {
    hashed_id(&[b"user", tenant.as_bytes(), user.as_bytes()])
}

impl AppContext {
    /// Wakes the watchers of these users in the background, since a game was added to or removed from their lists. A
    /// lost wake-up does no harm, since watchers also poll.
    pub(crate) fn wake_users(&self, tenant: &str, users: impl IntoIterator<Item = String>) {
        let topics: Vec<GameId> = users
            .into_iter()
            .filter(|user| !user.is_empty())
            .map(|user| user_topic(tenant, &user))
            .collect();
        if topics.is_empty() {
            return;
        }
        let store = std::sync::Arc::clone(&self.store);
        tokio::spawn(async move {
            for topic in topics {
                if let Err(error) = store.wake(topic).await {
                    tracing::debug!(%error, "cannot wake the watchers of a user");
                }
            }
        });
    }
}

/// The users and labels of a game that a caller may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VisibleTags {
    /// Only the users of these seats, and no labels.
    Users(SeatSet),
    /// All users and labels.
    All,
}

impl<W: Wire> Game<W> {
    /// Encodes the public facts, with the users and labels that a caller may see.
    pub(crate) fn info_for(&self, caller: &Caller) -> pb::GameInfo {
        self.info_with(self.visible_tags(caller))
    }

    /// Returns which users and labels a caller may see.
    pub(crate) fn visible_tags(&self, caller: &Caller) -> VisibleTags {
        match caller.user() {
            Some(user) => VisibleTags::Users(self.metadata.tags().seats_of(user).collect()),
            None if caller.can_see_tags() => VisibleTags::All,
            None => VisibleTags::Users(SeatSet::EMPTY),
        }
    }

    /// Encodes the public facts, with these users and labels.
    pub(crate) fn info_with(&self, visible_tags: VisibleTags) -> pb::GameInfo {
        let mut info = self.info();
        let tags = self.metadata.tags();
        match visible_tags {
            VisibleTags::All if !tags.is_empty() => {
                for (player, user) in info.players.iter_mut().zip(tags.users()) {
                    player.user.clone_from(user);
                }
                info.labels.clone_from(tags.labels());
            }
            VisibleTags::All => {}
            VisibleTags::Users(seats) => {
                for seat in seats.iter() {
                    if let Some(player) = info.players.get_mut(seat.index()) {
                        tags.user(seat).clone_into(&mut player.user);
                    }
                }
            }
        }
        info
    }
}

/// Builds the index row of a game.
pub(crate) fn index_row<W: Wire>(game: &Game<W>) -> IndexRow {
    let pending = game.pending();
    let table_life = game.table_life.as_deref();
    let due_ms = game.due_ms((table_life, &pending), game.time_ms);
    let clock_ms = game.clock_ms((table_life, &pending));
    IndexRow {
        tenant: game.genesis.tenant.clone(),
        ruleset: W::INFO.id.to_owned(),
        created_ms: game.genesis.created_ms(),
        finished: game.is_over(),
        lists: index_lists(
            &game.metadata,
            &pending,
            (game.time_ms, due_ms, clock_ms),
            game.root_game(),
        ),
    }
}

/// Builds the index row of a game for another metadata record.
pub(crate) fn index_row_with<W: Wire>(
    game: &Game<W>,
    metadata: &GameMetadata,
    now_ms: u64,
) -> IndexRow {
    let changed_ms = now_ms.max(game.time_ms);
    let pending = game.pending();
    let table_life = game.table_life.as_deref();
    let times = (
        changed_ms,
        game.due_ms((table_life, &pending), changed_ms),
        game.clock_ms((table_life, &pending)),
    );
    IndexRow {
        lists: index_lists(metadata, &pending, times, game.root_game()),
        ..index_row(game)
    }
}

/// Returns the users that are in exactly one of the two, whose lists of games change.
pub(crate) fn changed_users(before: &Tags, after: &Tags) -> BTreeSet<String> {
    let users = |tags: &Tags| tags.users().iter().cloned().collect::<BTreeSet<_>>();
    &users(before) ^ &users(after)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::metadata::InitialNames;

    #[test]
    fn no_label_is_taken_for_another() {
        let pairs = [("a", "b c"), ("a b", "c"), ("", "a b c"), ("a b c", "")];
        let names: std::collections::BTreeSet<String> = pairs
            .iter()
            .map(|(key, value)| label_key(key, value))
            .collect();
        assert_eq!(names.len(), pairs.len());
    }

    #[test]
    fn a_game_that_nobody_calls_anything_is_in_no_list() {
        let never = (7, None, None);
        assert_eq!(
            index_lists(
                &GameMetadata::default(),
                &PendingList::default(),
                never,
                None
            ),
            None
        );
        let label = BTreeMap::from([(String::from("key"), String::new())]);
        let tags = Tags::from_request(["ada", "", "ada"], &label).unwrap();
        let access = GameMetadata::default().with_tags(tags);
        let over = index_lists(&access, &PendingList::default(), never, None).unwrap();
        let names = [
            "label 3 key ",
            "over label 3 key ",
            "over tagged",
            "over user ada",
            "tagged",
            "user ada",
        ];
        assert_eq!(over.names, names);
        assert_eq!(over.changed_ms, 7);
        assert_eq!(over.timed, []);
        let due = index_lists(&access, &PendingList::default(), (7, None, Some(9)), None).unwrap();
        let time = (1 << 52) - 9;
        assert_eq!(
            due.timed,
            [("due".to_owned(), time), ("due user ada".to_owned(), time)]
        );
    }

    /// A user who is still at the seat is found by the list of that seat's user, so the list of names at creation is
    /// only for the others.
    #[test]
    fn a_game_is_listed_for_those_whose_names_it_began_with() {
        let names = ["Ada", "Bob", "Cyd"].map(String::from);
        let users = ["ada", "bob", ""];
        let first = InitialNames::new(&names, |seat| users[seat.index()]);
        let tags = Tags::from_request(["eve", "bob", "cyd"], &BTreeMap::new()).unwrap();
        let access = GameMetadata::default()
            .with_initial_names(Some(first))
            .with_tags(tags);
        let never = (7, None, None);
        let lists = index_lists(&access, &PendingList::default(), never, None).unwrap();
        let named = |user| lists.names.contains(&initial_name_key(user));
        assert_eq!(
            ["ada", "bob", "cyd", "eve", ""].map(named),
            [true, false, false, false, false]
        );
    }

    #[test]
    fn the_lists_of_those_who_come_and_go_change() {
        let tags = |users: [&str; 2]| Tags::from_request(users, &BTreeMap::new()).unwrap();
        let moved = |before, after| -> Vec<String> {
            changed_users(&tags(before), &tags(after))
                .into_iter()
                .collect()
        };
        assert_eq!(moved(["ada", "bob"], ["eve", "bob"]), ["ada", "eve"]);
        assert!(moved(["ada", "bob"], ["bob", "ada"]).is_empty());
    }
}
