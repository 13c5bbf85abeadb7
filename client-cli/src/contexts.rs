//! Named connections, which store addresses and files so that they need not be typed again.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize};

use crate::args::Globals;
use crate::failure::Failure;

/// The address of a server and how to authenticate. Secrets stay in their own files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Context {
    /// The address of the server.
    pub(crate) server: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ca: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cert: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tls_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) token_file: Option<PathBuf>,
}

impl Context {
    /// The context that the command line describes.
    ///
    /// # Errors
    /// If the absolute path of a file cannot be determined.
    pub(crate) fn of(globals: &Globals) -> Result<Self, Failure> {
        // Stored as absolute paths, because later commands may run in other directories.
        let absolute = |file: &Option<PathBuf>| {
            let absolute = file.as_ref().map(std::path::absolute).transpose();
            absolute.map_err(|error| Failure::io("a file of the context", &error))
        };
        Ok(Self {
            server: globals.server().to_owned(),
            ca: absolute(&globals.ca)?,
            cert: absolute(&globals.cert)?,
            key: absolute(&globals.key)?,
            tls_name: globals.tls_name.clone(),
            token_file: absolute(&globals.token_file)?,
        })
    }

    /// Fills in the options that the command line does not set.
    fn apply_to(self, globals: &mut Globals) {
        // The certificate, its key and the TLS name belong to the server: if another server is named, none of them
        // applies.
        if globals.server.is_none() {
            globals.server = Some(self.server);
            globals.ca = globals.ca.take().or(self.ca);
            globals.tls_name = globals.tls_name.take().or(self.tls_name);
            globals.token_file = globals.token_file.take().or(self.token_file);
            if globals.cert.is_none() {
                (globals.cert, globals.key) = (self.cert, self.key);
            }
        }
    }
}

/// The contents of the file of contexts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Contexts {
    /// The name of the default context; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) current: String,
    /// The contexts by name.
    #[serde(default)]
    pub(crate) contexts: BTreeMap<String, Context>,
}

pub(crate) struct ContextFile {
    file: PathBuf,
}

impl ContextFile {
    /// Uses the given file, or the one in the user's configuration directory.
    pub(crate) fn new(file: Option<PathBuf>) -> Result<Self, Failure> {
        let default = || {
            let strategy = etcetera::choose_base_strategy()
                .map_err(|error| Failure::Usage(format!("{error}; name a file with --contexts")))?;
            Ok(strategy
                .config_dir()
                .join("gamekeeper")
                .join("contexts.json"))
        };
        file.map_or_else(default, Ok).map(|file| Self { file })
    }

    /// Reads the file. Returns an empty set of contexts if it does not exist.
    pub(crate) fn read(&self) -> Result<Contexts, Failure> {
        let text = match fs::read_to_string(&self.file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Contexts::default());
            }
            Err(error) => return Err(Failure::io(self.file.display(), &error)),
        };
        serde_json::from_str(&text).map_err(|error| Failure::Io {
            what: self.file.display().to_string(),
            error: format!("is not a file of contexts: {error}"),
        })
    }

    /// Replaces the file atomically.
    pub(crate) fn write(&self, contexts: &Contexts) -> Result<(), Failure> {
        let failed = |error: std::io::Error| Failure::io(self.file.display(), &error);
        let folder = self
            .file
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(failed)?;
        let bytes = serde_json::to_vec_pretty(contexts)
            .map_err(|error| Failure::Contract(format!("contexts: {error}")))?;
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
        file.write_all(&bytes).map_err(failed)?;
        file.persist(&self.file)
            .map_err(|error| failed(error.error))?;
        Ok(())
    }
}

/// Completes the options with those of the named context, or of the default one. The command line takes precedence.
///
/// # Errors
/// If the file of contexts cannot be read or does not contain this context.
pub fn resolve(globals: &Globals) -> Result<Globals, Failure> {
    let mut resolved = globals.clone();
    if globals.server.is_some() && globals.context.is_none() {
        return Ok(resolved);
    }
    let mut stored = ContextFile::new(globals.contexts.clone())?.read()?;
    let name = globals.context.clone().unwrap_or(stored.current);
    if name.is_empty() {
        return Ok(resolved);
    }
    let context = stored
        .contexts
        .remove(&name)
        .ok_or_else(|| Failure::Usage(format!("there is no context {name:?}")))?;
    if globals.context.is_some() && globals.server.is_some() {
        let text = "a context names a server: give --context or --server, not both";
        return Err(Failure::Usage(text.to_owned()));
    }
    context.apply_to(&mut resolved);
    Ok(resolved)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::Cli;

    fn globals(line: &str) -> Globals {
        Cli::try_parse_from(line.split(' ')).unwrap().globals
    }

    #[test]
    fn the_command_line_counts_more_than_the_context() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("deep").join("contexts.json");
        let base = format!("gamekeeper list --contexts {}", file.display());
        let store = ContextFile::new(Some(file.clone())).unwrap();
        let mut written = Contexts {
            current: "home".to_owned(),
            ..Contexts::default()
        };
        for (name, server) in [("home", "http://a:1"), ("work", "https://b:2")] {
            let line = format!("gamekeeper list --server {server} --token-file /t/{name}");
            let context = Context::of(&globals(&line)).unwrap();
            written.contexts.insert(name.to_owned(), context);
        }
        store.write(&written).unwrap();
        assert_eq!(store.read().unwrap(), written);

        let by = |more: &str| resolve(&globals(&format!("{base}{more}")));
        let resolved = by("").unwrap();
        assert_eq!(resolved.server(), "http://a:1");
        assert_eq!(resolved.token_file.as_deref(), Some(Path::new("/t/home")));
        assert_eq!(by(" --context work").unwrap().server(), "https://b:2");
        let other = by(" --server http://c:3").unwrap();
        assert_eq!(
            (other.server(), other.token_file.as_ref()),
            ("http://c:3", None)
        );
        assert!(by(" --context nowhere").is_err());
        assert!(by(" --context work --server http://c:3").is_err());
    }

    #[test]
    fn without_contexts_the_server_is_the_usual_one() {
        let line = "gamekeeper list --contexts /nowhere/contexts.json";
        assert_eq!(
            resolve(&globals(line)).unwrap().server(),
            "http://127.0.0.1:50051"
        );
    }
}
