//! A commit of this repository, and its folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::error::{CompareError, MANIFEST, io, printed};

/// The place of kept folders, below the root of the repository.
const FOLDERS: &str = "target/bench/commits";

/// A commit that can measure itself.
#[derive(Debug)]
pub(super) struct Commit {
    root: PathBuf,
    hash: String,
    label: String,
}

impl Commit {
    /// Finds a commit by a name that git knows.
    ///
    /// # Errors
    /// If there is none, or it has no measurements.
    pub(super) fn find(root: &Path, name: &str) -> Result<Self, CompareError> {
        let revision = format!("{name}^{{commit}}");
        let hash = git(root, &["rev-parse", "--verify", "--quiet", &revision]).map_err(|_| {
            let name = name.to_owned();
            CompareError::NoCommit { name }
        })?;
        let label = label(name, &hash);
        let commit = Self {
            root: root.to_owned(),
            hash,
            label,
        };
        match commit.file(MANIFEST) {
            Ok(_) => Ok(commit),
            Err(_) => Err(CompareError::NoBench {
                label: commit.label,
            }),
        }
    }

    /// Reads a file of the commit.
    fn file(&self, path: &str) -> Result<String, CompareError> {
        git(&self.root, &["show", &format!("{}:{path}", self.hash)])
    }

    /// Returns the name of the commit in tables.
    pub(super) fn label(&self) -> String {
        self.label.clone()
    }

    /// Reads the manifest of the commit's workspace.
    ///
    /// # Errors
    /// If it has none.
    pub(super) fn workspace(&self) -> Result<String, CompareError> {
        self.file("Cargo.toml")
    }

    /// Returns the folder of the commit, which is a work tree of its own and is kept.
    ///
    /// # Errors
    /// If it was changed, or git cannot make it.
    pub(super) fn folder(&self) -> Result<PathBuf, CompareError> {
        let short = self.hash.get(..12).unwrap_or(&self.hash);
        let folder = self.root.join(FOLDERS).join(short);
        if !folder.join(".git").exists() {
            let path = folder.to_string_lossy();
            // Forced, since git still knows the folder if somebody removed it without git.
            let add = ["worktree", "add", "--quiet", "--force", "--detach"];
            git(&self.root, &[&add[..], &[&*path, &self.hash]].concat())?;
        }
        let head = git(&folder, &["rev-parse", "HEAD"])?;
        if head != self.hash || is_changed(&folder)? {
            let label = self.label.clone();
            return Err(CompareError::Changed { label, folder });
        }
        Ok(folder)
    }
}

/// Returns the root of the repository that this program runs in.
///
/// # Errors
/// If there is none.
pub(super) fn root() -> Result<PathBuf, CompareError> {
    git(Path::new("."), &["rev-parse", "--show-toplevel"]).map(PathBuf::from)
}

/// Reports whether tracked files differ from the commit that is checked out in this folder.
///
/// # Errors
/// If git fails.
pub(super) fn is_changed(folder: &Path) -> Result<bool, CompareError> {
    let changes = git(folder, &["status", "--porcelain", "--untracked-files=no"])?;
    Ok(!changes.is_empty())
}

/// Runs git in a folder and returns what it prints.
fn git(folder: &Path, arguments: &[&str]) -> Result<String, CompareError> {
    let mut command = Command::new("git");
    command.args(arguments).current_dir(folder);
    // Hooks of git set them, and then git would work in another folder.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(name);
    }
    let output = command.output().map_err(io("git"))?;
    if output.status.success() {
        return Ok(printed(&output.stdout));
    }
    Err(CompareError::Git {
        arguments: arguments.join(" "),
        messages: printed(&output.stderr),
    })
}

/// Returns the name of a commit in tables: the beginning of its hash, after the name if that is another.
fn label(name: &str, hash: &str) -> String {
    let short = hash.get(..8).unwrap_or(hash);
    if hash.starts_with(name) {
        short.to_owned()
    } else {
        format!("{name} {short}")
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Builds a repository with two commits: one without measurements, one whose measurements have no manifest that
    /// cargo can read.
    pub(crate) fn repository() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let commit = |files: &[(&str, &str)]| {
            for (path, text) in files {
                std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
                std::fs::write(root.join(path), text).unwrap();
            }
            git(&root, &["add", "."]).unwrap();
            let author = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
            let commit = ["commit", "--quiet", "--no-gpg-sign", "--message=Files"];
            git(&root, &[&author[..], &commit].concat()).unwrap();
        };
        git(&root, &["init", "--quiet"]).unwrap();
        commit(&[("README.md", "Text"), (".gitignore", "/target\n")]);
        commit(&[("Cargo.toml", "[profile.dist]"), (MANIFEST, "no manifest")]);
        (folder, root)
    }

    #[test]
    fn only_commits_with_measurements_are_found() {
        let (_folder, root) = repository();
        let refused = |name| Commit::find(&root, name).unwrap_err();
        assert!(matches!(refused("other"), CompareError::NoCommit { name } if name == "other"));
        assert!(matches!(
            refused("HEAD:README.md"),
            CompareError::NoCommit { .. }
        ));
        assert!(matches!(refused("HEAD~1"), CompareError::NoBench { .. }));
        let found = Commit::find(&root, "HEAD").unwrap();
        let by_hash = Commit::find(&root, &found.hash[..10]).unwrap();
        assert_eq!(found.hash, by_hash.hash);
        assert_eq!(found.label, format!("HEAD {}", by_hash.label));
    }

    #[test]
    fn the_folder_of_a_commit_is_kept_and_never_measured_with_changes() {
        let (_folder, root) = repository();
        let commit = Commit::find(&root, "HEAD").unwrap();
        let folder = commit.folder().unwrap();
        assert!(folder.starts_with(root.join("target")) && folder.join(MANIFEST).is_file());
        assert!(!is_changed(&root).unwrap());
        std::fs::write(folder.join("untracked"), "kept").unwrap();
        assert_eq!(commit.folder().unwrap(), folder);
        assert!(folder.join("untracked").is_file());
        std::fs::write(folder.join(MANIFEST), "changed").unwrap();
        assert!(matches!(commit.folder(), Err(CompareError::Changed { .. })));
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(commit.folder().unwrap(), folder);
        git(&folder, &["checkout", "--quiet", "HEAD~1"]).unwrap();
        assert!(matches!(commit.folder(), Err(CompareError::Changed { .. })));
    }

    #[test]
    fn a_name_that_is_no_hash_has_the_hash_beside_it() {
        let hash = "ceb867ce874814d20460f6ad49353f946d5c42f9";
        assert_eq!(label("ceb867c", hash), "ceb867ce");
        assert_eq!(label("HEAD~2", hash), "HEAD~2 ceb867ce");
    }
}
