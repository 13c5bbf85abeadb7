//! Attacks on running servers until this program is ended.

use std::time::Duration;

use clap::ValueEnum;
use tokio::time::{sleep, timeout};

use super::attackers::{Attacker, Target};

/// The attackers, and the servers that they attack.
#[derive(Clone, Debug, clap::Args)]
pub struct AttackPlan {
    /// Addresses of servers, host:port
    #[arg(long, value_delimiter = ',', required = true)]
    addresses: Vec<String>,
    /// The key of the attacking tenant
    #[arg(long)]
    key: String,
    /// Attackers; all of them, if none is named
    #[arg(long, value_delimiter = ',')]
    attackers: Vec<Attacker>,
    /// Calls that each attacker has open at once, at each server
    #[arg(long, default_value_t = 32)]
    at_once: usize,
}

/// The duration of an attack. It then releases everything and starts again, because attackers come and go.
const ROUND: Duration = Duration::from_secs(20);

/// The delay before the next attempt if an attack could not start: the server is down, or refuses.
const PAUSE: Duration = Duration::from_secs(1);

/// Attacks until the program is ended.
///
/// # Panics
/// If no runtime can be created.
pub fn attack(plan: &AttackPlan) {
    let runtime = super::runtime(1, || ());
    let attackers: Vec<_> = if plan.attackers.is_empty() {
        Attacker::value_variants().to_vec()
    } else {
        plan.attackers.clone()
    };
    for address in &plan.addresses {
        let target = Target {
            address: address.clone(),
            key: plan.key.clone(),
            at_once: plan.at_once,
        };
        for attacker in &attackers {
            runtime.spawn(forever(target.clone(), *attacker));
        }
    }
    runtime.block_on(std::future::pending::<()>());
}

async fn forever(target: Target, attacker: Attacker) {
    loop {
        // The timeout ends attempts on a server that was killed, which never answers.
        match timeout(ROUND, target.begin(attacker)).await {
            Ok(Ok(attacks)) => {
                sleep(ROUND).await;
                drop(attacks);
            }
            Ok(Err(_)) | Err(_) => sleep(PAUSE).await,
        }
    }
}
