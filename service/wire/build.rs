//! Derives the rows that pair rules and contract by name (**code generation**), into one file per ruleset.
//!
//! The compiled contract lists the messages with their fields. The rules spell them alike, and the compiler compares.
//! A difference needs a row by hand in the folder of the ruleset, which replaces the derived one.

#[path = "build/by_hand.rs"]
mod by_hand;
#[path = "build/package.rs"]
mod package;
#[path = "build/rows.rs"]
mod rows;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use heck::ToUpperCamelCase;
use prost::Message;
use prost_types::FileDescriptorSet;

use by_hand::ManualMappings;
use package::Package;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src");
    let descriptors = std::env::var("DEP_GAMEKEEPER_CONTRACT_DESCRIPTORS")?;
    println!("cargo::rerun-if-changed={descriptors}");
    let contract = FileDescriptorSet::decode(&*fs::read(descriptors)?)?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    for folder in fs::read_dir("src")? {
        let folder = folder?.path();
        let id = folder.file_name().unwrap_or_default().to_string_lossy();
        if let Some(package) = Package::of(&contract, &id) {
            let manual = ManualMappings::read_folder(Path::new(&folder))?;
            let file = |ending: &str| out.join(format!("{}{ending}.rs", id.to_upper_camel_case()));
            fs::write(file(""), rows::generate(&package, &manual)?)?;
            fs::write(file("View"), rows::generate_view(&package, &manual)?)?;
        }
    }
    Ok(())
}
