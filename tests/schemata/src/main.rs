//! **Mutant schemata**: weaves many mutants into one tree, which is then built once. Each mutant stands beside the code
//! that it breaks, behind a switch that an environment variable sets when a program starts.
//!
//! Reads from standard input the mutants that `tests/mutants` wants to try in the tree that is its argument. Writes to
//! standard output the files with these mutants, and the mutants that cannot be switched at run time, each with the
//! reason. The code of a mutant stands between comments with its number, by which `tests/mutants` finds the mutant that
//! breaks the build.

mod mutant;
mod sites;
mod weave;

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use serde::Serialize;

use crate::mutant::Mutant;

fn main() -> Result<(), Box<dyn Error>> {
    let root = std::env::args_os().nth(1).ok_or("which folder?")?;
    let mut wanted = String::new();
    std::io::stdin().read_to_string(&mut wanted)?;
    let mut files: BTreeMap<String, Vec<Mutant>> = BTreeMap::new();
    for mutant in serde_json::from_str::<Vec<Mutant>>(&wanted)? {
        files.entry(mutant.file.clone()).or_default().push(mutant);
    }
    let mut answer = Answer::default();
    for (file, mutants) in files {
        let text = fs::read_to_string(Path::new(&root).join(&file))?;
        let (woven, left_out) =
            weave::weave(&text, &mutants).map_err(|error| format!("{file}: {error}"))?;
        answer.files.insert(file, woven);
        answer.left_out.extend(left_out);
    }
    Ok(std::io::stdout().write_all(&serde_json::to_vec(&answer)?)?)
}

/// The output of this program.
#[derive(Default, Serialize)]
struct Answer {
    /// The files with their mutants.
    files: BTreeMap<String, String>,
    left_out: weave::LeftOut,
}
