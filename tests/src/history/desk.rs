//! The services of one server, as seen by one caller.

use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1::access_service_client::AccessServiceClient;
use gamekeeper_proto::gamekeeper::v1::ruleset_service_client::RulesetServiceClient;
use gamekeeper_proto::gamekeeper::v1::self_play_service_client::SelfPlayServiceClient;
use rand::RngExt;
use tonic::Request;

use crate::dominion::Client;
use crate::evidence::Channel;
use crate::fleet::Fleet;
use crate::tokens::bearing;

/// The percentage of calls with a deadline that is likely to expire.
const HASTY: u32 = 10;

/// Clients of one server that share a connection.
#[derive(Clone, Debug)]
pub(super) struct Desk {
    pub(super) games: Client,
    pub(super) access: AccessServiceClient<Channel>,
    pub(super) rulesets: RulesetServiceClient<Channel>,
    pub(super) self_play: SelfPlayServiceClient<Channel>,
    /// The caller's token; empty if none is sent.
    token: String,
}

impl Desk {
    /// Creates a desk for each server of a fleet, each with a connection of its own.
    pub(super) fn all(fleet: &Fleet, token: &str) -> Vec<Desk> {
        let desk = |channel: Channel| Desk {
            games: Client::new(channel.clone()),
            access: AccessServiceClient::new(channel.clone()),
            rulesets: RulesetServiceClient::new(channel.clone()),
            self_play: SelfPlayServiceClient::new(channel),
            token: token.to_owned(),
        };
        fleet.channels().into_iter().map(desk).collect()
    }

    /// Returns a desk at the same server with the token of another caller.
    pub(super) fn of(self, token: &str) -> Desk {
        let token = token.to_owned();
        Desk { token, ..self }
    }

    /// Builds a request with the caller's token.
    pub(super) fn ask<M>(&self, message: M) -> Request<M> {
        if self.token.is_empty() {
            Request::new(message)
        } else {
            bearing(&self.token, message)
        }
    }

    /// Builds a request that sometimes has a deadline that is likely to expire.
    pub(super) fn ask_hastily<M>(&self, message: M) -> Request<M> {
        let mut request = self.ask(message);
        if happens(HASTY) {
            request.set_timeout(Duration::from_millis(
                crate::chance::rng().random_range(1..50),
            ));
        }
        request
    }
}

/// Returns `true` with this probability, in percent.
pub(super) fn happens(percent: u32) -> bool {
    crate::chance::rng().random_ratio(percent, 100)
}
