//! **Hot reload**: keys, key sets, certificates and limits of tenants are read again when their files change, and on
//! SIGHUP.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use gamekeeper_games::admission::TenantLimitTable;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::auth::{Authenticator, SkippedKey};
use crate::certificates::CertificateExpiry;
use crate::config::Config;
use crate::serve_error::ServeError;
use crate::tenant_limits;
use crate::transport::{SharedTls, tls};

/// The interval of checks for changed files.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// The parts of the server that are read from files and can be replaced.
pub(crate) struct HotReload {
    pub(crate) config: Config,
    pub(crate) authenticator: Arc<Authenticator>,
    pub(crate) limits: Arc<TenantLimitTable>,
    pub(crate) tls: Option<SharedTls>,
    pub(crate) certificate_expiry: Arc<CertificateExpiry>,
    /// Whether the files could be used when they were last read; exported as a metric.
    pub(crate) is_current: Arc<AtomicBool>,
}

/// The state of a file that shows whether it has changed: modification time and length.
type FileStamp = Option<(SystemTime, u64)>;

impl HotReload {
    /// Follows the files until the server closes. Signals and changes count from this call on, not only from when the
    /// future is polled.
    pub(crate) fn watch(self, closing: CancellationToken) -> impl Future<Output = ()> {
        let hangup = signal(SignalKind::hangup());
        let stamps = self.stamps();
        async move {
            match hangup {
                Ok(hangup) => self.follow(hangup, stamps, closing).await,
                Err(error) => tracing::error!(%error, "SIGHUP cannot be heard"),
            }
        }
    }

    async fn follow(
        self,
        mut hangup: Signal,
        mut last_stamps: Vec<FileStamp>,
        closing: CancellationToken,
    ) {
        loop {
            tokio::select! {
                () = closing.cancelled() => return,
                () = sleep(POLL_INTERVAL) => {
                    let now = self.stamps();
                    if now == last_stamps {
                        continue;
                    }
                    last_stamps = now;
                }
                _ = hangup.recv() => last_stamps = self.stamps(),
            }
            let read = self.read();
            match &read {
                Ok(()) => tracing::info!("keys, certificates and limits were read again"),
                Err(error) => {
                    tracing::error!(%error, "keys, certificates or limits cannot be read: those from before stay");
                }
            }
            self.is_current.store(read.is_ok(), Ordering::Relaxed);
        }
    }

    fn read(&self) -> Result<(), ServeError> {
        let read = tls(&self.config.tls)?;
        let limits = tenant_limits::read(self.config.limits.tenant_limits_file.as_deref())?;
        let skipped_before = self.authenticator.skipped_keys();
        self.authenticator.reload()?;
        for key in self.authenticator.skipped_keys() {
            if !skipped_before.contains(&key) {
                tracing::warn!("{}", skipped_key(&key));
            }
        }
        self.limits.replace(&limits);
        if let (Some(shared), Some(read)) = (&self.tls, read) {
            shared.store(Arc::new(read));
        }
        self.certificate_expiry.reload(&self.config);
        Ok(())
    }

    /// Returns the state of each file. Mounted secrets are symbolic links that are replaced: their target then has
    /// another time.
    fn stamps(&self) -> Vec<FileStamp> {
        let stamp = |file: PathBuf| {
            let metadata = std::fs::metadata(file).ok()?;
            Some((metadata.modified().ok()?, metadata.len()))
        };
        files(&self.config).map(stamp).collect()
    }
}

/// Formats a warning about a key of a key set that verifies no tokens.
pub(crate) fn skipped_key(key: &SkippedKey) -> String {
    format!("--tenant-jwks-file: no token is verified with {key}")
}

fn files(config: &Config) -> impl Iterator<Item = PathBuf> {
    let (tls, auth, redis) = (&config.tls, &config.auth, &config.redis);
    [
        &tls.tls_cert_file,
        &tls.tls_key_file,
        &tls.tls_client_ca_file,
        &auth.tenant_keys_file,
        &auth.operator_keys_file,
        &auth.tenant_jwks_file,
        &auth.token_keys_file,
        &auth.record_signing_key_file,
        &config.limits.tenant_limits_file,
        // Read by the store at each new connection; here for the metric of certificates that end.
        &redis.redis_ca_file,
        &redis.redis_cert_file,
        &redis.redis_sentinel_ca_file,
        &redis.redis_sentinel_cert_file,
    ]
    .into_iter()
    .flatten()
    .cloned()
}
