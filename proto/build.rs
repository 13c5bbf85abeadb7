//! Compiles the contract with protox: no protoc is needed.
//!
//! The service files of all rulesets say the same, each around `Options`, `Action`, `Event`, `View` and `Catalogue` of
//! its own. Their messages become Rust types once, with the ruleset's messages as parameter: `envelope.rs`. Every
//! package has them under its own names.

#[path = "build/envelope.rs"]
mod envelope;

use std::error::Error;
use std::fs;
use std::io::Write;
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
    let envelopes = envelope::compile(model, &descriptors, config())?;
    fs::write(out.join("envelope.rs"), &envelopes.code)?;

    let mut config = config();
    let mut compiler = tonic_prost_build::configure()
        .include_file("contract.rs")
        .codec_path("crate::Codec");
    for file in &services {
        for message in &file.message_type {
            config.extern_path(
                format!(".{}.{}", file.package(), message.name()),
                format!("{}::{}", envelope::module(file), message.name()),
            );
        }
        // The server has one service for all of them.
        compiler = compiler.server_mod_attribute(file.package(), "#[cfg(false)]");
    }
    compiler.compile_fds_with_config(descriptors.clone(), config)?;
    for file in services {
        let module = out.join(format!("{}.rs", file.package()));
        let mut module = fs::OpenOptions::new().append(true).open(module)?;
        module.write_all(envelopes.names_in(file, &descriptors)?.as_bytes())?;
    }
    Ok(())
}

fn config() -> Config {
    let mut config = Config::new();
    config.prost_path("crate::brief");
    config
}

/// The files that hold the service of a ruleset, in order.
fn ruleset_services(descriptors: &FileDescriptorSet) -> Vec<&FileDescriptorProto> {
    let files = descriptors.file.iter();
    files
        .filter(|file| !file.service.is_empty() && file.package() != "gamekeeper.v1")
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
