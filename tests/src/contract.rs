//! The methods of the contract, read from its descriptors, so that a new one cannot be forgotten.

use gamekeeper_proto::DESCRIPTORS;
use prost::Message;
use prost::encoding;
use prost_types::{DescriptorProto, FieldDescriptorProto, FileDescriptorSet};

/// A method of one of our services.
#[derive(Clone, Debug)]
pub struct Method {
    /// The full name of its service, such as `gamekeeper.v1.GameService`.
    pub service: String,
    /// Its own name, such as `ApplyAction`.
    pub name: String,
    /// Its request message.
    pub input: DescriptorProto,
    /// Does it answer with a stream?
    pub streams: bool,
}

/// All methods of all our services.
///
/// # Panics
/// When the contract cannot be read.
#[must_use]
pub fn methods() -> Vec<Method> {
    let contract = FileDescriptorSet::decode(DESCRIPTORS).expect("the contract");
    let input = |name: &str| {
        let mut messages = contract.file.iter().flat_map(|file| {
            let named = |message| {
                (
                    format!(".{}.{}", file.package(), DescriptorProto::name(message)),
                    message,
                )
            };
            file.message_type.iter().map(named)
        });
        let found = messages.find(|(found, _)| found == name);
        found.expect("the message of a method").1.clone()
    };
    let mut methods = Vec::new();
    for file in &contract.file {
        for service in &file.service {
            methods.extend(service.method.iter().map(|method| Method {
                service: format!("{}.{}", file.package(), service.name()),
                name: method.name().to_owned(),
                input: input(method.input_type()),
                streams: method.server_streaming(),
            }));
        }
    }
    methods
}

impl Method {
    /// Its HTTP path.
    #[must_use]
    pub fn path(&self) -> String {
        format!("/{}/{}", self.service, self.name)
    }

    /// The number of a field of its request.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<u32> {
        let field = self.input.field.iter().find(|field| field.name() == name);
        field.and_then(|field| u32::try_from(FieldDescriptorProto::number(field)).ok())
    }
}

/// A request, field by field.
#[derive(Clone, Debug, Default)]
pub struct Request(Vec<u8>);

impl Request {
    /// With a text; without it, if the method has no such field.
    #[must_use]
    pub fn text(mut self, method: &Method, field: &str, value: &str) -> Request {
        if let Some(tag) = method.field(field) {
            encoding::string::encode(tag, &value.to_owned(), &mut self.0);
        }
        self
    }

    /// With a number that is not negative.
    #[must_use]
    pub fn number(mut self, method: &Method, field: &str, value: u64) -> Request {
        if let Some(tag) = method.field(field) {
            encoding::uint64::encode(tag, &value, &mut self.0);
        }
        self
    }

    /// With a message, or with bytes.
    #[must_use]
    pub fn bytes(mut self, method: &Method, field: &str, value: &[u8]) -> Request {
        if let Some(tag) = method.field(field) {
            encoding::bytes::encode(tag, &value.to_vec(), &mut self.0);
        }
        self
    }

    /// As it is sent.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}
