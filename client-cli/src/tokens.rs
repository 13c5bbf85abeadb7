//! The tokens of seats, stored in a file that only the user can read.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::output::notice;

/// The stored data of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GameTokens {
    /// The address of the game's server.
    pub(crate) server: String,
    pub(crate) ruleset: String,
    /// The tokens by seat number; empty if the server does not use tokens.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) seats: BTreeMap<u32, String>,
    /// The token of spectators; empty if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) spectator: String,
}

impl GameTokens {
    /// Returns whether a token is stored for this seat, or for spectators if the seat is `None`.
    pub(crate) fn has(&self, seat: Option<u32>) -> bool {
        match seat {
            Some(seat) => self.seats.contains_key(&seat),
            None => !self.spectator.is_empty(),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Content {
    /// The id of the game that was created last.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    last: String,
    #[serde(default)]
    games: BTreeMap<String, GameTokens>,
}

/// The file that stores tokens.
#[derive(Clone, Debug)]
pub(crate) struct TokenStore {
    file: PathBuf,
}

impl TokenStore {
    /// Uses the given file, or the one in the user's state directory.
    pub(crate) fn new(file: Option<PathBuf>) -> Result<Self, Failure> {
        let default = || {
            let strategy = etcetera::choose_base_strategy()
                .map_err(|error| Failure::Usage(format!("{error}; name a file with --tokens")))?;
            let state = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
            Ok(state.join("gamekeeper").join("tokens.json"))
        };
        file.map_or_else(default, Ok).map(|file| Self { file })
    }

    /// Returns the path of the file.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// Returns the stored data of a game.
    pub(crate) fn game(&self, id: &str) -> Result<Option<GameTokens>, Failure> {
        Ok(self.read()?.games.remove(id))
    }

    /// Returns the number of stored games.
    pub(crate) fn count(&self) -> Result<usize, Failure> {
        Ok(self.read()?.games.len())
    }

    /// Returns the id of the game that was created last.
    pub(crate) fn last(&self) -> Result<Option<String>, Failure> {
        Ok(Some(self.read()?.last).filter(|last| !last.is_empty()))
    }

    /// Adds a new game.
    pub(crate) fn add(&self, id: &str, tokens: GameTokens) -> Result<(), Failure> {
        self.change(|content| {
            id.clone_into(&mut content.last);
            content.games.insert(id.to_owned(), tokens);
        })
    }

    /// Stores the new token of a seat, or of spectators if the seat is `None`.
    pub(crate) fn set(
        &self,
        id: &str,
        server: &str,
        seat: Option<u32>,
        token: String,
    ) -> Result<(), Failure> {
        self.change(|content| {
            let game = content.games.entry(id.to_owned()).or_default();
            server.clone_into(&mut game.server);
            match seat {
                Some(seat) => {
                    game.seats.insert(seat, token);
                }
                None => game.spectator = token,
            }
        })
    }

    /// Removes the token of a seat, or of spectators if the seat is `None`.
    pub(crate) fn unset(&self, id: &str, seat: Option<u32>) -> Result<(), Failure> {
        if self.game(id)?.is_none_or(|game| !game.has(seat)) {
            return Ok(());
        }
        self.change(|content| {
            let game = content.games.entry(id.to_owned()).or_default();
            match seat {
                Some(seat) => {
                    game.seats.remove(&seat);
                }
                None => game.spectator.clear(),
            }
        })
    }

    /// Removes a game.
    pub(crate) fn remove(&self, id: &str) -> Result<(), Failure> {
        if !self.read()?.games.contains_key(id) {
            return Ok(());
        }
        self.change(|content| {
            content.games.remove(id);
            if content.last == id {
                content.last.clear();
            }
        })
    }

    fn read(&self) -> Result<Content, Failure> {
        let mut text = String::new();
        match File::open(&self.file) {
            Ok(mut file) => {
                self.restrict_to_owner(&file)?;
                file.read_to_string(&mut text)
                    .map_err(|error| self.failed(&error))?;
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Content::default());
            }
            Err(error) => return Err(self.failed(&error)),
        }
        serde_json::from_str(&text).map_err(|error| Failure::Io {
            what: self.file.display().to_string(),
            error: format!("is not a file of tokens: {error}"),
        })
    }

    /// Restores private permissions on a file that others could read, and notifies the user.
    fn restrict_to_owner(&self, file: &File) -> Result<(), Failure> {
        let mode = file
            .metadata()
            .map_err(|error| self.failed(&error))?
            .permissions()
            .mode();
        if mode & 0o077 == 0 {
            return Ok(());
        }
        notice(format_args!(
            "{} could be read by others (mode {:03o}); it is private again",
            self.file.display(),
            mode & 0o777
        ));
        file.set_permissions(fs::Permissions::from_mode(0o600))
            .map_err(|error| self.failed(&error))
    }

    /// Reads, changes and writes the file under its lock. The new file replaces the old one atomically.
    fn change(&self, change: impl FnOnce(&mut Content)) -> Result<(), Failure> {
        let folder = self
            .file
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .map_err(|error| Failure::io(folder.display(), &error))?;
        let _lock = self.lock()?;
        let mut content = self.read()?;
        change(&mut content);
        let bytes = serde_json::to_vec_pretty(&content)
            .map_err(|error| Failure::Contract(format!("tokens: {error}")))?;
        // A temporary file is created with mode 0600.
        let mut file =
            tempfile::NamedTempFile::new_in(folder).map_err(|error| self.failed(&error))?;
        file.write_all(&bytes)
            .map_err(|error| self.failed(&error))?;
        file.as_file()
            .sync_all()
            .map_err(|error| self.failed(&error))?;
        file.persist(&self.file)
            .map_err(|error| self.failed(&error.error))?;
        Ok(())
    }

    /// Locks the file for a change, so that games created at the same time do not overwrite each other's tokens.
    fn lock(&self) -> Result<File, Failure> {
        let name = self.file.with_extension("lock");
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .mode(0o600)
            .open(&name)
            .map_err(|error| Failure::io(name.display(), &error))?;
        file.lock()
            .map_err(|error| Failure::io(name.display(), &error))?;
        Ok(file)
    }

    fn failed(&self, error: &std::io::Error) -> Failure {
        Failure::io(self.file.display(), error)
    }
}

/// Reads a token from a file: its first non-empty line.
pub(crate) fn read_token(file: &Path) -> Result<String, Failure> {
    let text = fs::read_to_string(file).map_err(|error| Failure::io(file.display(), &error))?;
    text.lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .map(str::to_owned)
        .ok_or_else(|| Failure::Usage(format!("{}: contains no token", file.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> (tempfile::TempDir, TokenStore) {
        let folder = tempfile::tempdir().unwrap();
        let store = TokenStore::new(Some(folder.path().join("state").join("tokens.json"))).unwrap();
        (folder, store)
    }

    fn tokens() -> GameTokens {
        GameTokens {
            server: "http://localhost:1".to_owned(),
            ruleset: "dominion".to_owned(),
            seats: BTreeMap::from([(1, "one".to_owned()), (2, "two".to_owned())]),
            spectator: "look".to_owned(),
        }
    }

    fn mode(file: &Path) -> u32 {
        fs::metadata(file).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn tokens_are_kept_by_game_and_seat() {
        let (_folder, store) = store();
        assert_eq!(store.game("a").unwrap(), None);
        assert_eq!(store.last().unwrap(), None);
        store.add("a", tokens()).unwrap();
        for holder in [Some(2), None] {
            store
                .set("a", "http://localhost:1", holder, "new".to_owned())
                .unwrap();
        }
        let stored = store.game("a").unwrap().unwrap();
        assert_eq!((&*stored.seats[&2], &*stored.spectator), ("new", "new"));
        for holder in [Some(2), None] {
            store.unset("a", holder).unwrap();
            assert!(!store.game("a").unwrap().unwrap().has(holder));
            store.unset("b", holder).unwrap();
        }
        assert_eq!(store.game("b").unwrap(), None);
        assert_eq!(store.last().unwrap().as_deref(), Some("a"));
        store.remove("a").unwrap();
        assert_eq!(store.game("a").unwrap(), None);
        assert_eq!(store.last().unwrap(), None);
    }

    #[test]
    fn only_the_user_may_read_the_file() {
        let (_folder, store) = store();
        store.add("a", tokens()).unwrap();
        assert_eq!(mode(store.file()), 0o600);
        assert_eq!(mode(store.file().parent().unwrap()), 0o700);
        fs::set_permissions(store.file(), fs::Permissions::from_mode(0o644)).unwrap();
        store.game("a").unwrap();
        assert_eq!(mode(store.file()), 0o600);
    }

    #[test]
    fn creations_at_once_all_leave_their_tokens() {
        let (_folder, store) = store();
        std::thread::scope(|scope| {
            for number in 0..8 {
                let store = &store;
                scope.spawn(move || store.add(&number.to_string(), tokens()).unwrap());
            }
        });
        assert_eq!(store.read().unwrap().games.len(), 8);
    }

    #[test]
    fn a_damaged_file_is_not_overwritten() {
        let (_folder, store) = store();
        store.add("a", tokens()).unwrap();
        fs::write(store.file(), "{").unwrap();
        assert!(store.add("b", tokens()).is_err());
        assert_eq!(fs::read_to_string(store.file()).unwrap(), "{");
    }

    #[test]
    fn a_token_file_holds_one_token() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        fs::write(&file, "\n  secret \n").unwrap();
        assert_eq!(read_token(&file).unwrap(), "secret");
        fs::write(&file, "\n").unwrap();
        assert!(read_token(&file).is_err());
    }
}
