//! `gamekeeper rule` and `gamekeeper rules`

use gamekeeper_proto::gamekeeper::v1::{GetRuleRequest, GetRuleResponse, ListRulesRequest};
use gamekeeper_rules::table::text::{DIM, styled};

use crate::contract::to_dynamic;
use crate::failure::Failure;
use crate::output::Output;
use crate::render::{markdown, rule, rule_in_line};
use crate::session::Session;

/// Maximum number of rules per page.
const PAGE: i32 = 1_000;

/// The number of lines after which the remaining rules are printed in one line each.
const SCREEN: usize = 60;

#[derive(Debug, clap::Args)]
pub(crate) struct OneArgs {
    /// Ids of rules, such as `DOM-6.10` or `6.10`; or the name of a card, tile or building; or words
    #[arg(value_name = "RULE", required = true)]
    queries: Vec<String>,
    /// Only the rules of this ruleset [default: that of your last game, if anything fits there]
    #[arg(long, value_name = "RULESET")]
    ruleset: Option<String>,
    /// Look in the rules of all rulesets
    #[arg(long, conflicts_with = "ruleset")]
    everywhere: bool,
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
    /// The whole document, with its sources, test cases and notes for implementers
    #[arg(long)]
    all: bool,
    /// Only the rules that fit a name or words, the best first
    #[arg(long, value_name = "WORDS", conflicts_with_all = ["chapter", "all"])]
    search: Option<String>,
}

/// The rulesets in which a rule is searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RuleScope {
    /// Only the rules of this ruleset.
    Only(String),
    /// The rules of this ruleset; if nothing matches there, those of all rulesets.
    AtHand(String),
    /// The rules of all rulesets.
    Everywhere,
}

impl OneArgs {
    fn scope(&self, session: &Session) -> Result<RuleScope, Failure> {
        if let Some(ruleset) = &self.ruleset {
            return Ok(RuleScope::Only(ruleset.clone()));
        }
        let last = match self.everywhere {
            true => None,
            false => session.last_ruleset()?,
        };
        Ok(last.map_or(RuleScope::Everywhere, RuleScope::AtHand))
    }

    /// Splits the arguments into queries: several ids are looked up separately; several words are one query.
    fn queries(&self) -> Vec<String> {
        let is_id = |text: &String| {
            text.contains(|letter: char| letter.is_ascii_digit()) && !text.contains(' ')
        };
        match self.queries.iter().all(is_id) {
            true => self.queries.clone(),
            false => vec![self.queries.join(" ")],
        }
    }
}

/// Prints the rules that match the queries.
pub(crate) async fn one(session: &Session, output: Output, args: &OneArgs) -> Result<(), Failure> {
    let scope = args.scope(session)?;
    for (number, query) in args.queries().iter().enumerate() {
        if number > 0 && !output.is_json() {
            output.line("")?;
        }
        print(session, output, query, &scope).await?;
    }
    Ok(())
}

/// Prints the rules of a ruleset for players: all of them, a chapter, or those that match a search.
pub(crate) async fn all(session: &Session, output: Output, args: &AllArgs) -> Result<(), Failure> {
    if let Some(words) = &args.search {
        return print(session, output, words, &RuleScope::Only(args.id.clone())).await;
    }
    let mut text = String::new();
    let mut page_token = String::new();
    loop {
        let request = ListRulesRequest {
            ruleset: args.id.clone(),
            chapter: args.chapter.clone(),
            page_size: PAGE,
            page_token,
            players_edition: !args.all,
        };
        let page = session.call(&request).await?;
        for rule in &page.rules {
            if output.is_json() {
                output.json(&to_dynamic("Rule", rule)?)?;
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

/// Prints the rules that match, the best first.
async fn print(
    session: &Session,
    output: Output,
    query: &str,
    scope: &RuleScope,
) -> Result<(), Failure> {
    let response = find_rules(session, query, scope).await?;
    if !output.is_json() {
        return output.line(rules_text(&response, output.width()));
    }
    for rule in &response.rules {
        output.json(&to_dynamic("Rule", rule)?)?;
    }
    Ok(())
}

/// Reads the rules that match from the server.
pub(super) async fn find_rules(
    session: &Session,
    query: &str,
    scope: &RuleScope,
) -> Result<GetRuleResponse, Failure> {
    let request = |ruleset: &str| GetRuleRequest {
        id: query.to_owned(),
        ruleset: ruleset.to_owned(),
    };
    match scope {
        RuleScope::Only(ruleset) => session.call(&request(ruleset)).await,
        RuleScope::AtHand(ruleset) => match session.call(&request(ruleset)).await {
            Err(Failure::Call(call)) if !call.reason().is_empty() => {
                session.call(&request("")).await
            }
            result => result,
        },
        RuleScope::Everywhere => session.call(&request("")).await,
    }
}

/// Formats as many rules as fit on a screen, at least one, and the remaining ones in a line each.
pub(super) fn rules_text(response: &GetRuleResponse, columns: usize) -> String {
    let mut full_rules: Vec<String> = Vec::new();
    let mut lines = 0;
    for one in &response.rules {
        let text = rule(one, columns);
        lines += text.lines().count() + 1;
        if lines > SCREEN && !full_rules.is_empty() {
            break;
        }
        full_rules.push(text);
    }
    let others = &response.rules[full_rules.len()..];
    let mut text = full_rules.join("\n\n");
    if !others.is_empty() {
        text += &format!("\n\n{}", styled(DIM, "These fit as well:"));
    }
    for other in others {
        text += &format!("\n{}", rule_in_line(other, columns));
    }
    let sent = u32::try_from(response.rules.len()).unwrap_or(u32::MAX);
    if response.total > sent {
        let all = format!(
            "{} rules fit; more words, or --ruleset, leave fewer.",
            response.total
        );
        text += &format!("\n\n{}", styled(DIM, all));
    }
    text
}
