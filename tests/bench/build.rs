//! Compiles the contract of the null game against the shared messages of the real one.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=proto");
    let file = "gamekeeper/null/v1/null_service.proto";
    let descriptors = protox::compile([file], ["proto", "../../proto"])?;
    tonic_prost_build::configure()
        .extern_path(".gamekeeper.v1", "::gamekeeper_proto::gamekeeper::v1")
        .codec_path("gamekeeper_proto::Codec")
        .bytes(".gamekeeper.null.v1.Action")
        .bytes(".gamekeeper.null.v1.Event")
        .bytes(".gamekeeper.null.v1.View")
        .compile_fds(descriptors)?;
    Ok(())
}
