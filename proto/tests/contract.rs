//! The services of all rulesets are one contract: the same methods, the same request and response
//! shapes, each with its own `Options`, `Action`, `Event`, `View` and `Catalogue`.

#![expect(
    clippy::unwrap_used,
    clippy::cast_sign_loss,
    reason = "a test stops at what it cannot read"
)]

use std::collections::BTreeSet;

use gamekeeper_proto::DESCRIPTORS;
use prost::Message;
use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{
    DescriptorProto, FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet,
    ServiceDescriptorProto,
};

/// The messages that every ruleset writes for itself.
const OWN: [&str; 5] = ["Options", "Action", "Event", "View", "Catalogue"];

#[test]
fn all_ruleset_services_have_the_same_shape() {
    let contract = contract();
    let packages = ruleset_packages(&contract);
    let [first, others @ ..] = &packages[..] else {
        panic!("the contract has no ruleset");
    };
    let expected = shape(&contract, first);
    for other in others {
        assert_eq!(
            difference(&expected, &shape(&contract, other)),
            None,
            "{first}, {other}"
        );
    }
}

#[test]
fn every_ruleset_service_is_named_after_its_package() {
    let contract = contract();
    for package in ruleset_packages(&contract) {
        let words = ruleset_of(&package).split('_');
        let title: String = words
            .map(|word| word[..1].to_uppercase() + &word[1..])
            .collect();
        assert_eq!(
            service(&contract, &package).name(),
            format!("{title}Service")
        );
    }
}

#[test]
fn every_ruleset_has_its_own_messages_in_the_common_frame() {
    let contract = contract();
    for package in ruleset_packages(&contract) {
        for own in OWN {
            assert!(
                message(&contract, &package, own).is_some(),
                "{package} has no {own}"
            );
        }
        let action = message(&contract, &package, "Action").unwrap();
        assert!(
            action.field.iter().all(|field| in_kind(action, field)),
            "{package}.Action"
        );
        let event = message(&contract, &package, "Event").unwrap();
        assert_eq!(
            (event.field[0].name(), event.field[0].r#type()),
            ("text", Type::String)
        );
        assert!(
            event.field[1..].iter().all(|field| in_kind(event, field)),
            "{package}.Event"
        );
        let catalogue = message(&contract, &package, "Catalogue").unwrap();
        let revision = &catalogue.field[0];
        assert_eq!(
            (revision.name(), revision.r#type()),
            ("revision", Type::Uint32)
        );
    }
}

#[test]
fn a_service_that_drifts_is_noticed() {
    let contract = contract();
    let package = ruleset_packages(&contract).remove(0);
    let same = renamed(&contract, &package, "gamekeeper.other_game.v1");
    let expected = shape(&contract, &package);
    let difference_to = |other: &FileDescriptorSet| {
        difference(&expected, &shape(other, "gamekeeper.other_game.v1"))
    };
    assert_eq!(difference_to(&same), None);

    let mut field_gone = same.clone();
    message_mut(&mut field_gone, "ApplyActionRequest")
        .field
        .pop();
    assert!(difference_to(&field_gone).is_some());

    let mut type_changed = same.clone();
    message_mut(&mut type_changed, "LoggedVersion").field[0].set_type(Type::Uint32);
    assert!(difference_to(&type_changed).is_some());

    let mut stream_gone = same.clone();
    let method = &mut service_mut(&mut stream_gone).method[5];
    method.server_streaming = Some(!method.server_streaming());
    assert!(difference_to(&stream_gone).is_some());

    let mut view_changed = same.clone();
    message_mut(&mut view_changed, "View").field.pop();
    assert_eq!(
        difference_to(&view_changed),
        None,
        "a view is the ruleset's own"
    );
}

fn contract() -> FileDescriptorSet {
    FileDescriptorSet::decode(DESCRIPTORS).unwrap()
}

/// The packages of the rulesets: all of ours but the shared one.
fn ruleset_packages(contract: &FileDescriptorSet) -> Vec<String> {
    let packages: BTreeSet<&str> = contract
        .file
        .iter()
        .map(FileDescriptorProto::package)
        .collect();
    packages
        .into_iter()
        .filter(|package| package.starts_with("gamekeeper.") && *package != "gamekeeper.v1")
        .map(str::to_owned)
        .collect()
}

/// `gamekeeper.terra_mystica.v1` is the package of `terra_mystica`.
fn ruleset_of(package: &str) -> &str {
    package.split('.').nth(1).unwrap()
}

/// A service and all messages that it needs, line by line. Names of the package itself are
/// shortened, and what is the ruleset's own stays closed.
fn shape(contract: &FileDescriptorSet, package: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut seen = BTreeSet::new();
    let mut open = Vec::new();
    for method in &service(contract, package).method {
        let (input, output) = (
            short(method.input_type(), package),
            short(method.output_type(), package),
        );
        lines.push(format!(
            "rpc {}({}{input}) returns ({}{output})",
            method.name(),
            stream(method.client_streaming()),
            stream(method.server_streaming()),
        ));
        open.extend([output, input]);
    }
    open.reverse();
    while let Some(name) = open.pop() {
        if OWN.contains(&name.as_str()) || name.starts_with('.') || !seen.insert(name.clone()) {
            continue;
        }
        lines.push(format!("message {name}"));
        let message = message(contract, package, &name).unwrap_or_else(|| panic!("no {name}"));
        for field in &message.field {
            lines.push(format!("  {name}.{}", field_shape(message, field, package)));
            if field.r#type() == Type::Message {
                open.push(short(field.type_name(), package));
            }
        }
    }
    lines
}

fn field_shape(message: &DescriptorProto, field: &FieldDescriptorProto, package: &str) -> String {
    let group = (field.oneof_index).map(|index| message.oneof_decl[index as usize].name());
    format!(
        "{} = {}: {} {:?} {} in {group:?}",
        field.name(),
        field.number(),
        if field.label() == Label::Repeated {
            "repeated"
        } else {
            "one"
        },
        field.r#type(),
        short(field.type_name(), package),
    )
}

const fn stream(streaming: bool) -> &'static str {
    if streaming { "stream " } else { "" }
}

