//! **Accounts**: the units that rate limits, shares and fair scheduling are applied to. An account stands for an entity
//! that cannot be multiplied at will, so that more tokens bring no more resources.
//!
//! Each tenant has one account, shared by all of its keys. What the service does in its games by itself uses parts of it. Each user of a tenant has a part of that account, shared by
//! all of the user's tokens. The tokens of a game use a part of their tenant's account that belongs to the first game
//! of its family: forks of that game, and the tokens of those forks, use the same part. Callers without a token use the
//! account of their network.

use std::net::IpAddr;
use std::str::FromStr;

use gamekeeper_rules::table::Seat;
use gamekeeper_store::GameId;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The number of levels of the account hierarchy.
const DEPTH: usize = 3;

/// A path in the account hierarchy: tenant / first game of a family / holder of a token; tenant / user; or network
/// / address. A component of 0 ends the path.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Account([u64; DEPTH]);

impl Account {
    /// The root account, which stands for all callers of a server without authentication. Only global limits apply to
    /// it.
    pub const EVERYBODY: Self = Self([0; DEPTH]);

    /// The account that all operators share.
    pub const OPERATORS: Self = Self([2, 0, 0]);

    /// Returns the account of a tenant.
    #[must_use]
    pub fn of_tenant(tenant: &str) -> Self {
        Self([hash(3, tenant.as_bytes()), 0, 0])
    }

    /// Returns the account of the holder of a token of a game, or of one of its forks. A `seat` of `None` stands for
    /// spectators.
    #[must_use]
    pub fn of_token_holder(tenant: Self, first_game: GameId, seat: Option<Seat>) -> Self {
        let game = hash(5, first_game.as_bytes());
        Self([
            tenant.0[0],
            game,
            1 + u64::from(seat.map_or(0, Seat::number)),
        ])
    }

    /// Returns the account of what the service does in the games of a tenant by itself, such as letting clocks run out. It
    /// is at the same level as the account of a game. Games without a tenant belong to everybody.
    #[must_use]
    pub fn of_unattended(tenant: &str) -> Self {
        Self::part_of_owner(tenant, b"unattended")
    }

    /// Returns the account of the thinking of bots in the games of a tenant, as [`Self::of_unattended`] does.
    #[must_use]
    pub fn of_thinking(tenant: &str) -> Self {
        Self::part_of_owner(tenant, b"thinking")
    }

    fn part_of_owner(tenant: &str, part: &[u8]) -> Self {
        if tenant.is_empty() {
            return Self::EVERYBODY;
        }
        Self([Self::of_tenant(tenant).0[0], hash(19, part), 0])
    }

    /// Returns the account that the tokens of a game and of its forks share.
    #[must_use]
    pub fn of_game(tenant: &str, first_game: GameId) -> Self {
        Self::of_token_holder(Self::of_tenant(tenant), first_game, None).second_level()
    }

    /// Returns the account of a user of a tenant. It is at the same level as the account of a game.
    #[must_use]
    pub fn of_user(tenant: &str, user: &str) -> Self {
        Self([Self::of_tenant(tenant).0[0], hash(17, user.as_bytes()), 0])
    }

    /// Returns the account of the holder of a token that does not name its account, as tokens of earlier builds.
    #[must_use]
    pub fn of_legacy_token(game: GameId, seat: Option<Seat>) -> Self {
        Self::of_token_holder(Self([hash(7, game.as_bytes()), 0, 0]), game, seat)
    }

    /// Returns the account of a caller without a token, below that of its network. The network is a /24 of IPv4, or a
    /// /48 of IPv6, which is what one site usually has; the account below it is an address of IPv4, or a /64 of IPv6,
    /// which one client usually controls.
    #[must_use]
    pub fn of_anonymous(address: IpAddr) -> Self {
        let (network, address_bits) = match address.to_canonical() {
            IpAddr::V4(address) => {
                let bits = u64::from(u32::from(address));
                (bits >> 8, bits)
            }
            IpAddr::V6(address) => {
                // The upper 64 bits of the address: a /64.
                let bits = u64::try_from(u128::from(address) >> 64).unwrap_or_default();
                (1 << 48 | bits >> 16, bits)
            }
        };
        Self([
            hash(11, &network.to_be_bytes()),
            hash(13, &address_bits.to_be_bytes()),
            0,
        ])
    }

    /// Returns the topmost account of the path: that of the tenant, the operators, or the network.
    #[must_use]
    pub const fn root(self) -> Self {
        Self([self.0[0], 0, 0])
    }

    /// Returns the account of the game (or user, or address), without the holder of the token. An account of one level
    /// is returned unchanged.
    #[must_use]
    pub const fn second_level(self) -> Self {
        Self([self.0[0], self.0[1], 0])
    }

    /// Returns whether this account is `other` or a part of it.
    #[must_use]
    pub fn is_descendant_of(self, other: Self) -> bool {
        other == Self::EVERYBODY || self.ancestors().any(|level| level == other)
    }

    /// Returns the deepest account of which both accounts are parts.
    #[must_use]
    pub fn common_ancestor(self, other: Self) -> Self {
        let pairs = self.ancestors().zip(other.ancestors());
        let last_common = pairs.take_while(|(level, others)| level == others).last();
        last_common.map_or(Self::EVERYBODY, |(level, _)| level)
    }

