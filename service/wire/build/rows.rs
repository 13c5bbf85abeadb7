//! The rows of a package, as calls of the macros of `src/mapping/`.

use std::collections::BTreeSet;
use std::fmt::{Error, Write};

use heck::ToUpperCamelCase;
use prost_types::{EnumDescriptorProto, FieldDescriptorProto};

use crate::by_hand::ManualMappings;
use crate::package::{Message, Oneof, Package};

/// Returns the rows of everything that the folder of a ruleset does not pair by hand.
pub(crate) fn generate(package: &Package<'_>, manual: &ManualMappings) -> Result<String, Error> {
    let rules = format!("gamekeeper_rules::{}", package.id);
    let mut rows = format!(
        "// What the rules and the contract of {} spell alike. Derived by `service/wire/build.rs`.\n\n\
         #[allow(unused_imports, clippy::wildcard_imports, reason = \"what rows name\")]\n\
         use {rules}::{{data::*, *}};\n",
        package.id.to_upper_camel_case()
    );
    write_name_mappings(package, manual, &mut rows)?;
    let read = package.reached_from("Action");
    let pairs = OneofMapping::all(package, manual);
    let variants = variants(&pairs);
    let is_variant = |message: &Message<'_>| variants.contains(&*message.path);
    // A message without fields has no oneof either.
    let is_detail = |pair: &OneofMapping<'_>| pair.parent.name() == "RefusalDetail";
    if !pairs.iter().any(is_detail) {
        writeln!(rows, "\ncrate::mapping::refusals! {{ Refusal in pb; }}")?;
    }
    for pair in &pairs {
        if let Some(rules) = pair.derived_name(manual, &pairs, &variants) {
            let direction_prefix = if read.contains(&&*pair.parent.path) {
                "both "
            } else {
                ""
            };
            pair.write_mapping(direction_prefix, &rules, &mut rows)?;
        }
    }
    for message in package
        .messages
        .iter()
        .filter(|message| !is_variant(message))
    {
        write_struct_mapping(message, manual, &read, &mut rows)?;
    }
    Ok(rows)
}

/// Returns the rows that read views, for rulesets with positions: of everything that a view can contain and that the
/// folder of the ruleset does not pair by hand.
pub(crate) fn generate_view(
    package: &Package<'_>,
    manual: &ManualMappings,
) -> Result<String, Error> {
    let mut rows = String::from("// How views are read. Derived by `service/wire/build.rs`.\n");
    let pairs = OneofMapping::all(package, manual);
    let variants = variants(&pairs);
    let read = package.reached_from("View");
    let is_read = |message: &Message<'_>| read.contains(&&*message.path);
    for pair in pairs.iter().filter(|pair| is_read(pair.parent)) {
        if let Some(rules) = pair.derived_name(manual, &pairs, &variants) {
            writeln!(
                rows,
                "\ncrate::mapping::view_oneof! {{\n    {rules} => {rules}InContract;"
            )?;
            pair.write_fields(&mut rows)?;
        }
    }
    let messages = package.messages.iter().filter(|message| is_read(message));
    for message in messages.filter(|message| !variants.contains(&*message.path)) {
        write_view_mapping(message, manual, &mut rows)?;
    }
    Ok(rows)
}

/// Writes the row that reads a struct, or a list, in a view.
fn write_view_mapping(
    message: &Message<'_>,
    manual: &ManualMappings,
    rows: &mut String,
) -> Result<(), Error> {
    let (name, path) = (message.name(), &message.path);
    if name == "Options" || manual.covers(path) {
        return Ok(());
    }
    if name == "View" {
        let mut fields = message.fields();
        fields.retain(|field| *field != "options");
        let given = if fields.len() < message.fields().len() {
            " given { options }"
        } else {
            ""
        };
        let fields = fields.join(", ");
        return writeln!(
            rows,
            "crate::mapping::view! {{ {path} {{ {fields} }}{given} }}"
        );
    }
    let (fields, list) = (field_list(message), message.fields().concat());
    let row = match message.only_list() {
        Some(element) if name.ends_with("List") => {
            format!("list {path} {{ {list}: {element} }}")
        }
        _ if message.only_oneof().is_some() => format!("only {name} => {path} {{ {list} }}"),
        _ => format!("{name} => {path} {fields}"),
    };
    writeln!(rows, "crate::mapping::view_message! {{ {row} }}")
}

