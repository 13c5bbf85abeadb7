//! Compiles the contract with protox: no protoc is needed.
//!
//! The messages of the package `gamekeeper.v1` are compiled twice. Once as the contract has them, and once for those
//! who pass on what a ruleset's messages say without reading it: there, `Action` of Dominion and its like are the bytes
//! that arrived or were written. Messages that hold nothing of a ruleset are the same types in both.

#[path = "build/fields.rs"]
mod fields;

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use prost::Message;
use prost_build::Module;
use prost_types::{DescriptorProto, EnumDescriptorProto, FileDescriptorProto, FileDescriptorSet};
use tonic_prost_build::Config;

/// The package that joins the rulesets.
const COMMON_PACKAGE: &str = "gamekeeper.v1";

/// The messages that every ruleset defines for itself.
const RULESET_MESSAGES: [&str; 6] = [
    "Options",
    "Action",
    "Event",
    "View",
    "Catalogue",
    "RefusalDetail",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=gamekeeper");
    let mut files = Vec::new();
    collect_proto_files(Path::new("gamekeeper"), &mut files)?;
    files.sort();
    let contract = protox::compile(&files, ["."])?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let descriptors = out.join("descriptors.bin");
    fs::write(&descriptors, contract.encode_to_vec())?;
    println!("cargo::metadata=descriptors={}", descriptors.display());
    fs::write(out.join("raw.rs"), generate_raw(&contract)?)?;
    let of_rulesets = contract.file.iter().filter(|file| is_ruleset_file(file));
    fs::write(out.join("fields.rs"), fields::of(of_rulesets)?)?;
    tonic_prost_build::configure()
        .include_file("contract.rs")
        .codec_path("crate::Codec")
        .build_client(std::env::var_os("CARGO_FEATURE_GRPC").is_some())
        .build_server(false)
        .compile_fds_with_config(contract, config())?;
    Ok(())
}

fn config() -> Config {
    let mut config = Config::new();
    config.prost_path("crate::prost_overrides");
    // The same message is the same bytes.
    config.btree_map(["."]);
    // Almost all requests could have a theme, few do.
    config.boxed(".gamekeeper.v1.DrawingStyle.theme");
    config
}

/// The shared package with the nouns of rulesets as bytes.
fn generate_raw(contract: &FileDescriptorSet) -> Result<String, Box<dyn Error>> {
    let mut config = config();
    let common_files = || {
        contract
            .file
            .iter()
            .filter(|file| file.package() == COMMON_PACKAGE)
    };
    let of_rulesets = contract.file.iter().filter(|file| is_ruleset_file(file));
    let packages: BTreeSet<&str> = of_rulesets.map(FileDescriptorProto::package).collect();
    for package in packages {
        for message_name in RULESET_MESSAGES {
            config.extern_path(
                format!(".{package}.{message_name}"),
                "crate::EncodedMessage",
            );
        }
    }
    let with_ruleset_parts = messages_with_ruleset_parts(common_files());
    for name in common_files()
        .flat_map(type_names)
        .filter(|name| !with_ruleset_parts.contains(name))
    {
        let path = format!("crate::gamekeeper::v1::{name}");
        config.extern_path(format!(".{COMMON_PACKAGE}.{name}"), path);
    }
    let module = |file: &FileDescriptorProto| {
        let is_shared = file.package() == COMMON_PACKAGE;
        Module::from_parts([if is_shared { "raw" } else { "other" }])
    };
    let files = contract.file.iter();
    let files = files.map(|file| (module(file), file.clone())).collect();
    let mut compiled = config.generate(files)?;
    let raw = compiled.remove(&Module::from_parts(["raw"]));
    Ok(raw.ok_or("the contract has no shared package")?)
}

/// The top-level messages and enums of a file.
fn type_names(file: &FileDescriptorProto) -> impl Iterator<Item = &str> {
    let enums = file.enum_type.iter().map(EnumDescriptorProto::name);
    file.message_type
        .iter()
        .map(DescriptorProto::name)
        .chain(enums)
}

/// The messages that hold, at any depth, a noun of a ruleset.
fn messages_with_ruleset_parts<'a>(
    files: impl Iterator<Item = &'a FileDescriptorProto>,
) -> BTreeSet<&'a str> {
    let messages: Vec<_> = files.flat_map(|file| &file.message_type).collect();
    let mut ruleset_names = BTreeSet::new();
    loop {
        let before = ruleset_names.len();
        let holds = |message: &&&DescriptorProto| {
            message.field.iter().any(|field| {
                let kind = field.type_name().trim_start_matches('.');
                match kind.strip_prefix(COMMON_PACKAGE) {
                    Some(name) => ruleset_names.contains(name.trim_start_matches('.')),
                    None => kind.starts_with("gamekeeper."),
                }
            })
        };
        let added: Vec<_> = messages
            .iter()
            .filter(holds)
            .map(|one| one.name())
            .collect();
        ruleset_names.extend(added);
        // A message joins when one of its fields does; each pass finds those around the last.
        if ruleset_names.len() == before {
            return ruleset_names;
        }
    }
}

fn is_ruleset_file(file: &FileDescriptorProto) -> bool {
    file.package().starts_with("gamekeeper.") && file.package() != COMMON_PACKAGE
}

fn collect_proto_files(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect_proto_files(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "proto") {
            files.push(path);
        }
    }
    Ok(())
}
