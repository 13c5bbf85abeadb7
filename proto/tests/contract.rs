//! Checks of the whole contract: one service serves all rulesets, which one oneof for each noun joins.

#![expect(clippy::unwrap_used, reason = "a test stops at what it cannot read")]

use std::collections::{BTreeMap, BTreeSet};

use gamekeeper_proto::DESCRIPTORS;
use prost::Message;
use prost_types::{
    DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto,
    FileDescriptorSet, MethodDescriptorProto,
};

/// The package that joins the rulesets.
const SHARED: &str = "gamekeeper.v1";

/// The messages that every ruleset writes for itself, each joined by the message of this name in the shared package,
/// in the oneof of the other name.
const NOUNS: [(&str, &str); 6] = [
    ("Options", "ruleset"),
    ("Action", "ruleset"),
    ("Event", "ruleset"),
    ("View", "ruleset"),
    ("Catalogue", "ruleset"),
    ("RefusalDetail", "detail"),
];

/// Rulesets have the numbers from here on; those below are for what stands beside.
const FIRST_RULESET: i32 = 11;

/// The most methods of all services together: what one person can know.
const MAX_METHODS: usize = 44;

#[test]
fn every_ruleset_is_joined_under_its_id_with_one_number() {
    let contract = contract();
    let joined = joined(&contract).unwrap();
    let rulesets = packages(&contract);
    let expected: Vec<&str> = rulesets.iter().map(|package| ruleset_of(package)).collect();
    let mut ids: Vec<&str> = joined.values().map(String::as_str).collect();
    ids.sort_unstable();
    assert_eq!(
        ids, expected,
        "all rulesets; a new one takes the next number"
    );
    let numbers = joined.keys().copied();
    assert!(numbers.eq((FIRST_RULESET..).take(ids.len())), "{joined:?}");
}

#[test]
fn a_ruleset_that_is_joined_otherwise_is_noticed() {
    let whole = contract();
    let broken = |change: fn(&mut FieldDescriptorProto)| {
        let mut contract = whole.clone();
        let mut files = contract.file.iter_mut();
        let mut messages = files
            .find(|file| file.name() == "gamekeeper/v1/messages.proto")
            .unwrap()
            .message_type
            .iter_mut();
        let view = messages.find(|message| message.name() == "View").unwrap();
        change(view.field.last_mut().unwrap());
        joined(&contract)
    };
    assert!(broken(|_| {}).is_ok());
    assert!(broken(|field| field.number = Some(99)).is_err());
    assert!(broken(|field| field.name = Some(String::from("other"))).is_err());
    assert!(broken(|field| field.oneof_index = None).is_err());
    let of_other = |field: &mut FieldDescriptorProto| {
        field.type_name = Some(String::from(".gamekeeper.caylus.v1.Action"));
    };
    assert!(broken(of_other).is_err());
}

#[test]
fn actions_and_events_of_rulesets_are_nothing_but_their_kind() {
    let contract = contract();
    for package in packages(&contract) {
        for noun in ["Action", "Event"] {
            let message = message(&contract, &package, noun).unwrap();
            let others = message.field.iter();
            let others: Vec<&str> = others
                .filter(|field| oneof_of(message, field) != Some("kind"))
                .map(FieldDescriptorProto::name)
                .collect();
            assert!(others.is_empty(), "{package}.{noun}: {others:?}");
        }
    }
}

#[test]
fn nothing_is_packed() {
    let contract = contract();
    for (name, message) in messages(&contract) {
        for field in &message.field {
            let kind = field.type_name();
            assert_ne!(kind, ".google.protobuf.Any", "{name}.{}", field.name());
        }
    }
}

#[test]
fn the_first_value_of_an_enum_says_that_none_was_given() {
    let contract = contract();
    for (name, kind) in enums(&contract) {
        let first = &kind.value[0];
        let says = first.number() == 0 && first.name().ends_with("_UNSPECIFIED");
        assert!(says, "{name} begins with {}", first.name());
    }
}

#[test]
fn methods_are_few_and_each_has_its_own_name_and_messages() {
    let contract = contract();
    let mut names = BTreeSet::new();
    for (file, method) in methods(&contract) {
        let name = method.name();
        assert_eq!(file.package(), SHARED, "{name}");
        assert!(names.insert(name), "two methods are called {name}");
        for (kind, ending) in [
            (method.input_type(), "Request"),
            (method.output_type(), "Response"),
        ] {
            assert_eq!(kind, format!(".{SHARED}.{name}{ending}"));
        }
    }
    assert!(names.len() <= MAX_METHODS, "{} methods", names.len());
}

