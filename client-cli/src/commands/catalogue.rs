//! `gamekeeper catalogue`

use gamekeeper_proto::gamekeeper::v1::GetCatalogueRequest;
use gamekeeper_proto::raw::Catalogue;
use prost_reflect::DynamicMessage;

use crate::contract::{ruleset_message, to_dynamic, unwrap_oneof};
use crate::failure::Failure;
use crate::output::Output;
use crate::render;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The ruleset, such as `dominion`
    #[arg(value_name = "RULESET")]
    id: String,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let catalogue = to_dynamic("Catalogue", &catalogue(session, &args.id).await?)?;
    if output.is_json() {
        return output.json(&catalogue);
    }
    let components = components(&catalogue)?;
    output.line(render::tree(&components, output.width()))
}

/// Reads the catalogue of a ruleset from the server.
pub(super) async fn catalogue(session: &Session, ruleset: &str) -> Result<Catalogue, Failure> {
    // Checked here so that the error for a misspelled ruleset suggests a known one.
    ruleset_message(ruleset, "Catalogue")?;
    let request = GetCatalogueRequest {
        ruleset: ruleset.to_owned(),
        ..GetCatalogueRequest::default()
    };
    Ok(session.call(&request).await?.catalogue.unwrap_or_default())
}

/// Returns the part of a catalogue that is specific to its ruleset.
pub(super) fn components(catalogue: &DynamicMessage) -> Result<DynamicMessage, Failure> {
    unwrap_oneof(catalogue).ok_or_else(|| Failure::Contract("a catalogue of no ruleset".to_owned()))
}
