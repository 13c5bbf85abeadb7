//! Compiles the contract with protox: no protoc is needed.

use std::error::Error;
use std::path::{Path, PathBuf};

use prost::Message;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=gamekeeper");
    let mut files = Vec::new();
    collect(Path::new("gamekeeper"), &mut files)?;
    files.sort();
    let descriptors = protox::compile(&files, ["."])?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("descriptors.bin"), descriptors.encode_to_vec())?;
    let mut config = tonic_prost_build::Config::new();
    config.prost_path("crate::brief");
    tonic_prost_build::configure()
        .include_file("contract.rs")
        .codec_path("crate::Codec")
        .compile_fds_with_config(descriptors, config)?;
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "proto") {
            files.push(path);
        }
    }
    Ok(())
}
