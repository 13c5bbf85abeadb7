//! Computes the **schema fingerprint** of stored games: for each ruleset, a hash of the source of its stored types.
//!
//! Events and states are encoded by position, so a build decodes only those of its own layout, and replays games of
//! other layouts from their actions. The hash is conservative: a change of these files that moves no byte only costs a
//! replay. Comment lines and white space do not count.

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

/// The modules that define the stored types of a ruleset: these files, and the folders of the same name.
const NOUNS: [&str; 6] = ["action", "data", "event", "options", "stage", "state"];

/// The folders of the types that the stored types of all rulesets are built from.
const SHARED: [&str; 2] = ["table", "table_life"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    watch()?;
    let mut shared = String::new();
    for folder in SHARED {
        for file in sources(&Path::new("src").join(folder))? {
            append(&mut shared, &file)?;
        }
    }
    let mut layouts = String::from("const LAYOUTS: &[(&str, u32)] = &[");
    for folder in rulesets()? {
        let mut text = shared.clone();
        for file in sources(&folder)? {
            if stores(&folder, &file) {
                append(&mut text, &file)?;
            } else if fs::read_to_string(&file)?.contains("Serialize") {
                let (file, nouns) = (file.display(), NOUNS.join(", "));
                return Err(format!("{file}: nouns that are stored stand in {nouns}").into());
            }
        }
        let [a, b, c, d, ..] = xxh3_64(text.as_bytes()).to_be_bytes();
        let layout = u32::from_be_bytes([a, b, c, d]);
        let id = folder.file_name().unwrap_or_default().display();
        write!(layouts, "(\"{id}\", {layout}),")?;
    }
    layouts.push_str("];");
    let out = std::env::var_os("OUT_DIR").ok_or("there is no OUT_DIR")?;
    Ok(fs::write(Path::new(&out).join("layouts.rs"), layouts)?)
}

/// Tells Cargo to run this script again when a source changes. A new source file needs no watching: an existing one
/// must name it. Tests, records and pages are not watched, because they change no layout and a full rebuild for them
/// takes long.
fn watch() -> Result<(), Box<dyn Error>> {
    for file in sources(Path::new("src"))? {
        println!("cargo:rerun-if-changed={}", file.display());
    }
    for folder in rulesets()? {
        println!(
            "cargo:rerun-if-changed={}",
            folder.join("data.json").display()
        );
    }
    Ok(())
}

/// Lists the folders of rulesets, in order.
fn rulesets() -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut folders = entries(Path::new("src"))?;
    folders.retain(|folder| folder.join("data.json").exists());
    Ok(folders)
}

/// Returns whether this file defines stored types.
fn stores(folder: &Path, file: &Path) -> bool {
    let within = file.strip_prefix(folder).unwrap_or(file);
    let first = within.iter().next().unwrap_or_default().to_string_lossy();
    NOUNS.contains(&first.trim_end_matches(".rs"))
}

/// Lists the source files in a folder and below it, in order, without tests.
fn sources(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files = Vec::new();
    for path in entries(folder)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if name.ends_with("tests") {
            continue;
        }
        if path.is_dir() {
            files.extend(sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(files)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.sort();
    Ok(paths)
}

/// Appends the name of a file and its source.
fn append(text: &mut String, file: &Path) -> Result<(), Box<dyn Error>> {
    text.push_str(&file.to_string_lossy());
    text.push('\n');
    for line in fs::read_to_string(file)?.lines() {
        if !line.trim_start().starts_with("//") {
            text.extend(line.chars().filter(|letter| !letter.is_whitespace()));
        }
    }
    text.push('\n');
    Ok(())
}
