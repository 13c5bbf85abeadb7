//! **Transcoding** of messages between protobuf and JSON, by their descriptors.

use std::sync::LazyLock;

use bytes::{BufMut, Bytes, BytesMut};
use gamekeeper_proto::DESCRIPTORS;
use prost::Message;
use prost_reflect::{
    DescriptorPool, DeserializeOptions, DynamicMessage, MessageDescriptor, MethodDescriptor,
};
use serde_json::{Deserializer, Value};
use tonic::Status;

use super::writing;
use crate::grpc::reasons::Reason;
use crate::grpc::status::fault;
use crate::grpc::unary::HEADER_SIZE;

/// The contract, and the other messages that clients get: health, and the details of errors.
static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
    let mut pool = DescriptorPool::new();
    let sets = [
        DESCRIPTORS,
        tonic_health::pb::FILE_DESCRIPTOR_SET,
        tonic_types::pb::FILE_DESCRIPTOR_SET,
    ];
    for set in sets {
        // Written by builds; a test checks that they can be read.
        let _read = pool.decode_file_descriptor_set(set);
    }
    pool
});

/// The maximum length of an error message about malformed JSON, in characters.
const MAX_ERROR_LEN: usize = 300;

/// Returns the method with this path, such as `/gamekeeper.v1.GameService/GetGame`.
pub(super) fn method(path: &str) -> Option<MethodDescriptor> {
    let (service, name) = path.strip_prefix('/')?.split_once('/')?;
    let service = POOL.get_service_by_name(service)?;
    service.methods().find(|method| method.name() == name)
}

/// Converts JSON to a gRPC body. An empty text stands for the empty message.
pub(super) fn framed(input: MessageDescriptor, json: &[u8]) -> Result<Bytes, Status> {
    let json: &[u8] = if json.is_empty() { b"{}" } else { json };
    let name = input.name().to_owned();
    let mut reader = Deserializer::from_slice(json);
    let options = DeserializeOptions::new().deny_unknown_fields(true);
    let message = DynamicMessage::deserialize_with_options(input, &mut reader, &options);
    let message = message.and_then(|message| reader.end().map(|()| message));
    let message = message.map_err(|error| {
        let why: String = error.to_string().chars().take(MAX_ERROR_LEN).collect();
        Reason::MALFORMED_MESSAGE.status(format!("this is not the JSON of a {name}: {why}"), [])
    })?;
    let size = message.encoded_len();
    let length = u32::try_from(size).map_err(|_| fault("a request of more than 4 GiB"))?;
    let mut bytes = BytesMut::with_capacity(HEADER_SIZE + size);
    bytes.put_u8(0);
    bytes.put_u32(length);
    message.encode_raw(&mut bytes);
    Ok(bytes.freeze())
}

/// Converts a message to JSON, on one line.
pub(super) async fn json(output: MessageDescriptor, bytes: Bytes) -> Result<Vec<u8>, Status> {
    let json = writing::json(&output, &bytes).await;
    json.map_err(|error| fault(&error.to_string()))
}

/// Converts a message of this type to JSON, if the type is known.
pub(super) fn shown(name: &str, bytes: &[u8]) -> Option<Value> {
    let mut json = Vec::new();
    writing::json_at_once(POOL.get_message_by_name(name)?, bytes, &mut json).ok()?;
    serde_json::from_slice(&json).ok()
}

#[cfg(test)]
mod tests {
    use crate::grpc::services::Services;

    use super::*;

    #[test]
    fn every_method_is_known() {
        let methods = Services::methods();
        let contract_methods = methods.iter().filter(|name| !name.contains("reflection"));
        assert!(contract_methods.clone().count() > 20);
        for name in contract_methods {
            assert!(method(&format!("/{name}")).is_some(), "{name}");
        }
        for name in [
            "google.rpc.ErrorInfo",
            "google.rpc.RetryInfo",
            "google.rpc.BadRequest",
        ] {
            assert!(shown(name, &[]).is_some(), "{name}");
        }
        assert!(method("/gamekeeper.v1.GameService").is_none());
    }
}
