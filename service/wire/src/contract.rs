//! The compiled contract: its **message descriptors**, with the comments that document them.

use std::sync::LazyLock;

use gamekeeper_proto::DESCRIPTORS;
use prost_reflect::{DescriptorPool, FileDescriptor};

use crate::Wire;

static POOL: LazyLock<DescriptorPool> =
    // The build writes the descriptors; the tests check that they can be decoded.
    LazyLock::new(|| DescriptorPool::decode(DESCRIPTORS).unwrap_or_default());

/// Returns all messages of the contract.
#[must_use]
pub fn pool() -> &'static DescriptorPool {
    &POOL
}

/// Returns the full name of a message of a ruleset, such as `gamekeeper.dominion.v1.Action`.
#[must_use]
pub fn message_name<W: Wire>(name: &str) -> String {
    format!("gamekeeper.{}.v1.{name}", W::INFO.id)
}

/// Returns the kinds of actions of a ruleset: the fields of its message `Action`, in order.
#[must_use]
pub fn action_kinds<W: Wire>() -> Vec<String> {
    kinds(&message_name::<W>("Action"))
}

/// Returns the fields of the oneof `kind` of a message, in order.
pub(crate) fn kinds(message: &str) -> Vec<String> {
    let message = pool().get_message_by_name(message);
    let mut oneofs = message
        .iter()
        .flat_map(prost_reflect::MessageDescriptor::oneofs);
    let kind = oneofs.find(|oneof| oneof.name() == "kind");
    let fields = kind.iter().flat_map(prost_reflect::OneofDescriptor::fields);
    fields.map(|field| field.name().to_owned()).collect()
}

/// Returns the comment of a declaration in the `.proto` file, as one line; empty if it has none.
#[must_use]
pub fn comment(file: &FileDescriptor, path: &[i32]) -> String {
    let info = file.file_descriptor_proto().source_code_info.as_ref();
    let location = info.and_then(|info| info.location.iter().find(|at| at.path == path));
    let text = location.map_or("", |at| at.leading_comments());
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks that the contract has exactly one message of values for each refusal with values, named after its code, in
/// the order of the codes.
#[cfg(test)]
pub(crate) fn check_refusals<W: Wire>() {
    let with_values = <W::Refusal as gamekeeper_rules::table::CommonRefusals>::WITH_VALUES;
    let package = W::INFO.id;
    let message = pool().get_message_by_name(&message_name::<W>("RefusalDetail"));
    let message = message.unwrap();
    let codes: Vec<_> = message
        .fields()
        .map(|field| field.name().to_uppercase())
        .collect();
    let joined = |name: &str| name.replace('_', "").to_uppercase();
    let in_order = <W::Refusal as gamekeeper_rules::table::Refusal>::CODES
        .iter()
        .filter(|code| {
            let of_code = |variant: &&str| joined(variant) == joined(code);
            with_values.iter().any(of_code)
        });
    assert_eq!(codes, in_order.copied().collect::<Vec<_>>(), "{package}");
    for field in message.fields() {
        let kind = field.kind();
        let name = kind.as_message().unwrap().name().to_owned();
        assert_eq!(joined(&name), joined(field.name()), "{package}");
    }
}