fn contract() -> FileDescriptorSet {
    FileDescriptorSet::decode(DESCRIPTORS).unwrap()
}

/// The rulesets by their numbers, if all nouns agree about them.
fn joined(contract: &FileDescriptorSet) -> Result<BTreeMap<i32, String>, String> {
    let mut agreed: Option<BTreeMap<i32, String>> = None;
    for (noun, oneof) in NOUNS {
        let joint = message(contract, SHARED, noun).ok_or(format!("no {noun}"))?;
        let of_rulesets = joint
            .field
            .iter()
            .filter(|field| field.number() >= FIRST_RULESET || is_of_ruleset(field.type_name()));
        let mut found = BTreeMap::new();
        for field in of_rulesets {
            let expected = format!(".gamekeeper.{}.v1.{noun}", field.name());
            if field.type_name() != expected || oneof_of(joint, field) != Some(oneof) {
                return Err(format!("{noun}.{} is not {expected}", field.name()));
            }
            found.insert(field.number(), field.name().to_owned());
        }
        match &agreed {
            Some(others) if *others != found => {
                return Err(format!("{noun} has {found:?}, not {others:?}"));
            }
            Some(_) => {}
            None => agreed = Some(found),
        }
    }
    Ok(agreed.unwrap_or_default())
}

fn is_of_ruleset(type_name: &str) -> bool {
    type_name.starts_with(".gamekeeper.") && !type_name.starts_with(&format!(".{SHARED}."))
}

/// The packages of the rulesets.
fn packages(contract: &FileDescriptorSet) -> BTreeSet<String> {
    let packages = contract.file.iter().map(FileDescriptorProto::package);
    packages
        .filter(|package| package.starts_with("gamekeeper.") && *package != SHARED)
        .map(str::to_owned)
        .collect()
}

/// `gamekeeper.terra_mystica.v1` is the package of `terra_mystica`.
fn ruleset_of(package: &str) -> &str {
    package.split('.').nth(1).unwrap()
}

/// All messages of ours, by their full names.
fn messages(contract: &FileDescriptorSet) -> Vec<(String, &DescriptorProto)> {
    let mut open: Vec<(String, &DescriptorProto)> = Vec::new();
    for file in ours(contract) {
        let named = |message| (file.package().to_owned(), message);
        open.extend(file.message_type.iter().map(named));
    }
    let mut found = Vec::new();
    while let Some((within, message)) = open.pop() {
        let name = format!("{within}.{}", message.name());
        let inner = message.nested_type.iter();
        open.extend(inner.map(|inner| (name.clone(), inner)));
        found.push((name, message));
    }
    found
}

/// All enums of ours, by their full names.
fn enums(contract: &FileDescriptorSet) -> Vec<(String, &EnumDescriptorProto)> {
    let mut found = Vec::new();
    for file in ours(contract) {
        let kinds = file.enum_type.iter();
        found.extend(kinds.map(|kind| (format!("{}.{}", file.package(), kind.name()), kind)));
    }
    for (name, message) in messages(contract) {
        let kinds = message.enum_type.iter();
        found.extend(kinds.map(|kind| (format!("{name}.{}", kind.name()), kind)));
    }
    found
}

fn methods(
    contract: &FileDescriptorSet,
) -> impl Iterator<Item = (&FileDescriptorProto, &MethodDescriptorProto)> {
    ours(contract).flat_map(|file| {
        let methods = file.service.iter().flat_map(|service| &service.method);
        methods.map(move |method| (file, method))
    })
}

fn ours(contract: &FileDescriptorSet) -> impl Iterator<Item = &FileDescriptorProto> {
    let files = contract.file.iter();
    files.filter(|file| file.package().starts_with("gamekeeper."))
}

fn message<'a>(
    contract: &'a FileDescriptorSet,
    package: &str,
    name: &str,
) -> Option<&'a DescriptorProto> {
    let files = contract.file.iter();
    let mut messages = files
        .filter(|file| file.package() == package)
        .flat_map(|file| &file.message_type);
    messages.find(|message| message.name() == name)
}

/// The name of the oneof of a field.
fn oneof_of<'a>(message: &'a DescriptorProto, field: &FieldDescriptorProto) -> Option<&'a str> {
    let index = usize::try_from(field.oneof_index?).ok()?;
    Some(message.oneof_decl.get(index)?.name())
}
