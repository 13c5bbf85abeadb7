//! The standard headers of **rate limits**, `RateLimit` and `RateLimit-Policy`. They are sent when less than half of the
//! burst of an account is left, so that clients can slow down before they are refused.
//!
//! The unit of both is a small call, and a larger call counts as several.

use std::time::Duration;

use gamekeeper_games::scheduling::LowBudget;
use tonic::codegen::http::{HeaderMap, HeaderName, HeaderValue};

/// The header with the rest of the burst, `r`, and the seconds until all of it has recovered, `t`.
pub(crate) const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// The header with the burst, `q`, and the seconds in which it recovers, `w`.
pub(crate) const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// The name of the policy, as a string of the structured fields of HTTP.
const POLICY: &str = "\"cost\"";

/// Adds the headers to those of a response, if a budget is given.
pub(super) fn add_rate_limit(headers: &mut HeaderMap, low: Option<LowBudget>) {
    let Some(low) = low else {
        return;
    };
    let (rest, reset) = (low.remaining, seconds(low.reset));
    let (burst, window) = (low.burst, seconds(low.window));
    for (name, text) in [
        (RATE_LIMIT, format!("{POLICY};r={rest};t={reset}")),
        (RATE_LIMIT_POLICY, format!("{POLICY};q={burst};w={window}")),
    ] {
        if let Ok(mut value) = HeaderValue::try_from(text) {
            // In the table of HTTP/2's header compression, values that always differ would displace those that never
            // do. A policy is sent so rarely that it may not displace them either.
            value.set_sensitive(true);
            headers.insert(name, value);
        }
    }
}

/// Returns the time in seconds, rounded up.
fn seconds(time: Duration) -> u64 {
    time.as_secs() + u64::from(time.subsec_nanos() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_low_budget_is_written_as_the_standard_says_and_never_indexed() {
        let low = LowBudget {
            remaining: 17,
            burst: 4_000.try_into().unwrap(),
            window: Duration::from_secs(2),
            reset: Duration::from_millis(1_001),
        };
        let mut headers = HeaderMap::new();
        add_rate_limit(&mut headers, None);
        assert!(headers.is_empty());
        add_rate_limit(&mut headers, Some(low));
        assert_eq!(headers["ratelimit"], "\"cost\";r=17;t=2");
        assert_eq!(headers["ratelimit-policy"], "\"cost\";q=4000;w=2");
        assert!(headers.values().all(HeaderValue::is_sensitive));
    }
}
