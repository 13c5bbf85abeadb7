//! The rules of every ruleset as text: **look-up** by id or words, and lists.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::rulebook::{MAX_QUERY, Rule, Rulebook, look_up, nearest};
use gamekeeper_wire::Malformed;

use crate::heart::page::{Page, token};
use crate::heart::problem::{Problem, shortened};
use crate::registry::{Registry, unknown_ruleset};

/// The default number of rules on a page.
const USUAL_PAGE: usize = 100;

/// The maximum number of rules that a look-up returns.
const MOST_FOUND: usize = 20;

impl Registry {
    /// Returns the rules that match an id, a name or words, in one ruleset or, if `ruleset` is empty, in all.
    ///
    /// # Errors
    /// If nothing matches, the query is empty or too long, or there is no such ruleset.
    pub fn rule(&self, query: &str, ruleset: &str) -> Result<pb::GetRuleResponse, Problem> {
        if query.trim().is_empty() {
            return Err(Malformed::missing("id").into());
        }
        if query.chars().count() > MAX_QUERY {
            let text = format!("is longer than {MAX_QUERY} characters");
            return Err(Malformed::new("id", text).into());
        }
        let all = self.by_ruleset().iter();
        let wanted: Vec<_> = all
            .filter(|(id, _)| ruleset.is_empty() || *id == ruleset)
            .map(|(id, games)| (id.as_str(), games.rulebook()))
            .collect();
        if wanted.is_empty() && !ruleset.is_empty() {
            return Err(unknown_ruleset("ruleset"));
        }
        let books: Vec<_> = wanted.iter().map(|(_, book)| *book).collect();
        let found = look_up(&books, query);
        if found.is_empty() {
            return Err(Problem::NoSuchRule {
                id: shortened(query.to_owned()),
                nearest: self.nearest(&books, query),
            });
        }
        let first = found.iter().take(MOST_FOUND);
        let rules: Vec<_> = first
            .map(|found| message(wanted[found.book].0, &found.rule))
            .collect();
        Ok(pb::GetRuleResponse {
            rule: rules.first().cloned(),
            rules,
            total: u32::try_from(found.len()).unwrap_or(u32::MAX),
        })
    }

    /// Returns the ids of rules that are similar to a query without matches: in these rulebooks or, if there are none,
    /// in all.
    fn nearest(&self, books: &[&Rulebook], query: &str) -> Vec<String> {
        let ids = nearest(books, query);
        if !ids.is_empty() {
            return ids;
        }
        let all: Vec<_> = self
            .by_ruleset()
            .values()
            .map(|games| games.rulebook())
            .collect();
        nearest(&all, query)
    }

    /// Returns one page of the rules of a ruleset or of a chapter, in full or in the edition for players, and the token
    /// of the next page.
    ///
    /// # Errors
    /// If there is no such ruleset, chapter or page.
    pub fn rules(
        &self,
        call: &pb::ListRulesRequest,
        page: &Page,
    ) -> Result<(Vec<pb::Rule>, String), Problem> {
        let pb::ListRulesRequest {
            ruleset, chapter, ..
        } = call;
        let limit = page.limit(USUAL_PAGE)?;
        let games = self
            .by_ruleset()
            .get(ruleset)
            .ok_or_else(|| unknown_ruleset("ruleset"))?;
        let book = games.rulebook();
        let wanted = |number: &str| chapter.is_empty() || number == chapter;
        let (rules, edition): (Vec<&Rule>, _) = if call.players_edition {
            let edition = book.for_players().iter();
            let rules = edition.filter(|(chapter, _)| wanted(chapter.number));
            (rules.map(|(_, rule)| rule).collect(), " for players")
        } else {
            let all = book.paragraphs().iter();
            (all.filter(|rule| wanted(rule.chapter.number)).collect(), "")
        };
        if rules.is_empty() {
            let title = games.ruleset().title;
            let text = format!("is not a chapter of {title}{edition}");
            return Err(Malformed::new("chapter", text).into());
        }

        let list = format!("rules of {ruleset}{edition}, chapter {chapter}");
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
        columns: rule.columns.iter().map(|&title| title.to_owned()).collect(),
    }
}
