//! **Blocking** by operators: ends the streams of an account and refuses its calls for a while.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

use crate::authz::Account;
use crate::errors::{EndCause, ServiceError};

/// The maximum number of accounts that can be blocked at once.
const MAX_BLOCKS: usize = 1_024;

/// The open streams, which operators can end, and the accounts that operators have blocked.
#[derive(Default)]
pub struct Blocklist {
    /// The blocked accounts. Every call reads this list, so it is read without a lock.
    blocks: ArcSwap<Vec<Block>>,
    streams: Mutex<OpenStreams>,
}

/// A blocked account, and the end of the block.
#[derive(Clone, Copy, Debug)]
struct Block {
    account: Account,
    expires_at: Instant,
}

#[derive(Default)]
struct OpenStreams {
    next_id: u64,
    by_account: HashMap<Account, HashMap<u64, CancellationToken>>,
}

/// An operator tried to block an account while `MAX_BLOCKS` others were blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{MAX_BLOCKS} accounts are kept out already; lift some")]
pub struct BlocklistFull;

impl Blocklist {
    /// Checks that the account is not blocked.
    ///
    /// # Errors
    /// If an operator has blocked the account or an account that it is a part of.
    pub fn check(&self, account: Account) -> Result<(), ServiceError> {
        let blocks = self.blocks.load();
        if blocks.is_empty() {
            return Ok(());
        }
        let now = Instant::now();
        let remaining = |block: &Block| block.expires_at.saturating_duration_since(now);
        let matching_blocks = blocks
            .iter()
            .filter(|block| account.is_descendant_of(block.account));
        match matching_blocks.map(remaining).max() {
            None | Some(Duration::ZERO) => Ok(()),
            Some(retry_after) => Err(ServiceError::Blocked { retry_after }),
        }
    }

    /// Blocks the account and all of its parts for this long. Replaces an earlier block of the same account.
    ///
    /// # Errors
    /// If `MAX_BLOCKS` other accounts are blocked.
    pub fn block(&self, account: Account, duration: Duration) -> Result<(), BlocklistFull> {
        // The list is replaced as a whole, so without the lock two operators could undo each other's change.
        let _writer = self.streams.lock();
        let mut blocks = self.active_blocks_except(account);
        if blocks.len() >= MAX_BLOCKS {
            return Err(BlocklistFull);
        }
        let expires_at = Instant::now() + duration;
        blocks.push(Block {
            account,
            expires_at,
        });
        self.blocks.store(Arc::new(blocks));
        Ok(())
    }

    /// Lifts the block of the account.
    pub fn unblock(&self, account: Account) {
        let _writer = self.streams.lock();
        self.blocks
            .store(Arc::new(self.active_blocks_except(account)));
    }

    /// Ends the streams of the account and of all of its parts. Returns the number of streams ended.
    pub fn end_streams(&self, account: Account) -> usize {
        let streams = self.streams.lock();
        let matching_streams = streams
            .by_account
            .iter()
            .filter(|(holder, _)| holder.is_descendant_of(account));
        let mut ended_count = 0;
        for stream in matching_streams.flat_map(|(_, streams)| streams.values()) {
            stream.cancel();
            ended_count += 1;
        }
        ended_count
    }

    /// Registers a stream of this account. The stream ends at the latest when `closing` is canceled, as the server
    /// shuts down.
    pub(crate) fn register_stream(
        self: &Arc<Self>,
        account: Account,
        closing: &CancellationToken,
    ) -> StreamGuard {
        let cancellation = closing.child_token();
        let mut streams = self.streams.lock();
        let stream_id = streams.next_id;
        streams.next_id += 1;
        let account_streams = streams.by_account.entry(account).or_default();
        account_streams.insert(stream_id, cancellation.clone());
        StreamGuard {
            blocklist: Arc::clone(self),
            account,
            stream_id,
            cancellation,
            closing: closing.clone(),
        }
    }

    /// Returns the blocks of all other accounts that have not expired.
    fn active_blocks_except(&self, account: Account) -> Vec<Block> {
        let now = Instant::now();
        let blocks = self.blocks.load();
        let other_blocks = blocks.iter().filter(|block| block.account != account);
        other_blocks
            .filter(|block| block.expires_at > now)
            .copied()
            .collect()
    }
}

