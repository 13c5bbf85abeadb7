//! The names of the keys. What lies between the braces decides the slot of a cluster: all keys of a
//! game share one.

use arrayvec::ArrayString;
use uuid::Uuid;
use xxhash_rust::xxh3::xxh3_64;

use super::config::RedisTopology;
use crate::store::{GameId, Head};

/// A key of a game. Every call needs some, so they are made in place.
pub(super) type Key = ArrayString<50>;

/// The number of an entry in the stream.
pub(super) type Number = ArrayString<32>;

/// The keys of a game, in the order in which every script takes them: the log, the snapshot (its version
/// in decimal, a colon, and what is kept), the row, and the access record.
pub(super) fn keys_of(id: GameId) -> [Key; 4] {
    [
        log_key(id),
        key(id, "snapshot"),
        row_key(id),
        access_key(id),
    ]
}

/// The number in the stream of the entry that a log ended with.
pub(super) fn number_of(head: Head) -> Number {
    let (mut version, mut mark) = (itoa::Buffer::new(), itoa::Buffer::new());
    joined([version.format(head.version), "-", mark.format(head.mark)])
}

/// A number in decimal.
pub(super) fn decimal(number: u64) -> ArrayString<20> {
    joined([itoa::Buffer::new().format(number)])
}

/// The key of the log: a stream with one entry for each version. Also the channel for wake-ups.
pub(super) fn log_key(id: GameId) -> Key {
    key(id, "log")
}

/// The key of the row.
pub(super) fn row_key(id: GameId) -> Key {
    key(id, "row")
}

/// The key of the access record.
pub(super) fn access_key(id: GameId) -> Key {
    key(id, "access")
}

/// The key of a log that waits to become that of a new game. Others may be creating the same game.
pub(super) fn waiting_log_key(id: GameId) -> String {
    format!("gk:{{{id}}}:waiting:{}", Uuid::now_v7())
}

fn key(id: GameId, of: &str) -> Key {
    let mut digits = Uuid::encode_buffer();
    let id = id.hyphenated().encode_lower(&mut digits);
    joined(["gk:{", id, "}:", of])
}

/// Parts put together; there is room for every id, version and mark.
fn joined<const ROOM: usize, const PARTS: usize>(parts: [&str; PARTS]) -> ArrayString<ROOM> {
    let mut whole = ArrayString::new();
    for part in parts {
        whole.push_str(part);
    }
    whole
}

/// A key beside another one, for what tells how far replicas are.
pub(super) fn mark_key(key: &str) -> String {
    format!("{key}:mark")
}

/// The game of a channel.
pub(super) fn game_of_channel(channel: &str) -> Option<GameId> {
    let id = channel.strip_prefix("gk:{")?.strip_suffix("}:log")?;
    Uuid::try_parse(id).ok()
}

/// The key of the list of all games.
pub(super) const ALL_GAMES: &str = "gk:games";

/// The key of the list of a tenant's games.
pub(super) fn games_of(tenant: &str) -> String {
    format!("gk:games:{tenant}")
}

/// Which games are listed together: those of a tenant, or all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope<'a> {
    All,
    Tenant(&'a str),
}

impl Scope<'_> {
    /// The key of the list of all these games.
    pub(super) fn games(self) -> String {
        match self {
            Scope::All => ALL_GAMES.to_owned(),
            Scope::Tenant(tenant) => games_of(tenant),
        }
    }

    /// The key of the set of the names of their kinds.
    pub(super) fn kinds(self) -> String {
        match self {
            Scope::All => String::from("gk:{kinds}"),
            Scope::Tenant(tenant) => format!("gk:{{kinds of {}}}", hash_of(tenant)),
        }
    }

    /// The key of the list of a kind of them. All kinds share a slot: a game that ends passes from one to
    /// another.
    pub(super) fn kind(self, name: &str) -> String {
        [&self.kinds(), ":", name].concat()
    }
}

/// The key of a list of a tenant. All lists of a tenant share a slot: a game is put into all of
/// its lists at once.
pub(super) fn list_of(tenant: &str, name: &str) -> String {
    format!("gk:{{lists of {}}}:{name}", hash_of(tenant))
}

/// The key of the set of the names of a tenant's lists.
pub(super) fn names_of(tenant: &str) -> String {
    format!("gk:{{lists of {}}}", hash_of(tenant))
}

/// A tenant as text without braces, which decide the slot.
fn hash_of(tenant: &str) -> String {
    format!("{:016x}", xxh3_64(tenant.as_bytes()))
}

/// The set of tenants that ever had a game.
pub(super) const TENANTS: &str = "gk:tenants";

/// What each process wants of all games' time to live.
pub(super) const WANTED: &str = "gk:terms:{terms}:wanted";

/// The terms that were given to all games.
pub(super) const TERMS: &str = "gk:terms:{terms}:given";

/// Held by the process that looks after all games.
pub(super) const LEASE: &str = "gk:terms:{terms}:lease";

/// Since when every process keeps the lists of kinds. It is there while that is known.
pub(super) const KINDS_SINCE: &str = "gk:terms:{terms}:kinds";

/// Since when every process kept the lists of kinds when all games had last been put into them.
pub(super) const KINDS_WHOLE: &str = "gk:terms:{terms}:whole";

/// Held by the process that puts all games into the lists of kinds.
pub(super) const SORT: &str = "gk:sorting";

/// There for as long as the lists need not be looked through.
pub(super) const TIDY: &str = "gk:tidied";

/// How many keys mark a cluster, so that each of its primaries is likely to have one.
const MARKERS: u16 = 16;

/// Keys that are made once and vanish only with everything else: one in a single Redis; in a cluster
/// some that lie evenly among the slots.
pub(super) fn marker_keys(topology: &RedisTopology) -> Vec<String> {
    match topology {
        RedisTopology::Single { .. } | RedisTopology::Sentinel { .. } => {
            vec![String::from("gk:marker")]
        }
        RedisTopology::Cluster { .. } => (0..MARKERS)
            .filter_map(|part| {
                let named = |number: u32| format!("gk:marker:{number}");
                (0..)
                    .map(named)
                    .find(|key| slot_of(key) / (SLOTS / MARKERS) == part)
            })
            .collect(),
    }
}

/// How many slots a cluster has.
const SLOTS: u16 = 16_384;

/// The slot of a key: CRC-16 (XMODEM) of what stands between the braces.
pub(super) fn slot_of(key: &str) -> u16 {
    let tag = key
        .split_once('{')
        .and_then(|(_, rest)| rest.split_once('}'));
    let tag = tag.map_or(key, |(tag, _)| tag);
    crc16::State::<crc16::XMODEM>::calculate(tag.as_bytes()) % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_those_of_redis() {
        // Checked with CLUSTER KEYSLOT.
        assert_eq!(slot_of("123456789"), 12_739);
        assert_eq!(slot_of("gk:{user1000}:log"), slot_of("gk:{user1000}:row"));
        assert_eq!(slot_of("{user1000}.following"), 3_443);
    }

    #[test]
    fn markers_lie_evenly_in_a_cluster() {
        let topology = RedisTopology::Cluster { nodes: vec![] };
        let slots: Vec<u16> = marker_keys(&topology)
            .iter()
            .map(|key| slot_of(key))
            .collect();
        assert_eq!(slots.len(), 16);
        assert!(
            slots
                .iter()
                .zip(0..)
                .all(|(slot, part)| slot / 1_024 == part)
        );
    }
}