/// Returns the messages that have the fields of a variant.
fn variants<'a>(pairs: &'a [OneofMapping<'_>]) -> BTreeSet<&'a str> {
    let fields = pairs.iter().flat_map(|pair| &pair.fields);
    fields
        .map(|(_, variant_message)| &*variant_message.path)
        .collect()
}

/// Writes the rows of closed sets of names, and of the decisions.
fn write_name_mappings(
    package: &Package<'_>,
    manual: &ManualMappings,
    rows: &mut String,
) -> Result<(), Error> {
    let is_decision = |set: &&&EnumDescriptorProto| set.name() == "Decision";
    writeln!(rows, "\ncrate::mapping::names! {{")?;
    for set in package.enums.iter().filter(|set| !is_decision(set)) {
        let (name, path) = (set.name(), format!("pb::{}", set.name()));
        if !manual.covers(&path) {
            writeln!(rows, "    {name} => {path},")?;
        }
    }
    writeln!(
        rows,
        "}}\n\ncrate::mapping::decisions! {{\n    Decision in pb:"
    )?;
    let decisions = package.enums.iter().filter(is_decision);
    let names = decisions.flat_map(|decision| &decision.value);
    for name in names.filter(|name| name.number() != 0) {
        let name = name.name().trim_start_matches("DECISION_");
        writeln!(rows, "    {},", name.to_upper_camel_case())?;
    }
    writeln!(rows, "}}")
}

/// A oneof with the enum of the rules that it corresponds to.
struct OneofMapping<'a> {
    parent: &'a Message<'a>,
    /// The name of the oneof in Rust.
    name: String,
    kind: String,
    /// The fields whose message has the fields of the variant.
    fields: Vec<(&'a FieldDescriptorProto, &'a Message<'a>)>,
    /// The fields of variants that contain a single value.
    inner: Vec<&'a FieldDescriptorProto>,
}

impl<'a> OneofMapping<'a> {
    /// Returns the oneofs of all messages of a package.
    fn all(package: &'a Package<'a>, manual: &ManualMappings) -> Vec<Self> {
        let oneofs = package.messages.iter().flat_map(|message| {
            let oneofs = message.oneofs().into_iter();
            oneofs.map(move |oneof| (message, oneof))
        });
        oneofs
            .map(|(message, oneof)| Self::of(package, manual, message, oneof))
            .collect()
    }

    /// Returns the name of the enum of the rules. Returns `None` if a row by hand pairs it.
    fn derived_name(
        &self,
        manual: &ManualMappings,
        pairs: &[Self],
        variants: &BTreeSet<&str>,
    ) -> Option<String> {
        // A message with nothing but the oneof corresponds to the enum itself.
        let is_all = self.parent.only_oneof().is_some() && !variants.contains(&*self.parent.path);
        if manual.covers(&self.kind) || is_all && manual.covers(&self.parent.path) {
            return None;
        }
        Some(if is_all {
            self.parent.name().to_owned()
        } else {
            self.name(pairs)
        })
    }

    fn of(
        package: &'a Package<'a>,
        manual: &ManualMappings,
        around: &'a Message<'a>,
        oneof: Oneof<'a>,
    ) -> Self {
        let mut pair = Self {
            parent: around,
            name: oneof.kind(),
            kind: format!("{}::{}", around.within, oneof.kind()),
            fields: Vec::new(),
            inner: Vec::new(),
        };
        for field in oneof.fields {
            match package.message_in(field) {
                Some(variant_message)
                    if pair.is_variant_message(field, variant_message)
                        && !manual.covers(&variant_message.path) =>
                {
                    pair.fields.push((field, variant_message));
                }
                _ => pair.inner.push(field),
            }
        }
        pair
    }

    /// Returns whether the message in this field has the fields of a variant. Its name is then the variant's, with or
    /// without the name of the surrounding message or oneof: `ThiefFrame thief`.
    fn is_variant_message(&self, field: &FieldDescriptorProto, message: &Message<'_>) -> bool {
        let rest = message.name().strip_prefix(&*variant(field));
        rest.is_some_and(|rest| rest.is_empty() || rest == self.parent.name() || rest == self.name)
    }

    /// Returns the name of the enum of the rules, if the message contains more than the oneof: the name of the oneof,
    /// or, if several oneofs have this name, the names of message and oneof together.
    fn name(&self, pairs: &[Self]) -> String {
        match pairs.iter().filter(|pair| pair.name == self.name).count() {
            1 => self.name.clone(),
            _ => format!("{}{}", self.parent.name(), self.name),
        }
    }

    fn write_mapping(
        &self,
        direction_prefix: &str,
        rules: &str,
        rows: &mut String,
    ) -> Result<(), Error> {
        if rules == "RefusalDetail" {
            writeln!(rows, "\ncrate::mapping::refusals! {{\n    Refusal in pb;")?;
        } else {
            writeln!(rows, "\nuse {} as {rules}InContract;", self.kind)?;
            writeln!(
                rows,
                "crate::mapping::oneof! {{\n    {direction_prefix}{rules} => {rules}InContract;"
            )?;
        }
        self.write_fields(rows)
    }

    /// Writes the variants of a row, and its end.
    fn write_fields(&self, rows: &mut String) -> Result<(), Error> {
        writeln!(rows, "    fields {{")?;
        for (field, variant_message) in &self.fields {
            let (name, fields) = (variant(field), field_list(variant_message));
            writeln!(rows, "        {name} = {} {fields},", variant_message.path)?;
        }
        writeln!(rows, "    }}")?;
        if !self.inner.is_empty() {
            let inner = self.inner.iter().copied().map(variant);
            writeln!(
                rows,
                "    inner {{ {} }}",
                inner.collect::<Vec<_>>().join(", ")
            )?;
        }
        writeln!(rows, "}}")
    }
}

/// Returns the variant of a field of a oneof.
fn variant(field: &FieldDescriptorProto) -> String {
    field.name().to_upper_camel_case()
}

/// Returns the fields of a message: `{ seat, card }`.
fn field_list(message: &Message<'_>) -> String {
    match &message.fields()[..] {
        [] => String::from("{}"),
        fields => format!("{{ {} }}", fields.join(", ")),
    }
}

/// Writes the row of a struct, or of a list.
fn write_struct_mapping(
    message: &Message<'_>,
    manual: &ManualMappings,
    read: &[&str],
    rows: &mut String,
) -> Result<(), Error> {
    let (name, path, fields) = (message.name(), &message.path, field_list(message));
    let mut row = |row| writeln!(rows, "crate::mapping::message! {{ {row} }}");
    if name == "Options" && !manual.covers("Draft") {
        row(format!("from Draft => {path} {fields}"))?;
    }
    if manual.covers(path) {
        return Ok(());
    }
    match (name, message.only_list()) {
        ("Action" | "Event" | "RefusalDetail", _) => Ok(()),
        // Values that follow from the request, such as the number of seats, are not sent.
        ("Options", _) => row(format!("{name} => {path} {fields} and more")),
        // The open decisions stand beside the view.
        ("View", _) => row(format!("{name} => {path} {fields} without {{ pending }}")),
        (_, Some(element)) if name.ends_with("List") => {
            let list = message.fields().concat();
            row(format!("lists => {path} {{ {list}: {element} }}"))
        }
        _ if message.only_oneof().is_some() => {
            let oneof = message.fields().concat();
            row(format!("{name} => {path}, |it| {{ {oneof}: *it }}"))
        }
        _ if read.contains(&&**path) => row(format!("both {name} => {path} {fields}")),
        _ => row(format!("{name} => {path} {fields}")),
    }
}
