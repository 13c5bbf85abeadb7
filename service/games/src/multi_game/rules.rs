//! The rules of every ruleset as text: **look-up** by id or words, and lists.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::rulebook::{MAX_QUERY, Rule, Rulebook, look_up, nearest};
use gamekeeper_wire::Malformed;

use crate::errors::{ServiceError, truncated};
use crate::registry::{Registry, unknown_ruleset};
use crate::requests::page::{PageRequest, encode_cursor};

/// The default number of rules on a page.
const DEFAULT_PAGE_SIZE: usize = 100;

/// The maximum number of rules that a look-up returns.
const MAX_FOUND_RULES: usize = 20;

impl Registry {
    /// Returns the rules that match an id, a name or words, in one ruleset or, if `ruleset` is empty, in all.
    ///
    /// # Errors
    /// If nothing matches, the query is empty or too long, or there is no such ruleset.
    pub fn get_rule(
        &self,
        query: &str,
        ruleset: &str,
    ) -> Result<pb::GetRuleResponse, ServiceError> {
        if query.trim().is_empty() {
            return Err(Malformed::missing("id").into());
        }
        if query.chars().count() > MAX_QUERY {
            let text = format!("is longer than {MAX_QUERY} characters");
            return Err(Malformed::new("id", text).into());
        }
        let all = self.services().iter();
        let searched: Vec<_> = all
            .filter(|(id, _)| ruleset.is_empty() || *id == ruleset)
            .map(|(id, games)| (id.as_str(), games.rulebook()))
            .collect();
        if searched.is_empty() && !ruleset.is_empty() {
            return Err(unknown_ruleset("ruleset"));
        }
        let rulebooks: Vec<_> = searched.iter().map(|(_, book)| *book).collect();
        let matches = look_up(&rulebooks, query);
        if matches.is_empty() {
            return Err(ServiceError::NoSuchRule {
                id: truncated(query.to_owned()),
                nearest: self.nearest(&rulebooks, query),
            });
        }
        let shown = matches.iter().take(MAX_FOUND_RULES);
        let rules: Vec<_> = shown
            .map(|matching| rule_message(searched[matching.book].0, &matching.rule))
            .collect();
        Ok(pb::GetRuleResponse {
            rule: rules.first().cloned(),
            rules,
            total: u32::try_from(matches.len()).unwrap_or(u32::MAX),
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
            .services()
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
    pub fn list_rules(
        &self,
        call: &pb::ListRulesRequest,
        page: &PageRequest,
    ) -> Result<(Vec<pb::Rule>, String), ServiceError> {
        let pb::ListRulesRequest {
            ruleset, chapter, ..
        } = call;
        let limit = page.limit(DEFAULT_PAGE_SIZE)?;
        let games = self
            .services()
            .get(ruleset)
            .ok_or_else(|| unknown_ruleset("ruleset"))?;
        let rulebook = games.rulebook();
        let is_requested_chapter = |number: &str| chapter.is_empty() || number == chapter;
        let (rules, edition): (Vec<&Rule>, _) = if call.players_edition {
            let edition = rulebook.for_players().iter();
            let rules = edition.filter(|(chapter, _)| is_requested_chapter(chapter.number));
            (rules.map(|(_, rule)| rule).collect(), " for players")
        } else {
            let all = rulebook.paragraphs().iter();
            (
                all.filter(|rule| is_requested_chapter(rule.chapter.number))
                    .collect(),
                "",
            )
        };
        if rules.is_empty() {
            let title = games.ruleset().title;
            let text = format!("is not a chapter of {title}{edition}");
            return Err(Malformed::new("chapter", text).into());
        }

        let cursor_scope = format!("rules of {ruleset}{edition}, chapter {chapter}");
        let start = page
            .decode_cursor::<1>(&cursor_scope)?
            .map_or(0, |[start]| start);
        let start = usize::try_from(start)
            .unwrap_or(usize::MAX)
            .min(rules.len());
        let end = start.saturating_add(limit).min(rules.len());
        let next_page_token = if end < rules.len() {
            encode_cursor(&cursor_scope, &[u64::try_from(end).unwrap_or(u64::MAX)])
        } else {
            String::new()
        };
        let page = rules[start..end].iter();
        Ok((
            page.map(|rule| rule_message(ruleset, rule)).collect(),
            next_page_token,
        ))
    }
}

fn rule_message(ruleset: &str, rule: &Rule) -> pb::Rule {
    pb::Rule {
        id: rule.id.clone(),
        ruleset: ruleset.to_owned(),
        chapter: rule.chapter.number.to_owned(),
        chapter_title: rule.chapter.title.to_owned(),
        text: rule.text.to_owned(),
        columns: rule.columns.iter().map(|&title| title.to_owned()).collect(),
    }
}
