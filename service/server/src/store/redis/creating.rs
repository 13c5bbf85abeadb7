//! New games, with their past if they have one.

use bytes::Bytes;
use redis::Value;

use super::errors::damaged;
use super::keys::{Number, keys_of, number_of};
use super::quota::{Admitted, give_back};
use super::reply::Entries;
use super::{RedisStore, lists, reply};
use crate::clock::now_ms;
use crate::store::row::encode_row;
use crate::store::{Created, Head, NewGame, StoreError};

impl RedisStore {
    pub(super) async fn create_game(&self, game: NewGame) -> Result<Created, StoreError> {
        let link = self.links.here().await?;
        let terms = self.monitor.terms_of_changes()?;
        let row = encode_row(&game.row)?;
        let place = self.quota.admit(link, &self.scripts, &game, now_ms());
        match place.await? {
            Admitted::Taken => {}
            Admitted::Full => return Ok(Created::Full),
            Admitted::Exists => return Ok(Created::Exists),
        }
        lists::enlist(link, &self.scripts, game.id, &game.row, true).await?;
        let keys = keys_of(game.id);
        let number = number_of(Head::of(1, &game.entry));
        let snapshot = reply::encode_snapshot(game.version(), &game.snapshot);
        let time_to_live = terms.game_ms.to_string();
        let mut args: Vec<&[u8]> = vec![
            &game.entry,
            number.as_bytes(),
            &snapshot,
            &row,
            time_to_live.as_bytes(),
            &game.access,
        ];
        let past = game.past.iter().zip(2..);
        let past: Vec<(Number, &Bytes)> = past
            .map(|(entry, version)| (number_of(Head::of(version, entry)), entry))
            .collect();
        args.extend(
            past.iter()
                .flat_map(|(number, entry)| [number.as_bytes(), entry]),
        );
        let call = self.scripts.create.call(&keys, &args);
        match call.change(link, self.wait).await? {
            Value::Int(1) => {
                self.wakers.reached(game.id, game.version());
                Ok(Created::Done)
            }
            Value::Int(0) => {
                give_back(link, game.id, &game.row).await;
                Ok(Created::Exists)
            }
            packed => match reply::entries(packed, 0)? {
                Entries::Packed(log)
                    if log.first().is_some_and(|kept| kept.bytes == game.entry) =>
                {
                    Ok(Created::Done)
                }
                Entries::Packed(_) => {
                    give_back(link, game.id, &game.row).await;
                    Ok(Created::Exists)
                }
                Entries::Plain(_) => Err(damaged("an unknown answer to a creation")),
            },
        }
    }
}
