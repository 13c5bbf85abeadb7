//! The table as a person wants to see it. One file per ruleset that has a renderer of its own; the
//! others are shown as a tree.

mod caylus;
mod dominion;
mod kingsburg;
mod mythotopia;
mod standings;
mod terra_mystica;
mod tree;

pub(crate) use standings::standings;
pub(crate) use tree::tree;

use gamekeeper_proto::gamekeeper::v1::{GameInfo, GameStatus};
use prost::Message;
use prost_reflect::DynamicMessage;

use crate::failure::Failure;
use crate::fields::retype;
use crate::output::{BOLD, DIM, styled};
use crate::phrase;

/// A table to show.
pub(crate) struct Table<'a> {
    /// The public facts.
    pub(crate) info: &'a GameInfo,
    /// What the viewer sees.
    pub(crate) view: Option<&'a DynamicMessage>,
    /// The components, for prices and texts.
    pub(crate) catalogue: Option<&'a DynamicMessage>,
}

impl Table<'_> {
    /// The whole table in so many columns.
    pub(crate) fn render(&self, width: usize) -> Result<String, Failure> {
        let mut parts = vec![self.heading()];
        if let Some(view) = self.view {
            parts.push(self.body(view, width)?);
        }
        parts.push(self.ending(width));
        Ok(parts.join("\n\n"))
    }

    /// Actions of the seat that has to decide, each as a person would say it at this table.
    pub(crate) fn say(&self, actions: &[DynamicMessage]) -> Result<Vec<String>, Failure> {
        let Some(view) = self.view else {
            return Ok(actions.iter().map(phrase::action).collect());
        };
        match self.info.ruleset.as_str() {
            "caylus" => {
                let (view, catalogue) = (retype(view)?, self.components()?);
                say_all(actions, |action| {
                    caylus::action(self.info, &view, &catalogue, action)
                })
            }
            "kingsburg" => {
                let (view, catalogue) = (retype(view)?, self.components()?);
                say_all(actions, |action| {
                    kingsburg::action(&view, &catalogue, action)
                })
            }
            "mythotopia" => say_all(actions, |action| mythotopia::action(self.info, action)),
            "terra_mystica" => {
                let (view, catalogue) = (retype(view)?, self.components()?);
                say_all(actions, |action| {
                    terra_mystica::action(self.info, &view, &catalogue, action)
                })
            }
            _ => Ok(actions.iter().map(phrase::action).collect()),
        }
    }

    /// The catalogue as its own type; an empty one where there is none.
    fn components<T: Message + Default>(&self) -> Result<T, Failure> {
        Ok(self.catalogue.map(retype).transpose()?.unwrap_or_default())
    }

    fn heading(&self) -> String {
        let GameInfo {
            game_id,
            ruleset,
            version,
            ..
        } = self.info;
        let title = styled(BOLD, phrase::title(ruleset));
        format!(
            "{title}  {}",
            styled(DIM, format_args!("{game_id}  version {version}"))
        )
    }

    /// The one place where rulesets differ.
    fn body(&self, view: &DynamicMessage, width: usize) -> Result<String, Failure> {
        match self.info.ruleset.as_str() {
            "caylus" => {
                let catalogue = self.components()?;
                Ok(caylus::table(self.info, &retype(view)?, &catalogue, width))
            }
            "dominion" => {
                let (view, catalogue) = (retype(view)?, self.components()?);
                Ok(dominion::table(self.info, &view, &catalogue, width))
            }
            "kingsburg" => {
                let (view, catalogue) = (retype(view)?, self.components()?);
                Ok(kingsburg::table(self.info, &view, &catalogue, width))
            }
            "mythotopia" => Ok(mythotopia::table(self.info, &retype(view)?, width)),
            "terra_mystica" => {
                let (view, catalogue) = (retype(view)?, self.components()?);
                Ok(terra_mystica::table(self.info, &view, &catalogue, width))
            }
            _ => Ok(tree(view, width)),
        }
    }

    fn ending(&self, width: usize) -> String {
        if self.info.status() == GameStatus::Finished {
            return standings(self.info, width).to_string();
        }
        format!("To decide: {}.", phrase::pending(self.info))
    }
}

/// Every action in a ruleset's own words; in the general ones where it has none.
fn say_all<A: Message + Default>(
    actions: &[DynamicMessage],
    words: impl Fn(&A) -> Option<String>,
) -> Result<Vec<String>, Failure> {
    let say = |action: &DynamicMessage| {
        let told = words(&retype(action)?);
        Ok(told.unwrap_or_else(|| phrase::action(action)))
    };
    actions.iter().map(say).collect()
}
