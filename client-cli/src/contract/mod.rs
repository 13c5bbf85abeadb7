//! The contract as compiled descriptors: rulesets, services, methods, messages.

mod json;

pub(crate) use json::{json_line, parse, parse_many};

use prost::Message;
use prost_reflect::{
    DescriptorPool, DynamicMessage, MessageDescriptor, MethodDescriptor, ReflectMessage,
    ServiceDescriptor,
};

use crate::failure::Failure;

/// The package of what all rulesets share.
const SHARED: &str = "gamekeeper.v1";
const GAMES_SERVICE: &str = "gamekeeper.v1.GamesService";

/// The method that marks a service as that of a ruleset.
const MARK: &str = "ApplyAction";

/// The descriptors of the contract.
#[derive(Clone)]
pub(crate) struct Contract {
    pool: DescriptorPool,
}

impl Contract {
    /// The contract that this program was built with.
    pub(crate) fn load() -> Result<Self, Failure> {
        let pool = DescriptorPool::decode(gamekeeper_proto::DESCRIPTORS)
            .map_err(|error| Failure::Contract(format!("the built-in descriptors: {error}")))?;
        Ok(Self { pool })
    }

    /// The service of all rulesets.
    pub(crate) fn games(&self) -> Result<ServiceDescriptor, Failure> {
        self.pool
            .get_service_by_name(GAMES_SERVICE)
            .ok_or_else(|| Failure::Contract(format!("there is no {GAMES_SERVICE}")))
    }

    /// The service of a ruleset.
    pub(crate) fn ruleset(&self, id: &str) -> Result<ServiceDescriptor, Failure> {
        let services = self.pool.services();
        services
            .filter(is_ruleset)
            .find(|service| ruleset_id(service) == id)
            .ok_or_else(|| {
                let known = self.ruleset_ids().join(", ");
                Failure::Usage(format!(
                    "this program knows no ruleset {id:?}; it knows {known}"
                ))
            })
    }

    /// A message that all rulesets share, such as `GameInfo`.
    pub(crate) fn shared(
        &self,
        name: &str,
        message: &impl Message,
    ) -> Result<DynamicMessage, Failure> {
        let kind = self
            .pool
            .get_message_by_name(&format!("gamekeeper.v1.{name}"))
            .ok_or_else(|| Failure::Contract(format!("there is no message {name}")))?;
        dynamic(&kind, message)
    }

    /// The ids of the rulesets that this program knows.
    pub(crate) fn ruleset_ids(&self) -> Vec<String> {
        let mut ids: Vec<_> = self
            .pool
            .services()
            .filter(is_ruleset)
            .map(|service| ruleset_id(&service))
            .collect();
        ids.sort();
        ids
    }
}

/// `TableService` has the method too, beside the messages that all rulesets share.
fn is_ruleset(service: &ServiceDescriptor) -> bool {
    let plays = service.methods().any(|method| method.name() == MARK);
    plays && service.package_name() != SHARED
}

/// `gamekeeper.terra_mystica.v1` is the package of `terra_mystica`.
fn ruleset_id(service: &ServiceDescriptor) -> String {
    service
        .package_name()
        .split('.')
        .nth(1)
        .unwrap_or_default()
        .to_owned()
}

/// A method of a service.
pub(crate) fn method(service: &ServiceDescriptor, name: &str) -> Result<MethodDescriptor, Failure> {
    service
        .methods()
        .find(|method| method.name() == name)
        .ok_or_else(|| Failure::Contract(format!("{} has no {name}", service.full_name())))
}

/// The message of a field, such as `Action` of `ApplyActionRequest.action`.
pub(crate) fn field_message(
    message: &MessageDescriptor,
    field: &str,
) -> Result<MessageDescriptor, Failure> {
    let kind = message.get_field_by_name(field).map(|field| field.kind());
    kind.as_ref()
        .and_then(|kind| kind.as_message())
        .cloned()
        .ok_or_else(|| Failure::Contract(format!("{} has no {field}", message.full_name())))
}

/// A dynamic message of this kind.
pub(crate) fn dynamic(
    kind: &MessageDescriptor,
    message: &impl Message,
) -> Result<DynamicMessage, Failure> {
    DynamicMessage::decode(kind.clone(), &*message.encode_to_vec())
        .map_err(|error| Failure::Contract(format!("{}: {error}", kind.full_name())))
}

/// The field of a oneof that is set, with its message.
pub(crate) fn chosen(message: &DynamicMessage) -> Option<(String, DynamicMessage)> {
    let oneof = message
        .descriptor()
        .oneofs()
        .find(|oneof| !oneof.is_synthetic())?;
    let field = oneof.fields().find(|field| message.has_field(field))?;
    let inner = message.get_field(&field).as_message()?.clone();
    Some((field.name().to_owned(), inner))
}

/// The messages of a list field.
pub(crate) fn messages(message: &DynamicMessage, field: &str) -> Vec<DynamicMessage> {
    let list = message.get_field_by_name(field);
    let list = list.as_ref().and_then(|value| value.as_list());
    let items = list.unwrap_or_default().iter();
    items
        .filter_map(|item| item.as_message().cloned())
        .collect()
}

#[cfg(test)]
mod tests {
    use gamekeeper_wire::contract::comment;

    use super::*;

    /// Methods that this program names.
    const METHODS: [&str; 9] = [
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

    #[test]
    fn every_ruleset_has_every_method() {
        let contract = Contract::load().unwrap();
        let ids = contract.ruleset_ids();
        assert!(ids.contains(&"dominion".to_owned()), "{ids:?}");
        for id in ids {
            let service = contract.ruleset(&id).unwrap();
            for name in METHODS {
                method(&service, name).unwrap();
            }
        }
    }

    #[test]
    fn an_unknown_ruleset_is_answered_with_the_known_ones() {
        let failure = Contract::load().unwrap().ruleset("chess").unwrap_err();
        assert!(failure.to_string().contains("dominion"), "{failure}");
    }

    #[test]
    fn the_descriptors_carry_their_comments() {
        let service = Contract::load().unwrap().ruleset("dominion").unwrap();
        let request = method(&service, "ApplyAction").unwrap().input();
        let field = request.get_field_by_name("seat").unwrap();
        assert_eq!(
            comment(&request.parent_file(), field.path()),
            "The seat that acts, from 1."
        );
    }
}
