//! `list_rulesets`: what can be played, with which bots, options and kinds of actions.

use gamekeeper_proto::gamekeeper::v1::{ListRulesetsRequest, PolicyInfo, Ruleset};

use super::answer::Answer;
use super::arguments::ListRulesets;
use super::text::plain;
use crate::commands::rulesets::{actions, options};
use crate::contract::ruleset_message;
use crate::failure::Failure;
use crate::session::Session;

/// The columns of the text about options and actions.
const COLUMNS: usize = 110;

/// Lists the rulesets of the server, or describes one.
pub(super) async fn list_rulesets(
    session: &Session,
    asked: &ListRulesets,
) -> Result<Answer, Failure> {
    let rulesets = read(session).await?;
    let Some(id) = &asked.ruleset else {
        let lines: Vec<String> = rulesets.iter().map(line).collect();
        return Ok(Answer::new(lines.join("\n")));
    };
    let found = rulesets.iter().find(|ruleset| ruleset.id == *id);
    let ruleset = found.ok_or_else(|| unknown(id, &rulesets))?;
    let mut text = format!(
        "{}\n\nOptions\n{}",
        line(ruleset),
        options(ruleset, COLUMNS)
    );
    // The server may have rulesets that this program does not know; their actions cannot be listed.
    if let Ok(action) = ruleset_message(id, "Action") {
        text += &format!("\n{}", actions(&action, COLUMNS));
    }
    Ok(Answer::new(plain(&text)).part(asked.part))
}

/// Reads the rulesets of the server.
pub(super) async fn read(session: &Session) -> Result<Vec<Ruleset>, Failure> {
    let response = session.call(&ListRulesetsRequest::default()).await?;
    Ok(response.rulesets)
}

/// Reports that the server has no such ruleset.
pub(super) fn unknown(id: &str, rulesets: &[Ruleset]) -> Failure {
    let ids: Vec<&str> = rulesets.iter().map(|ruleset| ruleset.id.as_str()).collect();
    Failure::Usage(format!(
        "there is no ruleset {id:?}; the server has {}",
        ids.join(", ")
    ))
}

fn line(ruleset: &Ruleset) -> String {
    let Ruleset {
        id,
        title,
        min_seats,
        max_seats,
        policies,
        fewest_win,
        ..
    } = ruleset;
    let (levels, others): (Vec<_>, Vec<_>) = policies.iter().partition(|policy| policy.level);
    let named = |policies: &[&PolicyInfo]| {
        let ids: Vec<&str> = policies.iter().map(|policy| policy.id.as_str()).collect();
        ids.join(", ")
    };
    let winner = if *fewest_win {
        "the fewest points win; "
    } else {
        ""
    };
    format!(
        "{id}: {title}, {min_seats} to {max_seats} seats; {winner}bots by level: {}; others: {}",
        named(&levels),
        named(&others)
    )
}
