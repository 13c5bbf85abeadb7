//! The rules of every ruleset as text.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::rulebook::Rule;
use gamekeeper_wire::Malformed;

use crate::heart::page::{Page, token};
use crate::heart::problem::{Problem, shortened};
use crate::registry::{Registry, unknown_ruleset};

/// The default number of rules on a page.
const USUAL_PAGE: usize = 100;

impl Registry {
    /// The rule with this id.
    ///
    /// # Errors
    /// When no ruleset has such a rule.
    pub fn rule(&self, id: &str) -> Result<pb::Rule, Problem> {
        let mut books = self.by_ruleset().iter();
        let found = books.find_map(|(ruleset, games)| {
            let rule = games.rulebook().rule(id)?;
            Some(message(ruleset, &rule))
        });
        found.ok_or_else(|| Problem::NoSuchRule {
            id: shortened(id.to_owned()),
        })
    }

    /// One page of the rules of a ruleset, or of a chapter, and the token of the next page.
    ///
    /// # Errors
    /// When there is no such ruleset, chapter or page.
    pub fn rules(
        &self,
        ruleset: &str,
        chapter: &str,
        page: &Page,
    ) -> Result<(Vec<pb::Rule>, String), Problem> {
        let limit = page.limit(USUAL_PAGE)?;
        let games = self
            .by_ruleset()
            .get(ruleset)
            .ok_or_else(|| unknown_ruleset("ruleset"))?;
        let rules = games.rulebook().paragraphs();
        // The paragraphs of a chapter are consecutive.
        let wanted = |rule: &Rule| chapter.is_empty() || rule.chapter.number == chapter;
        let begin = rules.iter().position(wanted).ok_or_else(|| {
            let title = games.ruleset().title;
            Malformed::new("chapter", format!("is not a chapter of {title}"))
        })?;
        let rules = &rules[begin..];
        let rules = &rules[..rules.iter().take_while(|rule| wanted(rule)).count()];

        let list = format!("rules of {ruleset}, chapter {chapter}");
        let start = page.start::<1>(&list)?.map_or(0, |[start]| start);
        let start = usize::try_from(start)
            .unwrap_or(usize::MAX)
            .min(rules.len());
        let end = start.saturating_add(limit).min(rules.len());
        let next_page_token = if end < rules.len() {
            token(&list, &[u64::try_from(end).unwrap_or(u64::MAX)])
        } else {
            String::new()
        };
        let page = rules[start..end].iter();
        Ok((
            page.map(|rule| message(ruleset, rule)).collect(),
            next_page_token,
        ))
    }
}

fn message(ruleset: &str, rule: &Rule) -> pb::Rule {
    pb::Rule {
        id: rule.id.clone(),
        ruleset: ruleset.to_owned(),
        chapter: rule.chapter.number.to_owned(),
        chapter_title: rule.chapter.title.to_owned(),
        text: rule.text.to_owned(),
    }
}
