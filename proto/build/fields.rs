//! The fields of messages by name, so that a message can be written without being made first: every message and every
//! oneof of these files has the constant `FIELDS`.

use std::fmt::{Error, Write};

use heck::{ToSnakeCase, ToUpperCamelCase};
use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{DescriptorProto, FieldDescriptorProto, FileDescriptorProto};

/// The constants of all messages of these files.
pub(crate) fn of<'a>(
    files: impl Iterator<Item = &'a FileDescriptorProto>,
) -> Result<String, Error> {
    let mut code = String::new();
    for file in files {
        let module = format!("crate::{}", file.package().replace('.', "::"));
        for message in &file.message_type {
            of_message(message, &module, &mut code)?;
        }
    }
    Ok(code)
}

/// The constants of a message in this module, of its oneofs and of the messages in it.
fn of_message(message: &DescriptorProto, module: &str, code: &mut String) -> Result<(), Error> {
    let inner_module = format!("{module}::{}", message.name().to_snake_case());
    let mut fields = Vec::new();
    let mut last_oneof = None;
    for field in &message.field {
        match oneof_of(field) {
            None => fields.push((name(field.name()), field_type(field), field.number())),
            Some(index) if last_oneof == Some(index) => {}
            Some(index) => {
                last_oneof = Some(index);
                let oneof = message.oneof_decl.get(index).ok_or(Error)?.name();
                let of_oneof = format!("{inner_module}::{}", oneof.to_upper_camel_case());
                fields.push((name(oneof), format!("Option<{of_oneof}>"), 0));
                let variants = message.field.iter();
                let variants = variants.filter(|field| oneof_of(field) == Some(index));
                let variants = variants.map(|field| {
                    let variant = field.name().to_upper_camel_case();
                    (variant, value_type(field), field.number())
                });
                constant(&of_oneof, &variants.collect::<Vec<_>>(), code)?;
            }
        }
    }
    constant(&format!("{module}::{}", message.name()), &fields, code)?;
    for inner in &message.nested_type {
        of_message(inner, &inner_module, code)?;
    }
    Ok(())
}

/// The constant of a message or oneof with these fields: name, type and number of each. A oneof has the number 0; its
/// variants have the numbers.
fn constant(owner: &str, fields: &[(String, String, i32)], code: &mut String) -> Result<(), Error> {
    let mangled = owner.replace("::", "_").replace("crate_gamekeeper_", "");
    writeln!(code, "pub struct FieldsOf_{mangled} {{")?;
    for (name, kind, _) in fields {
        writeln!(code, "    pub {name}: crate::Field<{kind}>,")?;
    }
    writeln!(code, "}}\nimpl {owner} {{")?;
    writeln!(
        code,
        "    /// The fields, for those who write them one by one."
    )?;
    writeln!(
        code,
        "    pub const FIELDS: FieldsOf_{mangled} = FieldsOf_{mangled} {{"
    )?;
    for (name, _, number) in fields {
        writeln!(code, "        {name}: crate::Field::new({number}),")?;
    }
    writeln!(code, "    }};\n}}")
}

/// The oneof of a field that the contract shows; optional fields have hidden ones.
fn oneof_of(field: &FieldDescriptorProto) -> Option<usize> {
    let index = field.oneof_index.filter(|_| !field.proto3_optional());
    index.and_then(|index| usize::try_from(index).ok())
}

/// A field's name in Rust.
fn name(field: &str) -> String {
    let name = field.to_snake_case();
    match name.as_str() {
        "type" | "use" | "move" | "box" | "in" | "match" | "ref" | "where" => format!("r#{name}"),
        _ => name,
    }
}

/// The type that prost gives a field. `Sint32` stands for numbers that are written in zigzag.
fn field_type(field: &FieldDescriptorProto) -> String {
    let value_type = value_type(field);
    match field.label() {
        Label::Repeated => format!("Vec<{value_type}>"),
        _ if field.proto3_optional() || field.r#type() == Type::Message => {
            format!("Option<{value_type}>")
        }
        Label::Optional | Label::Required => value_type,
    }
}

/// The type of one value of a field.
fn value_type(field: &FieldDescriptorProto) -> String {
    let name = match field.r#type() {
        Type::Bool => "bool",
        Type::Uint32 => "u32",
        Type::Uint64 => "u64",
        Type::Int32 | Type::Enum => "i32",
        Type::Sint32 => "crate::Sint32",
        Type::String => "String",
        Type::Bytes => "Vec<u8>",
        Type::Message => return path(field.type_name()),
        Type::Double
        | Type::Float
        | Type::Int64
        | Type::Fixed64
        | Type::Fixed32
        | Type::Group
        | Type::Sfixed32
        | Type::Sfixed64
        | Type::Sint64 => panic!("{}: no rows for fields of this type", field.name()),
    };
    name.to_owned()
}

/// The path of a message: `.gamekeeper.dominion.v1.RefusalDetail.CannotAfford` lies in the module `refusal_detail`.
fn path(message: &str) -> String {
    let mut parts: Vec<String> = message
        .trim_start_matches('.')
        .split('.')
        .map(ToSnakeCase::to_snake_case)
        .collect();
    if let (Some(last), Some(name)) = (parts.last_mut(), message.rsplit('.').next()) {
        name.clone_into(last);
    }
    format!("crate::{}", parts.join("::"))
}
