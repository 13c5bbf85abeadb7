//! The stores that servers of a test share.

use tempfile::TempDir;

use crate::redis::{RedisOptions, RedisServer};
use crate::server::Gamekeeperd;

/// A store for the servers of a test. It ends with the test.
#[derive(Debug)]
pub struct Store {
    flags: Vec<String>,
    redis: Option<RedisServer>,
    directory: Option<TempDir>,
}

impl Store {
    /// Creates a store that each server has for itself, and that ends with it.
    #[must_use]
    pub fn memory() -> Self {
        Self {
            flags: vec![String::from("--store=memory")],
            redis: None,
            directory: None,
        }
    }

    /// Creates a store on disk, for one server at a time.
    ///
    /// # Panics
    /// If there is no directory for it.
    #[must_use]
    pub fn embedded() -> Self {
        let directory = TempDir::new().expect("a directory for games");
        let games = directory.path().join("games");
        Self {
            flags: vec![format!("--data-dir={}", games.display())],
            redis: None,
            directory: Some(directory),
        }
    }

    /// Creates a store in Redis, for any number of servers.
    ///
    /// # Panics
    /// If Redis does not start.
    #[must_use]
    pub fn redis() -> Self {
        Self::redis_with(&RedisOptions::new())
    }

    /// Creates a store in a Redis with these settings.
    ///
    /// # Panics
    /// If Redis does not start.
    #[must_use]
    pub fn redis_with(options: &RedisOptions) -> Self {
        let redis = RedisServer::start(options);
        let address = format!("--redis={}", redis.address());
        Self {
            flags: vec![String::from("--store=redis"), address],
            redis: Some(redis),
            directory: None,
        }
    }

    /// Returns whether games outlive the server that keeps them.
    #[must_use]
    pub fn is_lasting(&self) -> bool {
        self.redis.is_some() || self.directory.is_some()
    }

    /// Returns the flags of a server that uses this store, and these.
    #[must_use]
    pub fn with<'a>(&'a self, more: &[&'a str]) -> Vec<&'a str> {
        let flags = self.flags.iter().map(String::as_str);
        flags.chain(more.iter().copied()).collect()
    }

    /// Starts a server that uses this store, with these flags.
    ///
    /// # Panics
    /// If the server does not start.
    #[must_use]
    pub fn server(&self, more: &[&str]) -> Gamekeeperd {
        Gamekeeperd::start(&self.with(more))
    }
}
