//! `gamekeeper rule` and `gamekeeper rules`

use gamekeeper_proto::gamekeeper::v1::{GetRuleRequest, ListRulesRequest, Rule};

use crate::contract::shared;
use crate::failure::Failure;
use crate::output::Output;
use crate::render::{markdown, rule};
use crate::session::Session;

/// The maximum number of rules of a page.
const PAGE: i32 = 1_000;

#[derive(Debug, clap::Args)]
pub(crate) struct OneArgs {
    /// Ids of rules as refusals cite them, such as `DOM-6.10`
    #[arg(value_name = "RULE", required = true)]
    ids: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct AllArgs {
    /// The ruleset, such as `dominion`
    #[arg(value_name = "RULESET")]
    id: String,
    /// Only the chapter with this number, such as `7`
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "",
        hide_default_value = true
    )]
    chapter: String,
}

/// Prints some rules.
pub(crate) async fn one(session: &Session, output: Output, args: &OneArgs) -> Result<(), Failure> {
    for (number, id) in args.ids.iter().enumerate() {
        let found = text_of(session, id).await?;
        if output.is_json() {
            output.json(&shared("Rule", &found)?)?;
            continue;
        }
        if number > 0 {
            output.line("")?;
        }
        output.line(rule(&found, output.width()))?;
    }
    Ok(())
}

/// Prints the document of a ruleset, or a chapter of it.
pub(crate) async fn all(session: &Session, output: Output, args: &AllArgs) -> Result<(), Failure> {
    let mut text = String::new();
    let mut page_token = String::new();
    loop {
        let request = ListRulesRequest {
            ruleset: args.id.clone(),
            chapter: args.chapter.clone(),
            page_size: PAGE,
            page_token,
        };
        let page = session.call(&request).await?;
        for rule in &page.rules {
            if output.is_json() {
                output.json(&shared("Rule", rule)?)?;
            }
            text += &rule.text;
        }
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    if output.is_json() {
        return Ok(());
    }
    output.line(markdown(&text, output.width()))
}

/// The rule with this id. The letters before the hyphen may be small.
pub(super) async fn text_of(session: &Session, id: &str) -> Result<Rule, Failure> {
    let id = match id.split_once('-') {
        Some((prefix, number)) => format!("{}-{number}", prefix.to_uppercase()),
        None => id.to_owned(),
    };
    let request = GetRuleRequest { id };
    Ok(session.call(&request).await?.rule.unwrap_or_default())
}
