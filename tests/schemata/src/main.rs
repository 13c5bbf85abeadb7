//! Puts many mutants into one tree, so that it is built once: each mutant stands beside the code that it breaks, behind a
//! switch that the environment sets when a program starts.
//!
//! Reads from standard input what `tests/mutants` wants to try, changes the files below the folder that is its argument,
//! and answers on standard output which mutants cannot be switched when a program runs, each with the reason. What a
//! mutant brings stands between comments with its number, by which `tests/mutants` finds who broke the build.

mod mutant;
mod sites;
mod weave;

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use crate::mutant::Mutant;

fn main() -> Result<(), Box<dyn Error>> {
    let root = std::env::args_os().nth(1).ok_or("which folder?")?;
    let mut wanted = String::new();
    std::io::stdin().read_to_string(&mut wanted)?;
    let mut files: BTreeMap<String, Vec<Mutant>> = BTreeMap::new();
    for mutant in serde_json::from_str::<Vec<Mutant>>(&wanted)? {
        files.entry(mutant.file.clone()).or_default().push(mutant);
    }
    let mut left_out = BTreeMap::new();
    for (file, mutants) in &files {
        let path = Path::new(&root).join(file);
        let text = fs::read_to_string(&path)?;
        let (woven, without) =
            weave::weave(&text, mutants).map_err(|error| format!("{file}: {error}"))?;
        fs::write(&path, woven)?;
        left_out.extend(without);
    }
    let answer = serde_json::to_vec(&left_out)?;
    Ok(std::io::stdout().write_all(&answer)?)
}
