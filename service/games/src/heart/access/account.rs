//! Accounts: whose budgets a call uses. An account belongs to somebody who cannot multiply.
//!
//! A tenant has one, whatever number of keys it has. A user of it has a part, whatever number of tokens. The tokens of
//! a game use a part of their tenant's account, which belongs to the game that was created first: forks of it, and the
//! tokens of forks, use the same part. Strangers, who have no token, have the account of their network.

use std::net::IpAddr;
use std::str::FromStr;

use gamekeeper_rules::table::Seat;
use gamekeeper_store::GameId;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// How deep accounts are.
const LEVELS: usize = 3;

/// A path: a tenant, a game of it that was created first, and who got a token of that game; a tenant and a user of it; or
/// a network, and an address in it. A part that is 0 ends it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Account([u64; LEVELS]);

impl Account {
    /// Everybody together, on a server that trusts everybody: only totals bound it.
    pub const EVERYBODY: Self = Self([0; LEVELS]);

    /// All operators together.
    pub const OPERATORS: Self = Self([2, 0, 0]);

    /// A tenant.
    #[must_use]
    pub fn of_tenant(tenant: &str) -> Self {
        Self([hash(3, tenant.as_bytes()), 0, 0])
    }

    /// The holder of a token of a game, or of a fork of it.
    #[must_use]
    pub fn of_token(tenant: Self, first_game: GameId, seat: Option<Seat>) -> Self {
        let game = hash(5, first_game.as_bytes());
        Self([
            tenant.0[0],
            game,
            1 + u64::from(seat.map_or(0, Seat::number)),
        ])
    }

    /// A user of a tenant, whose part is as large as that of a game.
    #[must_use]
    pub fn of_user(tenant: &str, user: &str) -> Self {
        Self([Self::of_tenant(tenant).0[0], hash(17, user.as_bytes()), 0])
    }

    /// The holder of a token that does not name its account: tokens of earlier builds.
    #[must_use]
    pub fn of_old_token(game: GameId, seat: Option<Seat>) -> Self {
        Self::of_token(Self([hash(7, game.as_bytes()), 0, 0]), game, seat)
    }

    /// Somebody without a token. One client usually controls a whole /64 of IPv6, and a site a /48.
    #[must_use]
    pub fn of_stranger(address: IpAddr) -> Self {
        let (network, part) = match address.to_canonical() {
            IpAddr::V4(address) => {
                let bits = u64::from(u32::from(address));
                (bits >> 8, bits)
            }
            IpAddr::V6(address) => {
                // The first half of the address.
                let bits = u64::try_from(u128::from(address) >> 64).unwrap_or_default();
                (1 << 48 | bits >> 16, bits)
            }
        };
        Self([
            hash(11, &network.to_be_bytes()),
            hash(13, &part.to_be_bytes()),
            0,
        ])
    }

    /// The tenant, the operators, or the network.
    #[must_use]
    pub const fn whole(self) -> Self {
        Self([self.0[0], 0, 0])
    }

    /// The game, with all of its tokens; otherwise the same as the whole.
    #[must_use]
    pub const fn of_game(self) -> Self {
        Self([self.0[0], self.0[1], 0])
    }

    /// Is this account the other one, or a part of it?
    #[must_use]
    pub fn is_of(self, other: Self) -> bool {
        other == Self::EVERYBODY || self.levels().any(|level| level == other)
    }

    /// The smallest account of which both are parts.
    #[must_use]
    pub fn common(self, other: Self) -> Self {
        let both = self.levels().zip(other.levels());
        let common = both.take_while(|(level, others)| level == others).last();
        common.map_or(Self::EVERYBODY, |(level, _)| level)
    }

    /// What this account is a part of, the largest first, and itself at last.
    pub fn levels(self) -> impl Iterator<Item = Self> {
        let parts = self.0.into_iter().take_while(|part| *part != 0).count();
        (1..=parts).map(move |depth| {
            let mut path = [0; LEVELS];
            path[..depth].copy_from_slice(&self.0[..depth]);
            Self(path)
        })
    }
}

impl std::fmt::Display for Account {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [whole, game, holder] = self.0;
        write!(out, "{whole:016x}")?;
        if game != 0 {
            write!(out, "/{game:016x}")?;
        }
        if holder != 0 {
            write!(out, "/{}", holder - 1)?;
        }
        Ok(())
    }
}

