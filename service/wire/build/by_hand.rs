//! Finds the rows by hand in the folder of a ruleset.

use std::collections::BTreeSet;
use std::fs;
use std::io::Result;
use std::path::Path;

/// The names of the rows in a folder: `pb::Goods` of the row `Goods => pb::Goods`, and `Draft` of
/// `impl FromPb<…> for Draft`.
pub(crate) struct ManualMappings(BTreeSet<String>);

impl ManualMappings {
    /// Reads the names of the rows in this folder.
    pub(crate) fn read_folder(folder: &Path) -> Result<Self> {
        let mut types = BTreeSet::new();
        for file in fs::read_dir(folder)? {
            let text = fs::read_to_string(file?.path())?;
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let code = code.lines().filter_map(|line| line.split("//").next());
            let words: Vec<&str> = code.flat_map(str::split_whitespace).collect();
            let names = words.windows(2).filter_map(|pair| match pair {
                ["=>" | "for", name] => Some(name.trim_end_matches([',', ';']).to_owned()),
                _ => None,
            });
            types.extend(names);
        }
        Ok(Self(types))
    }

    /// Returns whether a row exists for this type of the contract, or for one of its values.
    pub(crate) fn covers(&self, path: &str) -> bool {
        let value = format!("{path}::");
        let mut rows = self.0.iter();
        rows.any(|row| row == path || row.starts_with(&value))
    }
}
