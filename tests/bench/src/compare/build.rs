//! The build of a commit, and the measurement that it brings itself.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use super::commit::Commit;
use super::error::{CompareError, io, printed};
use super::report::ReportError;
use crate::service::processes::cargo;

/// The file that `gamekeeper-bench service` writes, below its folder.
const REPORT: &str = "target/bench/service.json";

/// A commit that is built.
#[derive(Debug)]
pub(super) struct Build {
    label: String,
    folder: PathBuf,
    program: PathBuf,
    stores: Vec<String>,
}

impl Build {
    /// Builds a commit's measurements in the profile of its images.
    ///
    /// # Errors
    /// If its folder was changed, the commit does not build, or its measurements have no `service`.
    pub(super) fn of(commit: &Commit) -> Result<Self, CompareError> {
        let (label, folder) = (commit.label(), commit.folder()?);
        let profile = profile(&commit.workspace()?);
        println!("building {label} in profile {profile}");
        let mut command = at(cargo(), &folder);
        command.args(["build", "--locked", "--profile", profile, "--bins"]);
        command.args(packages(&folder).into_iter().flat_map(|name| ["-p", name]));
        let status = command.status().map_err(io("cargo"))?;
        if !status.success() {
            return Err(CompareError::NotBuilt {
                label,
                profile,
                status,
            });
        }
        let program = folder.join("target").join(profile).join("gamekeeper-bench");
        let mut build = Self {
            label,
            folder,
            program,
            stores: Vec::new(),
        };
        let help = build.run(&["service", "-h"], Stdio::piped())?;
        build.stores = stores(&String::from_utf8_lossy(&help.stdout));
        Ok(build)
    }

    /// Returns the name of the commit in tables.
    pub(super) fn label(&self) -> String {
        self.label.clone()
    }

    /// Reports whether the commit has this store.
    pub(super) fn has(&self, store: &str) -> bool {
        self.stores.iter().any(|name| name == store)
    }

    /// Returns the error of a commit without any of the stores.
    pub(super) fn has_no_store(&self) -> CompareError {
        CompareError::NoStore {
            label: self.label(),
            stores: self.stores.join(", "),
        }
    }

    /// Returns the error of a report that cannot be read.
    pub(super) fn unread(&self, error: ReportError) -> CompareError {
        CompareError::Unread {
            label: self.label(),
            error,
        }
    }

    /// Runs the commit's own measurement of the service, with messages to `stderr`, and returns its report.
    ///
    /// # Errors
    /// If it fails or writes no report.
    pub(super) fn service(
        &self,
        flags: &[(&str, String)],
        stderr: Stdio,
    ) -> Result<String, CompareError> {
        let report = self.folder.join(REPORT);
        // A report of another run must never be taken for the one of this run.
        match std::fs::remove_file(&report) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(io(&report.to_string_lossy())(error));
            }
            Ok(()) | Err(_) => {}
        }
        let mut arguments = vec!["service"];
        arguments.extend(
            flags
                .iter()
                .flat_map(|(flag, value)| [*flag, value.as_str()]),
        );
        self.run(&arguments, stderr)?;
        std::fs::read_to_string(&report).map_err(io(&report.to_string_lossy()))
    }

    fn run(&self, arguments: &[&str], stderr: Stdio) -> Result<Output, CompareError> {
        let mut command = at(Command::new(&self.program), &self.folder);
        command.args(arguments).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(stderr);
        let child = command.spawn();
        let output = child.and_then(Child::wait_with_output);
        let output = output.map_err(io(&self.program.to_string_lossy()))?;
        if output.status.success() {
            return Ok(output);
        }
        Err(CompareError::Failed {
            label: self.label(),
            arguments: arguments.join(" "),
            status: output.status,
            messages: match printed(&output.stderr) {
                none if none.is_empty() => String::from("see its messages above"),
                messages => messages,
            },
        })
    }
}

/// Lets a command work in the folder of a commit, and cargo build there, whatever the settings of the caller are.
fn at(mut command: Command, folder: &Path) -> Command {
    command.current_dir(folder);
    command.env("CARGO_TARGET_DIR", folder.join("target"));
    command.env_remove("CARGO_BUILD_TARGET");
    command
}

/// Returns the profile that a commit builds its images in: `dist` if its manifest has that.
fn profile(manifest: &str) -> &'static str {
    let mut lines = manifest.lines().map(str::trim_start);
    if lines.any(|line| line.starts_with("[profile.dist]")) {
        "dist"
    } else {
        "release"
    }
}

/// Returns the packages that the measurements of a commit build for themselves. With others beside them, or fewer, cargo
/// chooses other features of what they share, and builds all of it twice.
fn packages(folder: &Path) -> [&'static str; 3] {
    let has_tools = folder.join("tests/tools/Cargo.toml").exists();
    let load = if has_tools {
        "gamekeeper-tools"
    } else {
        "gamekeeper"
    };
    ["gamekeeperd", load, "gamekeeper-bench"]
}

/// Returns the stores that the help of `gamekeeper-bench service` lists.
fn stores(help: &str) -> Vec<String> {
    // Lines end anywhere, depending on the width of the terminal.
    let words: Vec<&str> = help.split_whitespace().collect();
    let text = words.join(" ");
    let values = text
        .split_once("--stores ")
        .and_then(|(_, rest)| rest.split_once("[possible values: "))
        .and_then(|(_, rest)| rest.split_once(']'));
    values.map_or_else(Vec::new, |(values, _)| {
        values.split(", ").map(str::to_owned).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_that_does_not_build_is_an_error_with_its_profile() {
        let (_folder, root) = crate::compare::commit::tests::repository();
        let error = Build::of(&Commit::find(&root, "HEAD").unwrap()).unwrap_err();
        assert!(matches!(
            error,
            CompareError::NotBuilt {
                profile: "dist",
                ..
            }
        ));
    }

    #[test]
    fn the_profile_is_that_of_the_images() {
        assert_eq!(
            profile("[profile.release]\nlto = true\n  [profile.dist]\n"),
            "dist"
        );
        assert_eq!(
            profile("[profile.release]\n# no [profile.dist]\n"),
            "release"
        );
        assert_eq!(profile("[profile.dist.package.\"*\"]\n"), "release");
    }

    #[test]
    fn stores_are_read_from_the_help_wherever_its_lines_end() {
        let help = "Options:\n      --stores <STORES>  Stores [default: memory redis] [possible\n   values: memory,\n \
                    redis, redis-aof]\n  --view <VIEW>  [possible values: seat, none]\n";
        assert_eq!(stores(help), ["memory", "redis", "redis-aof"]);
        assert!(stores("Options:\n  --rounds <ROUNDS>").is_empty());
    }
}
