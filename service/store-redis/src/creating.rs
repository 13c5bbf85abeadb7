//! Creation of games, with or without a past.

use bytes::Bytes;
use gamekeeper_store::clock::now_ms;
use gamekeeper_store::feed::Told;
use gamekeeper_store::row::encode_row;
use gamekeeper_store::{Created, Head, NewGame, StoreError};
use redis::Value;

use super::errors::damaged;
use super::keys::{Number, keys_of, number_of, waiting_log_key};
use super::link::Link;
use super::lists::{Following, How};
use super::quota::{Admitted, give_back};
use super::reply::Entries;
use super::{RedisStore, lists, reply};

/// The maximum number of entries that one script adds. It blocks Redis for all clients for 2 to 3 milliseconds.
const AT_ONCE: usize = 1_000;

/// The time to live of a staged log, renewed with each step, in milliseconds. An abandoned one expires; nothing reads
/// it before it is complete.
const WAITS_MS: &str = "60000";

impl RedisStore {
    pub(super) async fn create_game(&self, game: NewGame) -> Result<Created, StoreError> {
        let link = self.links.here().await?;
        let terms = self.monitor.terms_of_changes()?;
        let row = encode_row(&game.row)?;
        let log = numbered(&game);
        let last = &log[log.len() - 1].0;
        let told = (game.id, Told::Created, &**last);
        let telling = self.telling(link, &game.row.tenant, told).await?;
        let keys = telling.keys(keys_of(game.id));
        let is_long = log.len() > AT_ONCE;
        let snapshot = reply::encode_snapshot(game.version(), &game.snapshot);
        let time_to_live = terms.game_ms.to_string();
        let mut args: Vec<&[u8]> = vec![
            &game.entry,
            log[0].0.as_bytes(),
            &snapshot,
            &row,
            time_to_live.as_bytes(),
            &game.access,
        ];
        let count = log.len().to_string();
        if is_long {
            args.push(count.as_bytes());
        } else {
            args.extend(words(&log[1..]));
        }
        args.extend(telling.args());
        let change = Following {
            script: &self.scripts.create,
            keys: &keys,
            args: &args,
            wait: self.wait,
        };
        // A long log is staged only after its game has its places, so that a full tenant costs no writes.
        let at_once = (!is_long).then_some(&change);
        let place = self
            .quota
            .admit(link, &self.scripts, &game, now_ms(), at_once);
        let (had_some, answer) = match place.await? {
            Admitted::Taken { had_some, answer } => (had_some, answer),
            Admitted::Full => return Ok(Created::Full),
            Admitted::Exists => return Ok(Created::Exists),
        };
        let answer = if is_long {
            let mut keys: Vec<String> = keys.iter().map(ToString::to_string).collect();
            // The feed must remain the last key.
            keys.insert(4, self.stage(link, &game, &log).await?);
            let call = self.scripts.create.alone.call(&keys, &args);
            call.change(link, self.wait).await?
        } else {
            answer
        };
        self.created(link, &game, had_some, answer).await
    }

    /// Turns the reply of the script into the answer to a creation, and corrects the places of the game in lists.
    async fn created(
        &self,
        link: &Link,
        game: &NewGame,
        had_some: bool,
        answer: Value,
    ) -> Result<Created, StoreError> {
        match answer {
            Value::Int(1) => {
                self.set_right(link, game, had_some).await?;
                self.wakers.reached(game.id, game.version());
                self.wake_feed(&game.row.tenant);
                Ok(Created::Done)
            }
            Value::Int(0) => {
                give_back(link, &self.scripts, game.id, &game.row).await;
                Ok(Created::Exists)
            }
            Value::Int(_) => Err(lost()),
            packed => match reply::entries(packed, 0).await? {
                Entries::Packed(log)
                    if log.first().is_some_and(|kept| kept.bytes == game.entry) =>
                {
                    Ok(Created::Done)
                }
                Entries::Packed(_) => {
                    give_back(link, &self.scripts, game.id, &game.row).await;
                    Ok(Created::Exists)
                }
                Entries::Plain(_) => Err(damaged("an unexpected reply to a creation")),
            },
        }
    }

    /// Moves places that an earlier game with the same id had before it expired.
    async fn set_right(
        &self,
        link: &Link,
        game: &NewGame,
        had_some: bool,
    ) -> Result<(), StoreError> {
        if had_some {
            let known = How::Known;
            let placed = lists::enlist(link, &self.scripts, game.id, &game.row, known).await;
            // The game exists already: only a retry can confirm its places.
            placed.map_err(|error| StoreError::OutcomeUnknown(error.to_string()))?;
        }
        Ok(())
    }

    /// Writes a long log under a staging key, in steps, and returns that key.
    async fn stage(
        &self,
        link: &Link,
        game: &NewGame,
        log: &[(Number, &Bytes)],
    ) -> Result<String, StoreError> {
        let keys = [waiting_log_key(game.id)];
        for (step, entries) in log.chunks(AT_ONCE).enumerate() {
            let before = (step * AT_ONCE).to_string();
            let mut args = vec![before.as_bytes(), WAITS_MS.as_bytes()];
            args.extend(words(entries));
            let call = self.scripts.stage.call(&keys, &args);
            // No wait for replicas here: the script that renames this log to the log of the game waits for them.
            if call.change(link, None).await? != Value::Int(1) {
                return Err(lost());
            }
        }
        let [key] = keys;
        Ok(key)
    }
}

/// Returns the whole log, each entry with its number in the stream.
fn numbered(game: &NewGame) -> Vec<(Number, &Bytes)> {
    let log = std::iter::once(&game.entry).chain(&game.past).zip(1..);
    log.map(|(entry, version)| (number_of(Head::of(version, entry)), entry))
        .collect()
}

fn words<'a>(log: &'a [(Number, &'a Bytes)]) -> impl Iterator<Item = &'a [u8]> {
    log.iter()
        .flat_map(|(number, entry)| [number.as_bytes(), entry])
}

/// The error for an incomplete staged log, after a failover or a pause of a minute. Nothing was created.
fn lost() -> StoreError {
    StoreError::Unavailable(String::from("Redis lost part of a new game"))
}
