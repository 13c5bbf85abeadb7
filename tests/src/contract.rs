//! The methods of the contract, read from its descriptors so that no new method can be forgotten.

use gamekeeper_proto::DESCRIPTORS;
use prost::Message;
use prost::encoding;
use prost_types::{DescriptorProto, FieldDescriptorProto, FileDescriptorSet};

use crate::tokens::seat_holder;

/// A method of one of our services.
#[derive(Clone, Debug)]
pub struct Method {
    /// The full name of the service, such as `gamekeeper.v1.GameService`.
    pub service: String,
    /// The name of the method, such as `ApplyAction`.
    pub name: String,
    /// The descriptor of the request message.
    pub input: DescriptorProto,
    /// Whether the response is a stream.
    pub streams: bool,
}

/// Returns all methods of all our services.
///
/// # Panics
/// If the contract cannot be read.
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
        let entry = messages.find(|(other_name, _)| other_name == name);
        entry.expect("the message of a method").1.clone()
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
    /// Returns the HTTP path of the method.
    #[must_use]
    pub fn path(&self) -> String {
        format!("/{}/{}", self.service, self.name)
    }

    /// Returns the number of a field in the request. Returns `None` if there is no such field.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<u32> {
        let field = self.input.field.iter().find(|field| field.name() == name);
        field.and_then(|field| u32::try_from(FieldDescriptorProto::number(field)).ok())
    }
}

/// A builder for an encoded request, field by field.
#[derive(Clone, Debug, Default)]
pub struct Request(Vec<u8>);

impl Request {
    /// Builds a request about a seat of a game, with a valid value for each field that such a request may have.
    #[must_use]
    pub fn about(method: &Method, game_id: &str, seat: u32, action: &[u8]) -> Request {
        let second = prost_types::Duration {
            seconds: 1,
            nanos: 0,
        };
        let holder = seat_holder(game_id, seat);
        Request::default()
            .text(method, "game_id", game_id)
            .number(method, "seat", seat.into())
            .number(method, "number", 1)
            .bytes(method, "time", &second.encode_to_vec())
            .bytes(method, "action", action)
            .bytes(method, "holder", &holder.encode_to_vec())
    }

    /// Adds a text field. Does nothing if the request has no such field.
    #[must_use]
    pub fn text(mut self, method: &Method, field: &str, value: &str) -> Request {
        if let Some(tag) = method.field(field) {
            encoding::string::encode(tag, &value.to_owned(), &mut self.0);
        }
        self
    }

    /// Adds an unsigned integer field. Does nothing if the request has no such field.
    #[must_use]
    pub fn number(mut self, method: &Method, field: &str, value: u64) -> Request {
        if let Some(tag) = method.field(field) {
            encoding::uint64::encode(tag, &value, &mut self.0);
        }
        self
    }

    /// Adds a field with a message or with bytes. Does nothing if the request has no such field.
    #[must_use]
    pub fn bytes(mut self, method: &Method, field: &str, value: &[u8]) -> Request {
        if let Some(tag) = method.field(field) {
            encoding::bytes::encode(tag, &value.to_vec(), &mut self.0);
        }
        self
    }

    /// Returns the encoded request.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}
