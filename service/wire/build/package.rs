//! The messages and enums of a ruleset's package, as its Rust knows them: `pb::take_power_action::Bridge`.

use heck::{ToSnakeCase, ToUpperCamelCase};
use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{
    DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto,
    FileDescriptorSet, OneofDescriptorProto,
};

/// The messages and enums of a package, without its catalogue, whose messages are paired by hand.
pub(crate) struct Package<'a> {
    pub(crate) id: &'a str,
    pub(crate) enums: Vec<&'a EnumDescriptorProto>,
    pub(crate) messages: Vec<Message<'a>>,
}

/// A message.
pub(crate) struct Message<'a> {
    /// The name in the contract, such as `.gamekeeper.dominion.v1.RefusalDetail.PileEmpty`.
    full: String,
    /// The type in Rust.
    pub(crate) path: String,
    /// The module of the types that are nested in it.
    pub(crate) within: String,
    contract: &'a DescriptorProto,
}

/// A oneof of a message, with its fields.
pub(crate) struct Oneof<'a> {
    pub(crate) name: &'a str,
    index: usize,
    pub(crate) fields: Vec<&'a FieldDescriptorProto>,
}

impl<'a> Package<'a> {
    /// Returns the package of the ruleset with this id, if it exists.
    pub(crate) fn of(contract: &'a FileDescriptorSet, id: &'a str) -> Option<Self> {
        let name = format!("gamekeeper.{id}.v1");
        let files = || contract.file.iter().filter(|file| file.package() == name);
        files().next()?;
        let is_catalogue = |file: &FileDescriptorProto| file.name().ends_with("/catalogue.proto");
        let mut messages = Vec::new();
        for file in files().filter(|file| !is_catalogue(file)) {
            for message in &file.message_type {
                collect(message, &format!(".{name}"), "pb", &mut messages);
            }
        }
        Some(Self {
            id,
            enums: files().flat_map(|file| &file.enum_type).collect(),
            messages,
        })
    }

    /// Returns the message in a field, if it is one of this package.
    pub(crate) fn message_in(&self, field: &FieldDescriptorProto) -> Option<&Message<'a>> {
        let mut messages = self.messages.iter();
        messages.find(|message| message.full == field.type_name())
    }

    /// Returns the message of this name and all messages that it can contain, directly or indirectly, without the options
    /// of a game.
    pub(crate) fn reached_from(&self, name: &str) -> Vec<&str> {
        let first = self
            .messages
            .iter()
            .filter(|message| message.name() == name);
        let mut reached: Vec<&Message<'_>> = first.collect();
        let mut next = 0;
        while let Some(message) = reached.get(next) {
            let members = message.contract.field.iter();
            let members: Vec<_> = members.filter_map(|field| self.message_in(field)).collect();
            for message in members {
                if message.name() != "Options"
                    && !reached
                        .iter()
                        .any(|reached_message| reached_message.full == message.full)
                {
                    reached.push(message);
                }
            }
            next += 1;
        }
        reached.into_iter().map(|message| &*message.path).collect()
    }
}

/// Collects a message in this module, and the messages nested in it.
fn collect<'a>(
    contract: &'a DescriptorProto,
    package: &str,
    module: &str,
    messages: &mut Vec<Message<'a>>,
) {
    let message = Message {
        full: format!("{package}.{}", contract.name()),
        path: format!("{module}::{}", contract.name()),
        within: format!("{module}::{}", contract.name().to_snake_case()),
        contract,
    };
    for inner in &contract.nested_type {
        collect(inner, &message.full, &message.within, messages);
    }
    messages.push(message);
}

impl<'a> Message<'a> {
    pub(crate) fn name(&self) -> &'a str {
        self.contract.name()
    }

    /// Returns the oneofs of the contract, without the synthetic ones of optional fields.
    pub(crate) fn oneofs(&self) -> Vec<Oneof<'a>> {
        let oneof = |(index, name): (usize, &'a str)| Oneof {
            name,
            index,
            fields: (self.contract.field.iter())
                .filter(|field| oneof_of(field) == Some(index))
                .collect(),
        };
        let names = self
            .contract
            .oneof_decl
            .iter()
            .map(OneofDescriptorProto::name);
        let oneofs = names.enumerate().map(oneof);
        oneofs.filter(|oneof| !oneof.fields.is_empty()).collect()
    }

    /// Returns the oneof, if the message contains nothing else.
    pub(crate) fn only_oneof(&self) -> Option<Oneof<'a>> {
        let mut oneofs = self.oneofs();
        let oneof = oneofs.pop()?;
        (oneof.fields.len() == self.contract.field.len()).then_some(oneof)
    }

    /// Returns the element type in Rust, if the message contains a list of names or numbers and nothing else.
    pub(crate) fn only_list(&self) -> Option<&'static str> {
        match &self.contract.field[..] {
            [list] if list.label() == Label::Repeated && list.r#type() == Type::Enum => Some("i32"),
            [list] if list.label() == Label::Repeated && list.r#type() == Type::Uint32 => {
                Some("u32")
            }
            _ => None,
        }
    }

    /// Returns the fields of its struct in Rust, in the order of their numbers. A oneof is one field.
    pub(crate) fn fields(&self) -> Vec<&'a str> {
        let mut fields: Vec<_> = self.contract.field.iter().collect();
        fields.sort_by_key(|field| field.number());
        let mut names: Vec<&str> = Vec::new();
        let oneofs = self.oneofs();
        for field in fields {
            let oneof = oneofs
                .iter()
                .find(|oneof| Some(oneof.index) == oneof_of(field));
            let name = oneof.map_or(field.name(), |oneof| oneof.name);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

impl Oneof<'_> {
    /// Returns the name of the enum in Rust.
    pub(crate) fn kind(&self) -> String {
        self.name.to_upper_camel_case()
    }
}

fn oneof_of(field: &FieldDescriptorProto) -> Option<usize> {
    let index = field.oneof_index.filter(|_| !field.proto3_optional());
    index.and_then(|index| usize::try_from(index).ok())
}
