//! Checks that tokens are valid until they are revoked, and no longer.

use std::time::Duration;

use super::flaw::Flaw;
use super::{Call, What};

/// A request to revoke the tokens of a seat.
struct Revocation {
    seat: u32,
    begun: Duration,
    /// The time at which the tokens were revoked. `None` if the answer is missing, so that it may happen at any time.
    ended: Option<Duration>,
}

/// Checks that a token is accepted until the tokens of its seat are revoked, and is never refused before that is
/// requested.
pub(super) fn check_tokens(calls: &[&Call], flaws: &mut Vec<Flaw>) {
    let revocations: Vec<Revocation> = calls.iter().copied().filter_map(revocation).collect();
    for call in calls {
        let What::Presented {
            seat,
            token,
            is_accepted,
        } = call.what
        else {
            continue;
        };
        let issue = What::Issued { seat, token };
        let Some(issue) = calls.iter().find(|call| call.what == issue) else {
            flaws.push(Flaw::UnknownToken { seat, token });
            continue;
        };
        let of_seat = || revocations.iter().filter(move |one| one.seat == seat);
        let is_revoked = of_seat().any(|one| {
            one.begun >= issue.ended && one.ended.is_some_and(|ended| ended <= call.begun)
        });
        let may_be_revoked = of_seat()
            .any(|one| one.begun < call.ended && one.ended.is_none_or(|ended| ended > issue.begun));
        if is_accepted && is_revoked {
            flaws.push(Flaw::RevokedTokenAccepted { seat, token });
        }
        if !is_accepted && !may_be_revoked {
            flaws.push(Flaw::ValidTokenRefused { seat, token });
        }
    }
}

fn revocation(call: &Call) -> Option<Revocation> {
    let What::Revoked { seat, is_done } = call.what else {
        return None;
    };
    Some(Revocation {
        seat,
        begun: call.begun,
        ended: is_done.then_some(call.ended),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn issued(times: [u64; 2], seat: u32, token: u64) -> Call {
        Call::between(times, What::Issued { seat, token })
    }

    fn revoked(times: [u64; 2], seat: u32, is_done: bool) -> Call {
        Call::between(times, What::Revoked { seat, is_done })
    }

    fn presented(times: [u64; 2], token: u64, is_accepted: bool) -> Call {
        let seat = 1;
        Call::between(
            times,
            What::Presented {
                seat,
                token,
                is_accepted,
            },
        )
    }

    fn flaws(calls: &[Call]) -> Vec<Flaw> {
        let mut flaws = Vec::new();
        check_tokens(&calls.iter().collect::<Vec<_>>(), &mut flaws);
        flaws
    }

    const ACCEPTED: Flaw = Flaw::RevokedTokenAccepted { seat: 1, token: 1 };
    const REFUSED: Flaw = Flaw::ValidTokenRefused { seat: 1, token: 1 };

    #[test]
    fn a_token_holds_until_it_is_revoked() {
        let mut calls = vec![
            issued([0, 10], 1, 1),
            presented([11, 12], 1, true),
            revoked([20, 30], 1, true),
            issued([31, 40], 1, 2),
            // While the revocation is running, the token may be valid or not.
            presented([19, 21], 1, true),
            presented([25, 26], 1, true),
            presented([25, 26], 1, false),
            presented([31, 32], 1, false),
            presented([41, 42], 2, true),
        ];
        assert_eq!(flaws(&calls), []);
        calls.push(presented([31, 40], 1, true));
        assert_eq!(flaws(&calls), [ACCEPTED]);
    }

    #[test]
    fn no_token_ends_by_itself_or_through_another() {
        let mut calls = vec![
            issued([0, 10], 1, 1),
            revoked([20, 30], 2, true),
            issued([31, 35], 1, 2),
            presented([40, 50], 1, true),
        ];
        assert_eq!(flaws(&calls), []);
        calls.push(presented([40, 50], 1, false));
        assert_eq!(flaws(&calls), [REFUSED]);
    }

    #[test]
    fn a_revocation_without_an_answer_may_have_been_one() {
        let mut calls = vec![
            revoked([0, 5], 1, false),
            issued([6, 10], 1, 1),
            presented([20, 30], 1, true),
            presented([20, 30], 1, false),
        ];
        assert_eq!(flaws(&calls), []);
        calls[0] = revoked([40, 50], 1, false);
        assert_eq!(flaws(&calls), [REFUSED], "but not before it was asked for");
        let stranger = Flaw::UnknownToken { seat: 1, token: 7 };
        assert_eq!(flaws(&[presented([0, 1], 7, true)]), [stranger]);
    }
}
