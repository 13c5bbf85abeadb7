//! Rule documents: the tool `look_up_rule`, and one resource for each ruleset, each chapter and each part of a long one.

use gamekeeper_proto::gamekeeper::v1::{ListRulesRequest, Rule, Ruleset};
use rmcp::model::{Resource, ResourceTemplate};

use super::answer::Answer;
use super::arguments::LookUpRule;
use super::rulesets;
use super::text::pages;
use super::text::plain;
use crate::commands::rule::{RuleScope, find_rules, rules_text};
use crate::failure::Failure;
use crate::session::Session;

/// The beginning of the addresses of rule documents.
const ADDRESS: &str = "gamekeeper://rules/";

/// The columns of rules as text.
const COLUMNS: usize = 110;

/// The number of rules on a page of the server.
const PAGE: i32 = 1_000;

/// The type of the resources.
pub(super) const MARKDOWN: &str = "text/markdown";

/// Finds the rules that match an id, a name or words.
pub(super) async fn look_up_rule(session: &Session, asked: &LookUpRule) -> Result<Answer, Failure> {
    let scope = match &asked.ruleset {
        Some(ruleset) => RuleScope::Only(ruleset.clone()),
        None => RuleScope::Everywhere,
    };
    let response = find_rules(session, &asked.query, &scope).await?;
    Ok(Answer::new(plain(&rules_text(&response, COLUMNS))).part(asked.part))
}

/// Returns the resources: the contents of each rule document.
pub(super) fn resources(rulesets: &[Ruleset]) -> Vec<Resource> {
    let resource = |ruleset: &Ruleset| {
        Resource::new(address(&ruleset.id), format!("{}_rules", ruleset.id))
            .with_title(format!("Rules of {}", ruleset.title))
            .with_description("The chapters of the rules for players, with their addresses")
            .with_mime_type(MARKDOWN)
    };
    rulesets.iter().map(resource).collect()
}

/// Returns the addresses of chapters and of parts of long ones.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let template = |rest: &str, name: &str, about: &str| {
        ResourceTemplate::new(format!("{ADDRESS}{rest}"), name)
            .with_description(about)
            .with_mime_type(MARKDOWN)
    };
    vec![
        template(
            "{ruleset}/{chapter}",
            "rules_chapter",
            "A chapter of the rules for players",
        ),
        template(
            "{ruleset}/{chapter}/{part}",
            "rules_part",
            "A part of a long chapter, from 1",
        ),
    ]
}

/// Returns the address of the rules of a ruleset.
pub(super) fn address(ruleset: &str) -> String {
    format!("{ADDRESS}{ruleset}")
}

/// Reads a resource. Returns `None` if there is none at this address.
pub(super) async fn read(session: &Session, uri: &str) -> Result<Option<String>, Failure> {
    let Some(path) = uri.strip_prefix(ADDRESS) else {
        return Ok(None);
    };
    let rulesets = rulesets::read(session).await?;
    let mut path = path.split('/');
    let id = path.next().unwrap_or_default();
    let Some(ruleset) = rulesets.iter().find(|ruleset| ruleset.id == id) else {
        return Ok(None);
    };
    let (chapter, part) = (path.next(), path.next());
    let rules = rules(session, id).await?;
    if path.next().is_some() {
        return Ok(None);
    }
    let Some(chapter) = chapter else {
        return Ok(Some(contents(ruleset, &rules)));
    };
    let Ok(part) = part.map_or(Ok(1), str::parse::<usize>) else {
        return Ok(None);
    };
    Ok(chapter_part(id, &rules, chapter, part))
}

/// Reads the rules for players.
async fn rules(session: &Session, ruleset: &str) -> Result<Vec<Rule>, Failure> {
    let mut rules = Vec::new();
    let mut page_token = String::new();
    loop {
        let request = ListRulesRequest {
            ruleset: ruleset.to_owned(),
            page_size: PAGE,
            page_token,
            players_edition: true,
            ..ListRulesRequest::default()
        };
        let page = session.call(&request).await?;
        rules.extend(page.rules);
        page_token = page.next_page_token;
        if page_token.is_empty() {
            return Ok(rules);
        }
    }
}

/// Lists the chapters with their addresses.
fn contents(ruleset: &Ruleset, rules: &[Rule]) -> String {
    let mut text = format!("# Rules of {}\n", ruleset.title);
    for chapter in rules.chunk_by(|one, other| one.chapter == other.chapter) {
        let Rule {
            chapter: number,
            chapter_title,
            ..
        } = &chapter[0];
        if number.is_empty() {
            continue;
        }
        let chapter_text: String = chapter.iter().map(|rule| rule.text.as_str()).collect();
        let parts = pages(&chapter_text).len();
        text += &format!(
            "\n- {number}. {chapter_title}: {ADDRESS}{}/{number}",
            ruleset.id
        );
        for part in 2..=parts {
            text += &format!(", {ADDRESS}{}/{number}/{part}", ruleset.id);
        }
    }
    text
}

/// Returns a part of a chapter, with the address of the next one.
fn chapter_part(ruleset: &str, rules: &[Rule], chapter: &str, part: usize) -> Option<String> {
    let of_chapter = rules.iter().filter(|rule| rule.chapter == chapter);
    let text: String = of_chapter.map(|rule| rule.text.as_str()).collect();
    if text.is_empty() {
        return None;
    }
    let pages = pages(&text);
    let page = pages.get(part.checked_sub(1)?)?;
    Some(match part == pages.len() {
        true => (*page).to_owned(),
        false => format!(
            "{page}\n[the rest: {ADDRESS}{ruleset}/{chapter}/{}]",
            part + 1
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::mcp::text::MAX_CHARS;

    #[test]
    fn a_long_chapter_has_parts() {
        let rule = |chapter: &str, text: String| Rule {
            chapter: chapter.to_owned(),
            chapter_title: String::from("Flow"),
            text,
            ..Rule::default()
        };
        let long: String = (0..5_000)
            .map(|number| format!("rule {number}\n"))
            .collect();
        let rules = [rule("5", String::from("five\n")), rule("6", long.clone())];
        let ruleset = Ruleset {
            id: String::from("chess"),
            title: String::from("Chess"),
            ..Ruleset::default()
        };
        let contents = contents(&ruleset, &rules);
        assert!(
            contents.contains("- 5. Flow: gamekeeper://rules/chess/5\n"),
            "{contents}"
        );
        let mut read = String::new();
        for part in 1.. {
            let Some(text) = chapter_part("chess", &rules, "6", part) else {
                break;
            };
            assert!(text.chars().count() <= MAX_CHARS);
            let uri = format!("gamekeeper://rules/chess/6/{part}");
            assert_eq!(part > 1, contents.contains(&uri), "{contents}");
            read += text.split("\n[the rest: ").next().unwrap_or_default();
        }
        assert_eq!(read, long);
        assert_eq!(chapter_part("chess", &rules, "7", 1), None);
        assert_eq!(chapter_part("chess", &rules, "5", 0), None);
    }
}
