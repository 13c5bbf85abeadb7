//! Where the server is reached, and what is served there.

use std::net::SocketAddr;

/// Where the server listens, and with how many threads.
#[derive(Clone, Debug, clap::Args)]
pub struct ListenArgs {
    /// Where the service listens.
    #[arg(
        long,
        env = "GAMEKEEPER_LISTEN",
        default_value = "127.0.0.1:50051",
        value_name = "ADDRESS"
    )]
    pub listen: SocketAddr,

    /// Where operators are served in plain text: health for probes, /metrics, /log. Not given: nowhere,
    /// and health only beside the service.
    #[arg(long, env = "GAMEKEEPER_ADMIN_LISTEN", value_name = "ADDRESS")]
    pub admin_listen: Option<SocketAddr>,

    /// How many threads serve calls; 0: as many as there are cores.
    #[arg(
        long,
        env = "GAMEKEEPER_WORKERS",
        default_value_t = 0,
        value_name = "COUNT"
    )]
    pub workers: usize,

    /// Serve a page to try the service with, under /playground/ on the port of --admin-listen.
    #[arg(long, env = "GAMEKEEPER_PLAYGROUND")]
    pub playground: bool,
}

impl ListenArgs {
    /// How many threads serve calls.
    #[must_use]
    pub fn workers(&self) -> usize {
        match self.workers {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            count => count,
        }
    }
}