/// The registration of an open stream (an RAII guard): dropping it removes the stream.
pub(crate) struct StreamGuard {
    blocklist: Arc<Blocklist>,
    account: Account,
    stream_id: u64,
    cancellation: CancellationToken,
    closing: CancellationToken,
}

impl StreamGuard {
    /// Returns the token that is canceled when the stream must end, because the server shuts down or an operator ends
    /// the stream.
    pub(crate) fn cancellation(&self) -> &CancellationToken {
        &self.cancellation
    }

    /// Returns the cause of an end that [`Self::cancellation`] has announced.
    pub(crate) fn cause(&self) -> EndCause {
        if self.closing.is_cancelled() {
            EndCause::Shutdown
        } else {
            EndCause::Cut
        }
    }

    /// Returns the error to end the stream with if the account is blocked. Returns `None` if the client may reconnect
    /// at once.
    pub(crate) fn blocked_reason(&self) -> Option<ServiceError> {
        self.blocklist.check(self.account).err()
    }
}

impl Drop for StreamGuard {
    fn drop(&mut self) {
        let mut streams = self.blocklist.streams.lock();
        if let Some(account_streams) = streams.by_account.get_mut(&self.account) {
            account_streams.remove(&self.stream_id);
            if account_streams.is_empty() {
                streams.by_account.remove(&self.account);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::table::Seat;
    use uuid::Uuid;

    use super::*;

    const LONG: Duration = Duration::from_mins(10);

    fn red() -> Account {
        Account::of_tenant("red")
    }

    fn seat(game: u128, seat: u8) -> Account {
        Account::of_token_holder(red(), Uuid::from_u128(game), Seat::new(seat))
    }

    fn is_out(cuts: &Blocklist, account: Account) -> bool {
        matches!(cuts.check(account), Err(ServiceError::Blocked { retry_after }) if !retry_after.is_zero())
    }

    #[test]
    fn an_account_is_kept_out_with_its_parts_until_its_time_is_over() {
        let cuts = Blocklist::default();
        let game = seat(1, 1).second_level();
        cuts.block(game, LONG).unwrap();
        assert!(is_out(&cuts, seat(1, 1)) && is_out(&cuts, seat(1, 2)));
        for other in [
            red(),
            seat(2, 1),
            Account::of_tenant("blue"),
            Account::EVERYBODY,
        ] {
            assert!(!is_out(&cuts, other), "{other}");
        }
        cuts.block(red(), LONG).unwrap();
        cuts.unblock(game);
        assert!(is_out(&cuts, seat(1, 1)), "its tenant is kept out");
        cuts.block(red(), Duration::ZERO).unwrap();
        assert!(!is_out(&cuts, seat(1, 1)) && !is_out(&cuts, red()));
    }

    #[test]
    fn the_number_of_accounts_that_are_kept_out_is_bounded() {
        let cuts = Blocklist::default();
        let nth = |number: usize| Account::of_tenant(&number.to_string());
        for number in 0..MAX_BLOCKS {
            cuts.block(nth(number), LONG).unwrap();
        }
        assert_eq!(cuts.block(nth(MAX_BLOCKS), LONG), Err(BlocklistFull));
        cuts.block(nth(0), LONG).unwrap();
        cuts.unblock(nth(1));
        cuts.block(nth(MAX_BLOCKS), LONG).unwrap();
    }

    #[test]
    fn streams_of_an_account_end_and_those_of_others_do_not() {
        let (cuts, closing) = (Arc::<Blocklist>::default(), CancellationToken::new());
        let open = |account| cuts.register_stream(account, &closing);
        let (ours, others) = (
            [open(seat(1, 1)), open(seat(1, 2))],
            [open(seat(2, 1)), open(red())],
        );
        assert_eq!(cuts.end_streams(seat(1, 1).second_level()), 2);
        assert!(
            ours.iter()
                .all(|stream| stream.cancellation().is_cancelled())
        );
        assert!(ours.iter().all(|stream| stream.cause() == EndCause::Cut));
        assert!(
            !others
                .iter()
                .any(|stream| stream.cancellation().is_cancelled())
        );
        drop(ours);
        assert_eq!(cuts.end_streams(seat(1, 1).second_level()), 0);
        closing.cancel();
        assert!(
            others
                .iter()
                .all(|stream| stream.cancellation().is_cancelled())
        );
        assert!(
            others
                .iter()
                .all(|stream| stream.cause() == EndCause::Shutdown)
        );
        drop(others);
        assert!(cuts.streams.lock().by_account.is_empty());
    }
}
