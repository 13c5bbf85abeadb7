//! Compiles the contract with protox: no protoc is needed.
//!
//! The service files of all rulesets say the same, each around `Options`, `Action`, `Event`, `View` and `Catalogue` of
//! its own. Their messages become Rust types once, with the ruleset's messages as parameter: `envelope.rs`. Every
//! package has them under its own names; `TableService` has them with packed messages.

#![expect(clippy::wildcard_enum_match_arm, reason = "the enums of syn may grow")]

#[path = "build/envelope.rs"]
mod envelope;
#[path = "build/fields.rs"]
mod fields;
#[path = "build/packing.rs"]
mod packing;
#[path = "build/watches.rs"]
mod watches;

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use prost::Message;
use prost_types::{FileDescriptorProto, FileDescriptorSet};
use tonic_prost_build::Config;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-changed=gamekeeper");
    let mut files = Vec::new();
    collect(Path::new("gamekeeper"), &mut files)?;
    files.sort();
    let descriptors = protox::compile(&files, ["."])?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    fs::write(out.join("descriptors.bin"), descriptors.encode_to_vec())?;

    let services = ruleset_services(&descriptors);
    let model = services.first().ok_or("the contract has no ruleset")?;
    if let Some(other) = services.iter().find(|file| shape(file) != shape(model)) {
        let (other, model) = (other.name(), model.name());
        return Err(format!("{other} and {model} differ in more than the package").into());
    }
    let packed = packed_messages(&descriptors, model)?;
    let envelopes = envelope::compile(model, &descriptors, config())?;
    fs::write(out.join("envelope.rs"), &envelopes.code)?;

    compile_packages(&descriptors, &services, &packed)?;
    change_package(&out, SHARED, |code| {
        let code = watches::with_written_watches(code)?;
        Ok(code + &envelopes.packed_names(&packed)?)
    })?;
    for file in services {
        change_package(&out, file.package(), |code| {
            let code = fields::with_fields(code)?;
            Ok(code + &envelopes.names_in(file, &descriptors)?)
        })?;
    }
    Ok(())
}

/// Compiles all packages, with [envelopes](envelope) in place of the messages of the services.
fn compile_packages(
    descriptors: &FileDescriptorSet,
    services: &[&FileDescriptorProto],
    packed: &BTreeSet<&str>,
) -> std::io::Result<()> {
    let mut config = config();
    let mut compiler = tonic_prost_build::configure()
        .include_file("contract.rs")
        .codec_path("crate::Codec");
    for file in services {
        for message in &file.message_type {
            config.extern_path(
                format!(".{}.{}", file.package(), message.name()),
                format!("{}::{}", envelope::module(file), message.name()),
            );
        }
        // The server has one service for all of them.
        compiler = compiler.server_mod_attribute(file.package(), "#[cfg(false)]");
    }
    for name in packed {
        config.extern_path(
            format!(".{SHARED}.{name}"),
            format!("crate::gamekeeper::v1::{name}"),
        );
    }
    compiler.compile_fds_with_config(descriptors.clone(), config)
}

/// Changes the compiled code of a package.
fn change_package(
    out: &Path,
    package: &str,
    change: impl FnOnce(&str) -> Result<String, Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let file = out.join(format!("{package}.rs"));
    fs::write(&file, change(&fs::read_to_string(&file)?)?)?;
    Ok(())
}

/// The package of all rulesets, and its file with the service for any of them.
const SHARED: &str = "gamekeeper.v1";
const TABLE_SERVICE: &str = "gamekeeper/v1/table_service.proto";

/// Its messages that name a ruleset, and so have no model among those of a ruleset.
const NAMING: [&str; 2] = ["CreateGameRequest", "GetCatalogueRequest"];

/// The messages of `TableService` that say what those of a ruleset say, with the ruleset's own messages packed.
fn packed_messages<'a>(
    descriptors: &'a FileDescriptorSet,
    model: &FileDescriptorProto,
) -> Result<BTreeSet<&'a str>, String> {
    let mut files = descriptors.file.iter();
    let table = files.find(|file| file.name() == TABLE_SERVICE);
    let messages = table.map_or(&[][..], |table| &table.message_type);
    let messages = messages
        .iter()
        .filter(|message| !NAMING.contains(&message.name()));
    let mut names = BTreeSet::new();
    for message in messages {
        let name = message.name();
        let of_model = model.message_type.iter().find(|other| other.name() == name);
        let expected = of_model.map(|of_model| {
            let text = envelope::OWN
                .iter()
                .fold(format!("{of_model:?}"), |text, own| {
                    let own = format!("\".{}.{own}\"", model.package());
                    text.replace(&own, "\".google.protobuf.Any\"")
                });
            text.replace(model.package(), SHARED)
        });
        if expected != Some(format!("{message:?}")) {
            let model = model.name();
            return Err(format!("{name} differs in {TABLE_SERVICE} and {model}"));
        }
        names.insert(name);
    }
    Ok(names)
}

fn config() -> Config {
    let mut config = Config::new();
    config.prost_path("crate::fast_prost");
    // The same message is the same bytes.
    config.btree_map(["."]);
    config
}

/// The files that hold the service of a ruleset, in order.
fn ruleset_services(descriptors: &FileDescriptorSet) -> Vec<&FileDescriptorProto> {
    let files = descriptors.file.iter();
    files
        .filter(|file| !file.service.is_empty() && file.package() != SHARED)
        .collect()
}

/// The messages of a file, whatever its package is called.
fn shape(file: &FileDescriptorProto) -> String {
    format!("{:?}", file.message_type).replace(file.package(), "")
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "proto") {
            files.push(path);
        }
    }
    Ok(())
}
