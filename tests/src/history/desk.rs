//! The services of one server, as one caller reaches them.

use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1::games_service_client::GamesServiceClient;
use gamekeeper_proto::gamekeeper::v1::table_service_client::TableServiceClient;
use rand::RngExt;
use tonic::Request;
use tonic::transport::Channel;

use crate::dominion::Client;
use crate::fleet::Fleet;
use crate::tokens::bearing;

/// How many of a hundred calls have a deadline that may well pass.
const HASTY: u32 = 10;

/// Clients of one server, with one connection.
#[derive(Clone, Debug)]
pub(super) struct Desk {
    /// The service of the ruleset.
    pub(super) own: Client,
    /// The service of all rulesets.
    pub(super) any: TableServiceClient<Channel>,
    /// What does not depend on a ruleset.
    pub(super) games: GamesServiceClient<Channel>,
    /// What the caller bears; empty: nothing.
    token: String,
}

impl Desk {
    /// The servers of a fleet, each with a connection of its own.
    pub(super) fn all(fleet: &Fleet, token: &str) -> Vec<Desk> {
        let desk = |channel: Channel| Desk {
            own: Client::new(channel.clone()),
            any: TableServiceClient::new(channel.clone()),
            games: GamesServiceClient::new(channel),
            token: token.to_owned(),
        };
        fleet.channels().into_iter().map(desk).collect()
    }

    /// The same server for another caller.
    pub(super) fn of(self, token: &str) -> Desk {
        let token = token.to_owned();
        Desk { token, ..self }
    }

    /// A request of this caller.
    pub(super) fn ask<M>(&self, message: M) -> Request<M> {
        if self.token.is_empty() {
            Request::new(message)
        } else {
            bearing(&self.token, message)
        }
    }

    /// A request, now and then with a deadline that may well pass.
    pub(super) fn ask_hastily<M>(&self, message: M) -> Request<M> {
        let mut request = self.ask(message);
        if happens(HASTY) {
            request.set_timeout(Duration::from_millis(rand::rng().random_range(1..50)));
        }
        request
    }
}

/// In how many of a hundred cases it happens: does it happen now?
pub(super) fn happens(percent: u32) -> bool {
    rand::rng().random_ratio(percent, 100)
}