    /// Returns all accounts on the path, from the topmost one down to this account itself.
    pub fn ancestors(self) -> impl Iterator<Item = Self> {
        let depth_of_path = self.0.into_iter().take_while(|part| *part != 0).count();
        (1..=depth_of_path).map(move |depth| {
            let mut path = [0; DEPTH];
            path[..depth].copy_from_slice(&self.0[..depth]);
            Self(path)
        })
    }
}

impl std::fmt::Display for Account {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [root, game, holder] = self.0;
        write!(out, "{root:016x}")?;
        if game != 0 {
            write!(out, "/{game:016x}")?;
        }
        if holder != 0 {
            write!(out, "/{}", holder - 1)?;
        }
        Ok(())
    }
}

/// Parses the form that `Display` prints.
impl FromStr for Account {
    type Err = ParseAccountError;

    fn from_str(text: &str) -> Result<Self, ParseAccountError> {
        let mut parts = text.split('/');
        let mut part = |radix, add: u64| match parts.next() {
            None => Ok(0),
            Some(text) => {
                let number = u64::from_str_radix(text, radix).map_err(|_| ParseAccountError)?;
                number.checked_add(add).ok_or(ParseAccountError)
            }
        };
        let levels = [part(16, 0)?, part(16, 0)?, part(10, 1)?];
        let account = Self(levels);
        // Reject non-canonical spellings (a path must print as it was parsed) and the root account, which stands for
        // all callers.
        let is_canonical = levels[0] != 0 && parts.next().is_none() && account.to_string() == text;
        is_canonical.then_some(account).ok_or(ParseAccountError)
    }
}

/// A text could not be parsed as an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not an account, such as 0123456789abcdef/0123456789abcdef/1")]
pub struct ParseAccountError;

/// Hashes one component of a path. The result is never 0, since 0 ends a path.
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
        assert_eq!(red.ancestors().collect::<Vec<_>>(), [red]);
        assert_eq!(Account::EVERYBODY.ancestors().count(), 0);
        let seat = Account::of_token_holder(red, Uuid::from_u128(7), Seat::new(2));
        let levels: Vec<_> = seat.ancestors().collect();
        assert_eq!(levels, [red, seat.second_level(), seat]);
        assert_eq!(seat.root(), red);
        let user = Account::of_user("red", "ada");
        assert_eq!(user.ancestors().collect::<Vec<_>>(), [red, user]);
    }

    #[test]
    fn what_is_shown_is_read() {
        let red = Account::of_tenant("red");
        let seat = Account::of_token_holder(red, Uuid::from_u128(7), Seat::new(2));
        let spectator = Account::of_token_holder(red, Uuid::from_u128(7), None);
        for account in [
            red,
            seat,
            seat.second_level(),
            spectator,
            Account::OPERATORS,
        ] {
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
            assert_eq!(wrong.parse::<Account>(), Err(ParseAccountError), "{wrong}");
        }
    }

    #[test]
    fn accounts_have_their_parts_in_common() {
        let (red, blue) = (Account::of_tenant("red"), Account::of_tenant("blue"));
        let seat =
            |game, seat| Account::of_token_holder(red, Uuid::from_u128(game), Seat::new(seat));
        assert_eq!(seat(7, 1).common_ancestor(seat(7, 1)), seat(7, 1));
        assert_eq!(
            seat(7, 1).common_ancestor(seat(7, 2)),
            seat(7, 1).second_level()
        );
        assert_eq!(seat(7, 1).common_ancestor(seat(8, 1)), red);
        assert_eq!(seat(7, 1).common_ancestor(red), red);
        assert_eq!(seat(7, 1).common_ancestor(blue), Account::EVERYBODY);
        assert!(
            seat(7, 1).is_descendant_of(red)
                && seat(7, 1).is_descendant_of(seat(7, 2).second_level())
        );
        assert!(
            !red.is_descendant_of(seat(7, 1))
                && !seat(7, 1).is_descendant_of(blue)
                && !seat(7, 1).is_descendant_of(seat(7, 2))
        );
    }

    #[test]
    fn addresses_share_the_account_of_their_network() {
        let root = |text: &str| Account::of_anonymous(text.parse().unwrap()).root();
        let account = |text: &str| Account::of_anonymous(text.parse().unwrap());
        assert_eq!(root("192.0.2.1"), root("192.0.2.200"));
        assert_ne!(root("192.0.2.1"), root("192.0.3.1"));
        assert_ne!(account("192.0.2.1"), account("192.0.2.200"));
        assert_eq!(account("::ffff:192.0.2.1"), account("192.0.2.1"));
        assert_eq!(root("2001:db8:0:1::1"), root("2001:db8:0:2::1"));
        assert_ne!(account("2001:db8:0:1::1"), account("2001:db8:0:2::1"));
        assert_eq!(account("2001:db8:0:1::1"), account("2001:db8:0:1::2"));
        assert_ne!(root("2001:db8:0:1::1"), root("2001:db8:1:1::1"));
    }
}
