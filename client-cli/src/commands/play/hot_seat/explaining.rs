//! The questions of players about the rules: components, rules, kinds of actions.

use gamekeeper_proto::gamekeeper::v1::TermKind;
use gamekeeper_rules::table::text;

use super::HotSeat;
use crate::commands::catalogue;
use crate::commands::rule::{self, RuleScope};
use crate::contract::to_dynamic;
use crate::failure::Failure;
use crate::render;

impl HotSeat<'_> {
    /// Finds the text that is printed on the components with this name.
    pub(super) async fn printed(&self, ruleset: &str, name: &str) -> Result<String, Failure> {
        let catalogue = catalogue::catalogue(self.session, ruleset).await?;
        let components = catalogue::components(&to_dynamic("Catalogue", &catalogue)?)?;
        let matches = render::find(&components, name, self.output.width());
        if matches.is_empty() {
            return Ok(format!("No component is called {name:?}."));
        }
        Ok(matches.join("\n"))
    }

    /// Finds the rules that match these words, or the rule of the last refusal if the words are empty.
    pub(super) async fn rule(&self, ruleset: &str, words: &str) -> Result<String, Failure> {
        let words = if words.is_empty() {
            &self.refused_by
        } else {
            words
        };
        if words.is_empty() {
            return Ok(
                "Nothing was refused yet. To read any rule: rule 6.10, or its words".to_owned(),
            );
        }
        let scope = RuleScope::AtHand(ruleset.to_owned());
        match rule::find_rules(self.session, words, &scope).await {
            Ok(response) => Ok(rule::rules_text(&response, self.output.width())),
            Err(Failure::Call(call)) if !call.reason().is_empty() => Ok(call.to_string()),
            Err(failure) => Err(failure),
        }
    }

    /// Finds what a kind of action does, and names its rules.
    pub(super) async fn explain(&self, ruleset: &str, kind: &str) -> Result<String, Failure> {
        let catalogue = catalogue::catalogue(self.session, ruleset).await?;
        let mut terms = catalogue.terms.iter();
        let term = terms.find(|term| term.kind() == TermKind::Action && term.id == kind);
        let Some(term) = term.filter(|term| !term.help.is_empty()) else {
            return Ok(format!("The server has no help for {kind}."));
        };
        let more = format!("More: rule {}", term.rules.join(", rule "));
        let help = format!("{}: {}\n{more}", term.title, term.help);
        Ok(text::fit(&help, self.output.width()))
    }
}
