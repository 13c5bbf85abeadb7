//! Where the server listens, and what it serves there.

use std::net::SocketAddr;

/// Where the server listens, and with how many threads.
#[derive(Clone, Debug, clap::Args)]
pub struct ListenArgs {
    /// Address of the service.
    #[arg(
        long,
        env = "GAMEKEEPER_LISTEN",
        default_value = "127.0.0.1:50051",
        value_name = "ADDRESS"
    )]
    pub listen: SocketAddr,

    /// Address of the admin port, in plain text: health for probes, /metrics, /log, /backup. Unset: no
    /// admin port. The port of the service also serves health, over gRPC.
    #[arg(long, env = "GAMEKEEPER_ADMIN_LISTEN", value_name = "ADDRESS")]
    pub admin_listen: Option<SocketAddr>,

    /// Number of threads that serve calls. 0: one per core.
    #[arg(
        long,
        env = "GAMEKEEPER_WORKERS",
        default_value_t = 0,
        value_name = "COUNT"
    )]
    pub workers: usize,

    /// Serve the playground, a page to try the service, under /playground/ on the admin port.
    #[arg(long, env = "GAMEKEEPER_PLAYGROUND")]
    pub playground: bool,

    /// Offer the example rulesets too: Goofspiel, the game of the tutorial for contributors.
    #[arg(long, env = "GAMEKEEPER_SERVE_EXAMPLES")]
    pub serve_examples: bool,
}

impl ListenArgs {
    /// Returns the number of threads that serve calls.
    #[must_use]
    pub fn workers(&self) -> usize {
        match self.workers {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            count => count,
        }
    }
}
