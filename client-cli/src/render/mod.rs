//! The table as a person wants to see it. One file per ruleset that has a renderer of its own; the
//! others are shown as a tree.

mod caylus;
mod dominion;
mod kingsburg;
mod mythotopia;
mod standings;
mod tree;

pub(crate) use standings::standings;
pub(crate) use tree::tree;

use gamekeeper_proto::gamekeeper::v1::{GameInfo, GameStatus};
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
        parts.push(self.ending());
        Ok(parts.join("\n\n"))
    }

    /// An action of the seat that has to decide, as a person would say it at this table.
    pub(crate) fn say(&self, action: &DynamicMessage) -> Result<String, Failure> {
        let told = match (self.info.ruleset.as_str(), self.view) {
            ("kingsburg", Some(view)) => {
                let catalogue = self.catalogue.map(retype).transpose()?.unwrap_or_default();
                kingsburg::action(&retype(view)?, &catalogue, &retype(action)?)
            }
            _ => None,
        };
        Ok(told.unwrap_or_else(|| phrase::action(action)))
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
                let catalogue = self.catalogue.map(retype).transpose()?.unwrap_or_default();
                Ok(caylus::table(self.info, &retype(view)?, &catalogue, width))
            }
            "dominion" => {
                let catalogue = self.catalogue.map(retype).transpose()?.unwrap_or_default();
                Ok(dominion::table(
                    self.info,
                    &retype(view)?,
                    &catalogue,
                    width,
                ))
            }
            "kingsburg" => {
                let catalogue = self.catalogue.map(retype).transpose()?.unwrap_or_default();
                Ok(kingsburg::table(
                    self.info,
                    &retype(view)?,
                    &catalogue,
                    width,
                ))
            }
            "mythotopia" => Ok(mythotopia::table(self.info, &retype(view)?, width)),
            _ => Ok(tree(view, width)),
        }
    }

    fn ending(&self) -> String {
        if self.info.status() == GameStatus::Finished {
            return standings(self.info).to_string();
        }
        format!("To decide: {}.", phrase::pending(self.info))
    }
}
