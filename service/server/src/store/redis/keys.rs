//! The names of the keys. In a cluster, the part in braces decides the slot: all keys of a game share
//! one.

use arrayvec::ArrayString;
use uuid::Uuid;
use xxhash_rust::xxh3::xxh3_64;

use super::config::RedisTopology;
use crate::store::{GameId, Head};

/// A key of a game. Every call needs some, so they are built without allocating.
pub(super) type Key = ArrayString<50>;

/// The id of an entry in its stream, which the scripts call its number.
pub(super) type Number = ArrayString<32>;

/// The keys of a game, in the order that scripts expect: the log, the snapshot (its version in decimal, a
/// colon, and the state), the row, and the access record.
pub(super) fn keys_of(id: GameId) -> [Key; 4] {
    [
        log_key(id),
        key(id, "snapshot"),
        row_key(id),
        access_key(id),
    ]
}

/// The number of an entry in the stream: its version and its mark.
pub(super) fn number_of(head: Head) -> Number {
    let (mut version, mut mark) = (itoa::Buffer::new(), itoa::Buffer::new());
    joined([version.format(head.version), "-", mark.format(head.mark)])
}

/// Formats a number in decimal.
pub(super) fn decimal(number: u64) -> ArrayString<20> {
    joined([itoa::Buffer::new().format(number)])
}

/// The key of the log: a stream with one entry for each version. Also the name of the channel for
/// wake-ups.
pub(super) fn log_key(id: GameId) -> Key {
    key(id, "log")
}

pub(super) fn row_key(id: GameId) -> Key {
    key(id, "row")
}

pub(super) fn access_key(id: GameId) -> Key {
    key(id, "access")
}

/// The key of a log that waits to become that of a new game. It is unique, since other processes may be
/// creating the same game.
pub(super) fn waiting_log_key(id: GameId) -> String {
    format!("gk:{{{id}}}:waiting:{}", Uuid::now_v7())
}

fn key(id: GameId, of: &str) -> Key {
    let mut digits = Uuid::encode_buffer();
    let id = id.hyphenated().encode_lower(&mut digits);
    joined(["gk:{", id, "}:", of])
}

/// Concatenates parts. There is room for every id, version and mark.
fn joined<const ROOM: usize, const PARTS: usize>(parts: [&str; PARTS]) -> ArrayString<ROOM> {
    let mut whole = ArrayString::new();
    for part in parts {
        whole.push_str(part);
    }
    whole
}

/// The key of the mark that shows how far replicas are, in the slot of another key.
pub(super) fn mark_key(key: &str) -> String {
    format!("{key}:mark")
}

/// The game to which a channel belongs.
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

/// The games of one list: those of a tenant, or all.
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

    /// The key of the set that holds the names of their kinds.
    pub(super) fn kinds(self) -> String {
        match self {
            Scope::All => String::from("gk:{kinds}"),
            Scope::Tenant(tenant) => format!("gk:{{kinds of {}}}", hash_of(tenant)),
        }
    }

    /// The key of the list of one of their kinds. All kinds share a slot, so that one script can read several
    /// lists at one moment: a game that ends moves from one to another.
    pub(super) fn kind(self, name: &str) -> String {
        [&self.kinds(), ":", name].concat()
    }
}

/// The key of a named list of a tenant. All named lists of a tenant share a slot, so that one script
/// can add a game to all of its lists.
pub(super) fn list_of(tenant: &str, name: &str) -> String {
    format!("gk:{{lists of {}}}:{name}", hash_of(tenant))
}

/// The key of the set that holds the names of a tenant's lists.
pub(super) fn names_of(tenant: &str) -> String {
    format!("gk:{{lists of {}}}", hash_of(tenant))
}

/// The hash of a tenant in hexadecimal: the name itself may contain braces, which decide the slot.
fn hash_of(tenant: &str) -> String {
    format!("{:016x}", xxh3_64(tenant.as_bytes()))
}

/// The set of all tenants that ever had a game.
pub(super) const TENANTS: &str = "gk:tenants";

/// The retention time that each process wants for all games.
pub(super) const WANTED: &str = "gk:terms:{terms}:wanted";

/// The terms that were last applied to all games.
pub(super) const TERMS: &str = "gk:terms:{terms}:given";

/// Held by the process that applies new terms to all games.
pub(super) const LEASE: &str = "gk:terms:{terms}:lease";

/// Since when every process has maintained the lists of kinds. Missing while that is not known.
pub(super) const KINDS_SINCE: &str = "gk:terms:{terms}:kinds";

/// The value that [`KINDS_SINCE`] had when all games were last added to the lists of kinds. They are whole
/// while both are equal.
pub(super) const KINDS_WHOLE: &str = "gk:terms:{terms}:whole";

/// Held by the process that adds all games to the lists of kinds.
pub(super) const SORT: &str = "gk:sorting";

/// Exists while the next sweep of the lists is not due.
pub(super) const TIDY: &str = "gk:tidied";

/// The number of marker keys in a cluster: enough that each primary is likely to have one.
const MARKERS: u16 = 16;

/// Keys that are created once and vanish only when Redis loses its data: one in a single Redis, several
/// in a cluster, spread evenly over its slots.
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

/// The number of slots of a cluster.
const SLOTS: u16 = 16_384;

/// The slot of a key: CRC-16 (XMODEM) of the part in braces, or of the whole key.
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