/// A type of the package itself without its package; other types as they are.
fn short(type_name: &str, package: &str) -> String {
    let own = (type_name.strip_prefix('.'))
        .and_then(|name| name.strip_prefix(package))
        .and_then(|name| name.strip_prefix('.'));
    own.unwrap_or(type_name).to_owned()
}

/// The first line in which two shapes differ.
fn difference(expected: &[String], found: &[String]) -> Option<(Option<String>, Option<String>)> {
    (0..expected.len().max(found.len()))
        .map(|line| (expected.get(line).cloned(), found.get(line).cloned()))
        .find(|(one, other)| one != other)
}

fn service<'a>(contract: &'a FileDescriptorSet, package: &str) -> &'a ServiceDescriptorProto {
    let files = contract
        .file
        .iter()
        .filter(|file| file.package() == package);
    let services: Vec<_> = files.flat_map(|file| &file.service).collect();
    assert_eq!(services.len(), 1, "{package} has one service");
    services[0]
}

fn message<'a>(
    contract: &'a FileDescriptorSet,
    package: &str,
    name: &str,
) -> Option<&'a DescriptorProto> {
    let files = contract
        .file
        .iter()
        .filter(|file| file.package() == package);
    // An entry of a map belongs to the message that has the map.
    let mut path = name.split('.');
    let outer = path.next()?;
    let outer = files
        .flat_map(|file| &file.message_type)
        .find(|message| message.name() == outer)?;
    path.try_fold(outer, |message, inner| {
        let mut nested = message.nested_type.iter();
        nested.find(|nested| nested.name() == inner)
    })
}

/// Does the field belong to the oneof `kind`?
fn in_kind(message: &DescriptorProto, field: &FieldDescriptorProto) -> bool {
    field
        .oneof_index
        .is_some_and(|index| message.oneof_decl[index as usize].name() == "kind")
}

/// The contract with one ruleset alone, under another name.
fn renamed(contract: &FileDescriptorSet, package: &str, new: &str) -> FileDescriptorSet {
    let mut copy = contract.clone();
    copy.file.retain(|file| file.package() == package);
    let rename = |name: &mut Option<String>| {
        *name = name.as_ref().map(|name| name.replace(package, new));
    };
    for file in &mut copy.file {
        rename(&mut file.package);
        for field in file
            .message_type
            .iter_mut()
            .flat_map(|message| &mut message.field)
        {
            rename(&mut field.type_name);
        }
        for method in file
            .service
            .iter_mut()
            .flat_map(|service| &mut service.method)
        {
            rename(&mut method.input_type);
            rename(&mut method.output_type);
        }
    }
    copy
}

fn message_mut<'a>(contract: &'a mut FileDescriptorSet, name: &str) -> &'a mut DescriptorProto {
    let mut messages = contract
        .file
        .iter_mut()
        .flat_map(|file| &mut file.message_type);
    messages.find(|message| message.name() == name).unwrap()
}

fn service_mut(contract: &mut FileDescriptorSet) -> &mut ServiceDescriptorProto {
    let mut services = contract.file.iter_mut().flat_map(|file| &mut file.service);
    services.next().unwrap()
}
