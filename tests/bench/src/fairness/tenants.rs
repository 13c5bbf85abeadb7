//! The tenants, with their keys.

use gamekeeper_proto::gamekeeper::v1 as pb;
use tonic::Request;
use tonic::transport::{Channel, Endpoint};

/// The keys of the tenants.
pub(super) const ATTACKER: &str = "the key of the red tenant";
pub(super) const QUIET: &str = "the key of the blue tenant";

/// The hashes of the keys, in the format that the server reads.
pub(super) const TENANTS: &str =
    "red:9643fa0c8518feb650c896992ab2d938fb1ada0e6622c06934de570b81e2d521
blue:15941d960862f3fb96390021b32bbe84a296b9c317c51d0344e0b4268818f4e5
";

pub(super) fn two_players() -> pb::CreateGameRequest {
    let player = |name: &str| pb::Player {
        name: name.to_owned(),
        ..pb::Player::default()
    };
    pb::CreateGameRequest {
        ruleset: String::from("dominion"),
        players: vec![player("Ada"), player("Bob")],
        ..Default::default()
    }
}

pub(super) fn channel(address: &str) -> Channel {
    endpoint(address).connect_lazy()
}

pub(super) fn endpoint(address: &str) -> Endpoint {
    let endpoint = Endpoint::from_shared(format!("http://{address}"));
    endpoint.expect("an address")
}

pub(super) fn bearing<T>(token: &str, message: T) -> Request<T> {
    let mut request = Request::new(message);
    let header = format!("Bearer {token}").parse().expect("a token");
    request.metadata_mut().insert("authorization", header);
    request
}
