//! **Rollbacks**: a Redis that goes back to an earlier state while servers run, for example because it was restarted
//! from an older dump, or because a failover lost the newest changes.
//!
//! The epoch does not show this, since the older state contains it. So every process raises a mark again and again, and
//! remembers the highest one that it saw: a lower one means that what was stored in between is lost. A mark grows by 1
//! each time, so that all processes notice, and not only the first one that raises it again.

use futures_util::future::try_join_all;
use gamekeeper_store::StoreError;
use redis::Value;

use super::epoch::Epoch;
use super::errors::damaged;
use super::keys::mark_key;
use super::link::Link;
use super::reply;
use super::scripts::Scripts;

/// The marks of a Redis: one; in a cluster, one in each slot of a sample.
pub(super) struct Marks {
    /// Each key, and the highest mark that this process saw there.
    highest: Vec<(String, i64)>,
}

impl Marks {
    pub(super) fn new(epoch: &Epoch) -> Marks {
        let keys = epoch.sample().map(|key| mark_key(key));
        Marks {
            highest: keys.map(|key| (key, 0)).collect(),
        }
    }

    /// Raises the marks. Returns whether Redis, or one of the servers of a cluster, went back to an earlier state.
    pub(super) async fn raise(
        &mut self,
        link: &Link,
        scripts: &Scripts,
    ) -> Result<bool, StoreError> {
        let raised = self.highest.iter().map(|(key, _)| async move {
            let keys = [key.as_str()];
            let call = scripts.raise_mark.call(&keys, &[]);
            call.ask(link, None).await
        });
        let raised = try_join_all(raised).await?;
        let mut went_back = false;
        for ((_, highest), raised) in self.highest.iter_mut().zip(raised) {
            let Ok([Value::Int(before), Value::Int(now)]) =
                <[Value; 2]>::try_from(reply::list(raised)?)
            else {
                return Err(damaged("an unexpected reply to a mark"));
            };
            went_back |= before < *highest;
            *highest = now;
        }
        Ok(went_back)
    }
}
