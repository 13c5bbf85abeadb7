//! For tests: what the compiled contract says of messages.

use gamekeeper_proto::DESCRIPTORS;
use gamekeeper_rules::table::Refusal;
use prost::Message;
use prost_types::{DescriptorProto, FieldDescriptorProto, FileDescriptorSet};

/// The fields of the oneof `kind` of a message, in order.
pub(crate) fn kinds(package: &str, message: &str) -> Vec<String> {
    let message = descriptor(package, message);
    let kinds = kind_fields(&message);
    kinds.map(|field| field.name().to_owned()).collect()
}

/// What can be set in a message, in order: its fields, those of a oneof together as its name.
pub(crate) fn choices(package: &str, message: &str) -> Vec<String> {
    let message = descriptor(package, message);
    let fields = message.field.iter();
    let mut names: Vec<_> = fields
        .map(|field| oneof(&message, field).unwrap_or(field.name()).to_owned())
        .collect();
    names.dedup();
    names
}

fn kind_fields(message: &DescriptorProto) -> impl Iterator<Item = &FieldDescriptorProto> {
    let fields = message.field.iter();
    fields.filter(|field| oneof(message, field) == Some("kind"))
}

/// The name of the oneof that a field belongs to. A field that is merely optional has none.
fn oneof<'a>(message: &'a DescriptorProto, field: &FieldDescriptorProto) -> Option<&'a str> {
    let index = field.oneof_index.filter(|_| !field.proto3_optional())?;
    Some(message.oneof_decl[usize::try_from(index).unwrap()].name())
}

/// Checks that the contract has a message of values for these refusals, called as their codes, in the
/// order of the codes, and for no others.
pub(crate) fn check_refusals<R: Refusal>(package: &str, with_values: &[&str]) {
    let message = descriptor(package, "RefusalDetail");
    let fields = message
        .field
        .iter()
        .map(|field| field.name().to_uppercase());
    let codes: Vec<String> = fields.collect();
    let joined = |name: &str| name.replace('_', "").to_uppercase();
    let in_order = R::CODES.iter().filter(|code| {
        let of_code = |variant: &&str| joined(variant) == joined(code);
        with_values.iter().any(|variant| of_code(&variant))
    });
    assert_eq!(codes, in_order.copied().collect::<Vec<_>>(), "{package}");
    for field in &message.field {
        let name = field.type_name().rsplit('.').next().unwrap_or_default();
        assert_eq!(joined(name), joined(field.name()), "{package}");
    }
}

fn descriptor(package: &str, message: &str) -> DescriptorProto {
    let contract = FileDescriptorSet::decode(DESCRIPTORS).unwrap();
    let files = contract.file.into_iter();
    files
        .filter(|file| file.package() == package)
        .flat_map(|file| file.message_type)
        .find(|found| found.name() == message)
        .unwrap()
}
