//! **Blocking** by operators: ends the streams of an account and refuses its calls for a while. Work that no call asks
//! for rests meanwhile, in all games of the account.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

use crate::authz::Account;
use crate::errors::{EndCause, ServiceError};

/// The maximum number of accounts that can be blocked at once.
pub(crate) const MAX_BLOCKS: usize = 1_024;

/// The open streams, which operators can end, and the accounts that operators have blocked.
#[derive(Default)]
pub struct Blocklist {
    /// The blocked accounts. Every call reads this list, so it is read without a lock.
    blocks: ArcSwap<Vec<Block>>,
    streams: Mutex<OpenStreams>,
    /// Ends whatever else an account has open, once another process has blocked it.
    end_others: OnceLock<EndOthers>,
}

/// A function that ends what an account has open beside streams, such as its connections.
type EndOthers = Box<dyn Fn(Account) + Send + Sync>;

/// A blocked account, and the end of the block.
#[derive(Clone, Copy, Debug)]
struct Block {
    account: Account,
    expires_at: Instant,
    /// Whether the block is in the record that all processes share.
    is_shared: bool,
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
            is_shared: false,
        });
        self.blocks.store(Arc::new(blocks));
        Ok(())
    }

    /// Replaces the blocks that all processes share by these, each with the rest of its time. Blocks of this process
    /// alone remain. What newly blocked accounts have open is ended.
    pub(crate) fn set_shared(&self, shared: &[(Account, Duration)]) {
        let newly_blocked = {
            let _writer = self.streams.lock();
            let now = Instant::now();
            let before = self.blocks.load();
            let is_shared = |account| shared.iter().any(|(of, _)| *of == account);
            let own = before
                .iter()
                .filter(|block| !block.is_shared && block.expires_at > now)
                .filter(|block| !is_shared(block.account));
            let from_record = shared.iter().map(|(account, remaining)| Block {
                account: *account,
                expires_at: now + *remaining,
                is_shared: true,
            });
            let blocks: Vec<Block> = own.copied().chain(from_record).collect();
            let is_known = |account: &Account| before.iter().any(|block| block.account == *account);
            let accounts = shared.iter().map(|(account, _)| *account);
            let newly_blocked: Vec<Account> =
                accounts.filter(|account| !is_known(account)).collect();
            if !(blocks.is_empty() && before.is_empty()) {
                self.blocks.store(Arc::new(blocks));
            }
            newly_blocked
        };
        for account in newly_blocked {
            self.end_streams(account);
            if let Some(end_others) = self.end_others.get() {
                end_others(account);
            }
        }
    }

    /// Sets what is ended, beside streams, when another process has blocked an account. Only the first call counts.
    pub fn on_shared_block(&self, end_others: impl Fn(Account) + Send + Sync + 'static) {
        let _set_before = self.end_others.set(Box::new(end_others));
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
    fn what_another_process_blocks_is_ended_here_and_what_it_lifts_is_lifted() {
        let (cuts, closing) = (Arc::<Blocklist>::default(), CancellationToken::new());
        let ended = Arc::<Mutex<Vec<Account>>>::default();
        let seen = Arc::clone(&ended);
        cuts.on_shared_block(move |account| seen.lock().push(account));
        let (red, blue) = (red(), Account::of_tenant("blue"));
        cuts.block(blue, LONG).unwrap();
        let stream = cuts.register_stream(seat(1, 1), &closing);
        cuts.set_shared(&[(red, LONG)]);
        assert!(is_out(&cuts, seat(1, 1)) && is_out(&cuts, blue));
        assert!(stream.cancellation().is_cancelled());
        cuts.set_shared(&[(red, LONG), (blue, LONG)]);
        assert_eq!(
            *ended.lock(),
            [red],
            "once, and what is known here was ended here"
        );
        cuts.set_shared(&[]);
        assert!(!is_out(&cuts, red) && !is_out(&cuts, blue));
        cuts.block(blue, LONG).unwrap();
        cuts.set_shared(&[]);
        assert!(is_out(&cuts, blue), "a block of this process alone remains");
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
