//! The bytes that stores hold, counted in the stores themselves.

use gamekeeper_store::clock::now_ms;
use gamekeeper_store::feed::{FeedFrom, FeedRead};
use gamekeeper_store::{GameStore, ListFilter, StoreError, sizes};

use crate::redis::RedisServer;

/// The time within which a test has stored everything, in milliseconds.
const HOUR_MS: u64 = 60 * 60 * 1_000;

/// The script that adds up keys and values in Redis. All keys of games, feeds and records count with the 16 bytes of an
/// id, entries with the 24 of id and version, and places in lists with the 32 of list, time and id.
const SUM: &str = r"
local sum = 0
for _, key in ipairs(redis.call('KEYS', 'gk:{*')) do
  local of, kind = string.match(key, '}:(%a+)'), redis.call('TYPE', key).ok
  if kind == 'stream' then
    for _, entry in ipairs(redis.call('XRANGE', key, '-', '+')) do sum = sum + 24 + #entry[2][2] end
  elseif kind == 'zset' and of then
    sum = sum + 32 * redis.call('ZCARD', key)
  elseif of == 'snapshot' or of == 'row' or of == 'access' or of == 'note' then
    sum = sum + 16 + redis.call('STRLEN', key)
  end
end
return sum";

/// Returns how many bytes of games, feeds, tokens and lists a Redis holds.
#[must_use]
pub fn in_redis(redis: &RedisServer) -> u64 {
    redis.ask(&["EVAL", SUM, "0"])
}

/// Returns how many bytes the games and the feed of a tenant have, as a store returns them.
///
/// # Errors
/// If the store fails.
pub async fn in_store(store: &dyn GameStore, tenant: &str) -> Result<u64, StoreError> {
    let filter = ListFilter {
        tenant: Some(tenant.to_owned()),
        ..ListFilter::default()
    };
    let mut sum = 0;
    for listed in store.list(&filter, None, usize::MAX).await? {
        let loaded = store.load(listed.id, None).await?.unwrap_or_default();
        let log = store
            .log(listed.id, 0, usize::MAX)
            .await?
            .unwrap_or_default();
        sum += sizes::len_of_entries(log.iter().map(|entry| entry.bytes.len()))
            + loaded.snapshot.map_or(0, |snapshot| snapshot.bytes.len())
            + loaded.access.len()
            + sizes::len_of_row(listed.id, &listed.row);
    }
    if let FeedRead::Page(page) = store
        .feed(tenant, FeedFrom::Time(now_ms() - HOUR_MS), 1_000_000)
        .await?
    {
        sum += page.records.len() * sizes::FEED_RECORD_LEN;
    }
    Ok(sizes::bytes(sum))
}
