//! The rulesets that a server keeps, and their services.

use std::sync::Arc;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_wire::Wire;
use gamekeeper_wire::contract::pool;
use tonic::service::Routes;

use super::ruleset_service::{METHODS, RulesetService};
use super::services::{ErasedService, Services};
use crate::auth::Authority;
use crate::games::{ErasedGames, Games, Shared};

/// The package of the services that serve all rulesets.
const SHARED_PACKAGE: &str = "gamekeeper.v1";

/// The methods of the services that come from libraries.
const LIBRARY_METHODS: [&str; 4] = [
    "grpc.health.v1.Health/Check",
    "grpc.health.v1.Health/Watch",
    "grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
];

fn methods(rulesets: impl Iterator<Item = pb::Ruleset>) -> Vec<(String, String)> {
    let mut methods: Vec<_> = rulesets
        .flat_map(|pb::Ruleset { id, service, .. }| {
            METHODS.map(move |method| (format!("{service}/{method}"), id.clone()))
        })
        .collect();
    let services = pool().services();
    for service in services.filter(|service| service.package_name() == SHARED_PACKAGE) {
        let name = service.full_name();
        let names = service
            .methods()
            .map(|method| format!("{name}/{}", method.name()));
        methods.extend(names.map(|method| (method, String::new())));
    }
    methods.extend(LIBRARY_METHODS.map(|method| (method.to_owned(), String::new())));
    methods
}

/// The rulesets of one server, and the games of each.
pub struct Rulesets {
    shared: Arc<Shared>,
    hosted: Vec<Hosted>,
}

/// A ruleset without its type.
struct Hosted {
    games: Arc<dyn ErasedGames>,
    service: Box<dyn Fn(Arc<Authority>, usize) -> Arc<dyn ErasedService> + Send + Sync>,
}

impl Rulesets {
    /// A server without rulesets.
    #[must_use]
    pub fn none(shared: Arc<Shared>) -> Self {
        let hosted = Vec::new();
        Self { shared, hosted }
    }

    /// All rulesets of Gamekeeper.
    #[must_use]
    pub fn all(shared: Arc<Shared>) -> Self {
        let none = Self::none(shared);
        macro_rules! with_all {
            ($($module:ident: $Ruleset:ident),* $(,)?) => {
                none$(.with::<gamekeeper_rules::$module::$Ruleset>())*
            };
        }
        gamekeeper_wire::for_each_ruleset!(with_all)
    }

    /// Adds a ruleset.
    #[must_use]
    pub fn with<W: Wire>(mut self) -> Self {
        let games = Arc::new(Games::<W>::new(Arc::clone(&self.shared)));
        self.hosted.push(Hosted {
            games: Arc::clone(&games) as Arc<dyn ErasedGames>,
            service: Box::new(move |authority, most_bytes| {
                Arc::new(RulesetService {
                    games: Arc::clone(&games),
                    authority,
                    most_bytes,
                })
            }),
        });
        self
    }

    /// The rulesets without their types.
    #[must_use]
    pub fn all_games(&self) -> Vec<Arc<dyn ErasedGames>> {
        let games = self.hosted.iter().map(|hosted| &hosted.games);
        games.map(Arc::clone).collect()
    }

    /// The full names of the services.
    #[must_use]
    pub fn service_names(&self) -> Vec<String> {
        let games = self.hosted.iter().map(|hosted| &hosted.games);
        games.map(|games| games.ruleset().service).collect()
    }

    /// The full names of all methods that are served, each with the ruleset of its service.
    #[must_use]
    pub fn methods(&self) -> Vec<(String, String)> {
        methods(self.all_games().iter().map(|games| games.ruleset()))
    }

    /// The services of the rulesets, for requests of at most this many bytes, together with other services.
    #[must_use]
    pub fn services(
        &self,
        authority: &Arc<Authority>,
        most_bytes: usize,
        others: Routes,
    ) -> Services {
        let hosted = self.hosted.iter();
        let services = hosted.map(|hosted| (hosted.service)(Arc::clone(authority), most_bytes));
        Services::new(services.collect(), others)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use gamekeeper_proto::envelope::Package;
    use prost::Message;

    use super::*;

    macro_rules! all_rulesets {
        ($($module:ident: $Ruleset:ident),* $(,)?) => {
            [$(pb::Ruleset {
                service: String::from(<gamekeeper_wire::$module::pb::Messages as Package>::SERVICE),
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
