//! Were tokens valid as long as they should be, and no longer?

use std::time::Duration;

use super::check::Flaw;
use super::{Call, What};

/// A new token was requested.
struct Rotation {
    seat: u32,
    token: Option<u64>,
    begun: Duration,
    ended: Duration,
}

/// A token is valid until the next one of its seat is issued, and never ends before that is requested.
pub(super) fn check_tokens(calls: &[&Call], flaws: &mut Vec<Flaw>) {
    let rotations: Vec<Rotation> = calls.iter().copied().filter_map(rotation).collect();
    for call in calls {
        let What::Presented { seat, token, held } = call.what else {
            continue;
        };
        let of_seat = || rotations.iter().filter(move |other| other.seat == seat);
        let Some(issue) = of_seat().find(|issue| issue.token == Some(token)) else {
            flaws.push(Flaw::UnknownToken { seat, token });
            continue;
        };
        let others = || of_seat().filter(|other| other.token != Some(token));
        let is_replaced = others().any(|other| {
            other.token.is_some() && other.begun >= issue.ended && other.ended <= call.begun
        });
        // A request that was never answered may take effect at any time.
        let may_be_replaced = others().any(|other| {
            other.begun < call.ended && (other.token.is_none() || other.ended > issue.begun)
        });
        if held && is_replaced {
            flaws.push(Flaw::ReplacedTokenHeld { seat, token });
        }
        if !held && !may_be_replaced {
            flaws.push(Flaw::NewTokenRefused { seat, token });
        }
    }
}

fn rotation(call: &Call) -> Option<Rotation> {
    let What::Rotated { seat, token } = call.what else {
        return None;
    };
    Some(Rotation {
        seat,
        token,
        begun: call.begun,
        ended: call.ended,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rotated(times: [u64; 2], seat: u32, token: Option<u64>) -> Call {
        Call::between(times, What::Rotated { seat, token })
    }

    fn presented(times: [u64; 2], token: u64, held: bool) -> Call {
        let seat = 1;
        Call::between(times, What::Presented { seat, token, held })
    }

    fn flaws(calls: &[Call]) -> Vec<Flaw> {
        let mut flaws = Vec::new();
        check_tokens(&calls.iter().collect::<Vec<_>>(), &mut flaws);
        flaws
    }

    const HELD: Flaw = Flaw::ReplacedTokenHeld { seat: 1, token: 1 };
    const REFUSED: Flaw = Flaw::NewTokenRefused { seat: 1, token: 1 };

    #[test]
    fn a_token_holds_until_the_next() {
        let mut calls = vec![
            rotated([0, 10], 1, Some(1)),
            presented([11, 12], 1, true),
            rotated([20, 30], 1, Some(2)),
            // During the rotation it may be valid or not.
            presented([19, 21], 1, true),
            presented([25, 26], 1, true),
            presented([25, 26], 1, false),
            presented([31, 32], 1, false),
            presented([31, 32], 2, true),
        ];
        assert_eq!(flaws(&calls), []);
        calls.push(presented([31, 40], 1, true));
        assert_eq!(flaws(&calls), [HELD]);
    }

    #[test]
    fn no_token_ends_by_itself_or_through_another_seat() {
        let mut calls = vec![
            rotated([0, 10], 1, Some(1)),
            rotated([20, 30], 2, Some(1)),
            presented([40, 50], 1, true),
        ];
        assert_eq!(flaws(&calls), []);
        calls.push(presented([40, 50], 1, false));
        assert_eq!(flaws(&calls), [REFUSED]);
    }

    #[test]
    fn a_rotation_without_an_answer_may_have_been_one() {
        let mut calls = vec![
            rotated([0, 5], 1, None),
            rotated([6, 10], 1, Some(1)),
            presented([20, 30], 1, true),
            presented([20, 30], 1, false),
        ];
        assert_eq!(flaws(&calls), []);
        calls[0] = rotated([40, 50], 1, None);
        assert_eq!(flaws(&calls), [REFUSED], "but not before it was asked for");
        let stranger = Flaw::UnknownToken { seat: 1, token: 7 };
        assert_eq!(flaws(&[presented([0, 1], 7, true)]), [stranger]);
    }
}
