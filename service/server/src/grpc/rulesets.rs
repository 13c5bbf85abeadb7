//! The rulesets that a server keeps, and what their services have in common.

use std::pin::Pin;
use std::sync::Arc;

use futures_util::{Stream, StreamExt};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_wire::Wire;
use tonic::service::Routes;
use tonic::{Request, Status};

use super::{caller, status_of};
use crate::auth::{Authority, Guest};
use crate::games::{Games, House, Keeper};
use crate::problem::Problem;
use crate::ruleset_service;

/// A ruleset with a gRPC service; [`ruleset_service`] implements it.
pub trait Served: Wire {
    /// Adds the service to the routes.
    fn add_to(routes: Routes, endpoint: Endpoint<Self>, most_bytes: usize) -> Routes;
}

/// Answers the calls of one ruleset.
pub struct Endpoint<W: Wire> {
    /// The games of the ruleset.
    pub games: Arc<Games<W>>,
    authority: Arc<Authority>,
}

impl<W: Wire> Endpoint<W> {
    /// Answers for these games.
    #[must_use]
    pub fn new(games: Arc<Games<W>>, authority: Arc<Authority>) -> Self {
        Self { games, authority }
    }

    /// The caller and what he asks.
    ///
    /// # Errors
    /// When his token does not hold, or he asks too much.
    pub fn begin<T>(&self, request: Request<T>) -> Result<(Guest, T), Status> {
        let caller = caller(&self.authority, &request).map_err(fail)?;
        Ok((caller, request.into_inner()))
    }
}

/// The status of a problem.
#[expect(
    clippy::needless_pass_by_value,
    reason = "it stands where errors are mapped, which gives them away"
)]
pub fn fail(problem: Problem) -> Status {
    status_of(&problem)
}

/// A stream of answers as tonic wants it.
pub type Answers<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

/// Turns what [`Games`] streams into messages.
pub fn answers<A: 'static, B: 'static>(
    stream: Pin<Box<dyn Stream<Item = Result<A, Problem>> + Send>>,
    message: fn(A) -> B,
) -> Answers<B> {
    Box::pin(stream.map(move |answer| answer.map(message).map_err(fail)))
}

/// The methods that every ruleset's service has.
const RULESET_METHODS: [&str; 9] = [
    "CreateGame",
    "ApplyAction",
    "GetGame",
    "ListLegalActions",
    "ListEvents",
    "WatchGame",
    "ExportGame",
    "GetCatalogue",
    "SelfPlay",
];

/// The methods of services without a ruleset.
const OTHER_METHODS: [&str; 10] = [
    "gamekeeper.v1.GamesService/ListRulesets",
    "gamekeeper.v1.GamesService/ListGames",
    "gamekeeper.v1.GamesService/GetGameInfo",
    "gamekeeper.v1.GamesService/DeleteGame",
    "gamekeeper.v1.GamesService/RotateSeatToken",
    "gamekeeper.v1.GamesService/RotateSpectatorToken",
    "grpc.health.v1.Health/Check",
    "grpc.health.v1.Health/Watch",
    "grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
];

fn methods(rulesets: impl Iterator<Item = pb::Ruleset>) -> Vec<(String, String)> {
    let of_rulesets = rulesets.flat_map(|pb::Ruleset { id, service, .. }| {
        RULESET_METHODS.map(move |method| (format!("{service}/{method}"), id.clone()))
    });
    let others = OTHER_METHODS.map(|method| (method.to_owned(), String::new()));
    of_rulesets.chain(others).collect()
}

/// The rulesets of one server, and the games of each.
pub struct Rulesets {
    house: Arc<House>,
    hosted: Vec<Hosted>,
}

/// A ruleset without its type.
struct Hosted {
    keeper: Arc<dyn Keeper>,
    add_to: Box<dyn Fn(Routes, Arc<Authority>, usize) -> Routes + Send + Sync>,
}

impl Rulesets {
    /// A server without rulesets.
    #[must_use]
    pub fn none(house: Arc<House>) -> Self {
        let hosted = Vec::new();
        Self { house, hosted }
    }

    /// All rulesets of Gamekeeper.
    #[must_use]
    pub fn all(house: Arc<House>) -> Self {
        Self::none(house).with_all()
    }

    /// One more ruleset.
    #[must_use]
    pub fn with<R: Served>(mut self) -> Self {
        let games = Arc::new(Games::<R>::new(Arc::clone(&self.house)));
        self.hosted.push(Hosted {
            keeper: Arc::clone(&games) as Arc<dyn Keeper>,
            add_to: Box::new(move |routes, authority, most_bytes| {
                let endpoint = Endpoint::new(Arc::clone(&games), authority);
                R::add_to(routes, endpoint, most_bytes)
            }),
        });
        self
    }

    /// The rulesets without their types.
    #[must_use]
    pub fn keepers(&self) -> Vec<Arc<dyn Keeper>> {
        let keepers = self.hosted.iter().map(|hosted| &hosted.keeper);
        keepers.map(Arc::clone).collect()
    }

    /// The full names of the services.
    #[must_use]
    pub fn service_names(&self) -> Vec<String> {
        let keepers = self.hosted.iter().map(|hosted| &hosted.keeper);
        keepers.map(|keeper| keeper.ruleset().service).collect()
    }

    /// The full names of all methods that are served, each with the ruleset of its service.
    #[must_use]
    pub fn methods(&self) -> Vec<(String, String)> {
        methods(self.keepers().iter().map(|keeper| keeper.ruleset()))
    }

    /// A route to every service.
    #[must_use]
    pub fn routes(&self, authority: &Arc<Authority>, most_bytes: usize) -> Routes {
        self.hosted
            .iter()
            .fold(Routes::default(), |routes, hosted| {
                (hosted.add_to)(routes, Arc::clone(authority), most_bytes)
            })
    }
}

/// Serves these rulesets.
macro_rules! serve_rulesets {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(ruleset_service! {
            $module: gamekeeper_rules::$module::$Ruleset, gamekeeper_wire::$module::pb
        })*

        impl Rulesets {
            fn with_all(self) -> Self {
                self$(.with::<gamekeeper_rules::$module::$Ruleset>())*
            }
        }
    };
}

gamekeeper_wire::for_each_ruleset!(serve_rulesets);

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use prost::Message;

    use super::*;

    macro_rules! all_rulesets {
        ($($module:ident: $Ruleset:ident),* $(,)?) => {
            [$(pb::Ruleset {
                service: format!(
                    "{}.{}Service",
                    <gamekeeper_rules::$module::$Ruleset as Wire>::PACKAGE,
                    stringify!($Ruleset)
                ),
                ..Default::default()
            }),*]
        };
    }

    #[test]
    fn every_method_of_the_contract_is_named() {
        let compiled =
            prost_types::FileDescriptorSet::decode(gamekeeper_proto::DESCRIPTORS).unwrap();
        let mut expected = BTreeSet::new();
        for file in &compiled.file {
            for service in &file.service {
                let name = format!("{}.{}", file.package(), service.name());
                let methods = service.method.iter();
                expected.extend(methods.map(|method| format!("{name}/{}", method.name())));
            }
        }
        let rulesets = gamekeeper_wire::for_each_ruleset!(all_rulesets);
        let named: BTreeSet<_> = methods(rulesets.into_iter())
            .into_iter()
            .map(|(name, _)| name)
            .filter(|name| name.starts_with("gamekeeper."))
            .collect();
        assert_eq!(named, expected);
    }
}