/// Reads what an account is shown as.
impl FromStr for Account {
    type Err = NoAccount;

    fn from_str(text: &str) -> Result<Self, NoAccount> {
        let mut parts = text.split('/');
        let mut part = |radix, add: u64| match parts.next() {
            None => Ok(0),
            Some(text) => {
                let number = u64::from_str_radix(text, radix).map_err(|_| NoAccount)?;
                number.checked_add(add).ok_or(NoAccount)
            }
        };
        let path = [part(16, 0)?, part(16, 0)?, part(10, 1)?];
        let read = Self(path);
        // What is written otherwise is no account, or that of everybody.
        let is_one = path[0] != 0 && parts.next().is_none() && read.to_string() == text;
        is_one.then_some(read).ok_or(NoAccount)
    }
}

/// A text is not an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not an account, such as 0123456789abcdef/0123456789abcdef/1")]
pub struct NoAccount;

/// Never 0, which ends a path.
fn hash(kind: u64, bytes: &[u8]) -> u64 {
    xxh3_64_with_seed(bytes, kind).max(1)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_path_has_its_levels() {
        let red = Account::of_tenant("red");
        assert_eq!(red.levels().collect::<Vec<_>>(), [red]);
        assert_eq!(Account::EVERYBODY.levels().count(), 0);
        let seat = Account::of_token(red, Uuid::from_u128(7), Seat::new(2));
        let levels: Vec<_> = seat.levels().collect();
        assert_eq!(levels, [red, seat.of_game(), seat]);
        assert_eq!(seat.whole(), red);
        let user = Account::of_user("red", "ada");
        assert_eq!(user.levels().collect::<Vec<_>>(), [red, user]);
    }

    #[test]
    fn what_is_shown_is_read() {
        let red = Account::of_tenant("red");
        let seat = Account::of_token(red, Uuid::from_u128(7), Seat::new(2));
        let spectator = Account::of_token(red, Uuid::from_u128(7), None);
        for account in [red, seat, seat.of_game(), spectator, Account::OPERATORS] {
            assert_eq!(account.to_string().parse(), Ok(account));
        }
        let shown = seat.to_string();
        for wrong in [
            "",
            "red",
            "0000000000000000",
            "1",
            &shown[1..],
            &format!("{shown}/1"),
        ] {
            assert_eq!(wrong.parse::<Account>(), Err(NoAccount), "{wrong}");
        }
    }

    #[test]
    fn accounts_have_their_parts_in_common() {
        let (red, blue) = (Account::of_tenant("red"), Account::of_tenant("blue"));
        let seat = |game, seat| Account::of_token(red, Uuid::from_u128(game), Seat::new(seat));
        assert_eq!(seat(7, 1).common(seat(7, 1)), seat(7, 1));
        assert_eq!(seat(7, 1).common(seat(7, 2)), seat(7, 1).of_game());
        assert_eq!(seat(7, 1).common(seat(8, 1)), red);
        assert_eq!(seat(7, 1).common(red), red);
        assert_eq!(seat(7, 1).common(blue), Account::EVERYBODY);
        assert!(seat(7, 1).is_of(red) && seat(7, 1).is_of(seat(7, 2).of_game()));
        assert!(!red.is_of(seat(7, 1)) && !seat(7, 1).is_of(blue) && !seat(7, 1).is_of(seat(7, 2)));
    }

    #[test]
    fn addresses_share_the_account_of_their_network() {
        let whole = |text: &str| Account::of_stranger(text.parse().unwrap()).whole();
        let own = |text: &str| Account::of_stranger(text.parse().unwrap());
        assert_eq!(whole("192.0.2.1"), whole("192.0.2.200"));
        assert_ne!(whole("192.0.2.1"), whole("192.0.3.1"));
        assert_ne!(own("192.0.2.1"), own("192.0.2.200"));
        assert_eq!(own("::ffff:192.0.2.1"), own("192.0.2.1"));
        assert_eq!(whole("2001:db8:0:1::1"), whole("2001:db8:0:2::1"));
        assert_ne!(own("2001:db8:0:1::1"), own("2001:db8:0:2::1"));
        assert_eq!(own("2001:db8:0:1::1"), own("2001:db8:0:1::2"));
        assert_ne!(whole("2001:db8:0:1::1"), whole("2001:db8:1:1::1"));
    }
}
