//! The contract as compiled descriptors: messages, methods and rulesets.

mod calls;
mod json;
mod ruleset_oneof;

pub(crate) use calls::Call;
pub(crate) use json::parse_many;
pub use json::{json_line, parse};
pub(crate) use ruleset_oneof::{read_all_wrapped, read_wrapped, ruleset_message, unwrap_oneof};

use gamekeeper_wire::contract::pool;
use prost::Message;
use prost_reflect::{DynamicMessage, MessageDescriptor, MethodDescriptor, ServiceDescriptor};

use crate::failure::Failure;

/// The package of the messages that all rulesets share.
pub const COMMON_PACKAGE: &str = "gamekeeper.v1";

/// Returns the descriptor of a shared message, such as `GameInfo`.
pub(crate) fn message(name: &str) -> Result<MessageDescriptor, Failure> {
    let descriptor = pool().get_message_by_name(&format!("{COMMON_PACKAGE}.{name}"));
    descriptor.ok_or_else(|| Failure::Contract(format!("there is no message {name}")))
}

/// Converts a shared message to its dynamic form.
pub(crate) fn to_dynamic(name: &str, content: &impl Message) -> Result<DynamicMessage, Failure> {
    dynamic(&message(name)?, content)
}

/// Converts a message to a dynamic message of this type.
pub(crate) fn dynamic(
    kind: &MessageDescriptor,
    message: &impl Message,
) -> Result<DynamicMessage, Failure> {
    DynamicMessage::decode(kind.clone(), &*message.encode_to_vec())
        .map_err(|error| Failure::Contract(format!("{}: {error}", kind.full_name())))
}

/// Finds a method by its name, such as `CreateGame`, or by its full name, such as
/// `gamekeeper.v1.GameService/CreateGame`.
#[must_use]
pub fn method(name: &str) -> Option<MethodDescriptor> {
    let (service, name) = match name.rsplit_once('/') {
        Some((service, name)) => (Some(service), name),
        None => (None, name),
    };
    let is_requested = |candidate: &ServiceDescriptor| {
        service.is_none_or(|requested| requested == candidate.full_name())
    };
    let mut methods = pool().services().filter(is_requested).flat_map(|service| {
        let methods: Vec<_> = service.methods().collect();
        methods
    });
    methods.find(|method| method.name() == name)
}

/// Returns the descriptor of a field's message, such as `GameInfo` for `Table.game`.
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

#[cfg(test)]
mod tests {
    use gamekeeper_wire::contract::comment;

    use super::*;

    #[test]
    fn a_method_is_found_by_both_of_its_names() {
        let short = method("CreateGame").unwrap();
        assert_eq!(
            short.parent_service().full_name(),
            "gamekeeper.v1.GameService"
        );
        assert_eq!(method("gamekeeper.v1.GameService/CreateGame"), Some(short));
        assert_eq!(method("gamekeeper.v1.AccessService/CreateGame"), None);
        assert_eq!(method("Cheat"), None);
    }

    #[test]
    fn the_descriptors_carry_their_comments() {
        let request = message("ApplyActionRequest").unwrap();
        let field = request.get_field_by_name("seat").unwrap();
        assert_eq!(
            comment(&request.parent_file(), field.path()),
            "The seat that acts."
        );
    }
}
