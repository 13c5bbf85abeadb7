//! **Blocking** by operators: ends the streams of an account and refuses its calls for a while.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

use super::Account;
use crate::heart::problem::Problem;

/// The maximum number of accounts that can be blocked at once.
const MAX_BARS: usize = 1_024;

/// The open streams, which operators can end, and the accounts that operators have blocked.
#[derive(Default)]
pub struct Cuts {
    /// The blocked accounts. Every call reads this list, so it is read without a lock.
    bars: ArcSwap<Vec<Bar>>,
    streams: Mutex<Streams>,
}

/// A blocked account, and the end of the block.
#[derive(Clone, Copy, Debug)]
struct Bar {
    account: Account,
    until: Instant,
}

#[derive(Default)]
struct Streams {
    next: u64,
    open: HashMap<Account, HashMap<u64, CancellationToken>>,
}

/// An operator tried to block an account while `MAX_BARS` others were blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{MAX_BARS} accounts are kept out already; lift some")]
pub struct TooManyBars;

impl Cuts {
    /// Checks that the account is not blocked.
    ///
    /// # Errors
    /// If an operator has blocked the account or an account that it is a part of.
    pub fn check(&self, account: Account) -> Result<(), Problem> {
        let bars = self.bars.load();
        if bars.is_empty() {
            return Ok(());
        }
        let now = Instant::now();
        let left = |bar: &Bar| bar.until.saturating_duration_since(now);
        let of_account = bars.iter().filter(|bar| account.is_of(bar.account));
        match of_account.map(left).max() {
            None | Some(Duration::ZERO) => Ok(()),
            Some(wait) => Err(Problem::CutOff { wait }),
        }
    }

    /// Blocks the account and all of its parts for this long. Replaces an earlier block of the same account.
    ///
    /// # Errors
    /// If `MAX_BARS` other accounts are blocked.
    pub fn bar(&self, account: Account, time: Duration) -> Result<(), TooManyBars> {
        // The list is replaced as a whole, so without the lock two operators could undo each other's change.
        let _one_at_a_time = self.streams.lock();
        let mut bars = self.others(account);
        if bars.len() >= MAX_BARS {
            return Err(TooManyBars);
        }
        let until = Instant::now() + time;
        bars.push(Bar { account, until });
        self.bars.store(Arc::new(bars));
        Ok(())
    }

    /// Lifts the block of the account.
    pub fn lift(&self, account: Account) {
        let _one_at_a_time = self.streams.lock();
        self.bars.store(Arc::new(self.others(account)));
    }

    /// Ends the streams of the account and of all of its parts. Returns the number of streams ended.
    pub fn end_streams(&self, account: Account) -> usize {
        let streams = self.streams.lock();
        let of_account = streams
            .open
            .iter()
            .filter(|(holder, _)| holder.is_of(account));
        let mut ended = 0;
        for stream in of_account.flat_map(|(_, streams)| streams.values()) {
            stream.cancel();
            ended += 1;
        }
        ended
    }

    /// Registers a stream of this account. The stream ends at the latest when `closing` is canceled, as the server
    /// shuts down.
    pub(crate) fn open(self: &Arc<Self>, account: Account, closing: &CancellationToken) -> Open {
        let ended = closing.child_token();
        let mut streams = self.streams.lock();
        let number = streams.next;
        streams.next += 1;
        let of_account = streams.open.entry(account).or_default();
        of_account.insert(number, ended.clone());
        Open {
            cuts: Arc::clone(self),
            account,
            number,
            ended,
        }
    }

    /// Returns the blocks of all other accounts that have not expired.
    fn others(&self, account: Account) -> Vec<Bar> {
        let now = Instant::now();
        let bars = self.bars.load();
        let others = bars.iter().filter(|bar| bar.account != account);
        others.filter(|bar| bar.until > now).copied().collect()
    }
}

/// The registration of an open stream (an RAII guard): dropping it removes the stream.
pub(crate) struct Open {
    cuts: Arc<Cuts>,
    account: Account,
    number: u64,
    ended: CancellationToken,
}

impl Open {
    /// Returns the token that is canceled when the stream must end, because the server shuts down or an operator ends
    /// the stream.
    pub(crate) fn ended(&self) -> &CancellationToken {
        &self.ended
    }

    /// Returns the error to end the stream with if the account is blocked. Returns `None` if the client may reconnect
    /// at once.
    pub(crate) fn barred(&self) -> Option<Problem> {
        self.cuts.check(self.account).err()
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let mut streams = self.cuts.streams.lock();
        if let Some(of_account) = streams.open.get_mut(&self.account) {
            of_account.remove(&self.number);
            if of_account.is_empty() {
                streams.open.remove(&self.account);
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
        Account::of_token(red(), Uuid::from_u128(game), Seat::new(seat))
    }

    fn is_out(cuts: &Cuts, account: Account) -> bool {
        matches!(cuts.check(account), Err(Problem::CutOff { wait }) if !wait.is_zero())
    }

    #[test]
    fn an_account_is_kept_out_with_its_parts_until_its_time_is_over() {
        let cuts = Cuts::default();
        let game = seat(1, 1).of_game();
        cuts.bar(game, LONG).unwrap();
        assert!(is_out(&cuts, seat(1, 1)) && is_out(&cuts, seat(1, 2)));
        for other in [
            red(),
            seat(2, 1),
            Account::of_tenant("blue"),
            Account::EVERYBODY,
        ] {
            assert!(!is_out(&cuts, other), "{other}");
        }
        cuts.bar(red(), LONG).unwrap();
        cuts.lift(game);
        assert!(is_out(&cuts, seat(1, 1)), "its tenant is kept out");
        cuts.bar(red(), Duration::ZERO).unwrap();
        assert!(!is_out(&cuts, seat(1, 1)) && !is_out(&cuts, red()));
    }

    #[test]
    fn the_number_of_accounts_that_are_kept_out_is_bounded() {
        let cuts = Cuts::default();
        let nth = |number: usize| Account::of_tenant(&number.to_string());
        for number in 0..MAX_BARS {
            cuts.bar(nth(number), LONG).unwrap();
        }
        assert_eq!(cuts.bar(nth(MAX_BARS), LONG), Err(TooManyBars));
        cuts.bar(nth(0), LONG).unwrap();
        cuts.lift(nth(1));
        cuts.bar(nth(MAX_BARS), LONG).unwrap();
    }

    #[test]
    fn streams_of_an_account_end_and_those_of_others_do_not() {
        let (cuts, closing) = (Arc::<Cuts>::default(), CancellationToken::new());
        let open = |account| cuts.open(account, &closing);
        let (ours, others) = (
            [open(seat(1, 1)), open(seat(1, 2))],
            [open(seat(2, 1)), open(red())],
        );
        assert_eq!(cuts.end_streams(seat(1, 1).of_game()), 2);
        assert!(ours.iter().all(|stream| stream.ended().is_cancelled()));
        assert!(!others.iter().any(|stream| stream.ended().is_cancelled()));
        drop(ours);
        assert_eq!(cuts.end_streams(seat(1, 1).of_game()), 0);
        closing.cancel();
        assert!(others.iter().all(|stream| stream.ended().is_cancelled()));
        drop(others);
        assert!(cuts.streams.lock().open.is_empty());
    }
}
