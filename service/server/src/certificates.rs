//! The expiry of certificates, exported as a metric so that operators learn of it before clients fail.

use std::path::Path;

use arc_swap::ArcSwap;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use x509_parser::parse_x509_certificate;

use crate::config::Config;

/// The expiry times of the certificates in each file.
pub(crate) struct CertificateExpiry(ArcSwap<Vec<(&'static str, i64)>>);

impl CertificateExpiry {
    /// Reads all files that a configuration names.
    pub(crate) fn read(config: &Config) -> Self {
        Self(ArcSwap::from_pointee(expiry_times(config)))
    }

    /// Reads the files again, since they may have changed.
    pub(crate) fn reload(&self, config: &Config) {
        self.0.store(expiry_times(config).into());
    }

    /// Returns the expiry times in seconds since the Unix epoch, each with the name of its setting.
    pub(crate) fn all(&self) -> Vec<(&'static str, i64)> {
        self.0.load().to_vec()
    }
}

fn expiry_times(config: &Config) -> Vec<(&'static str, i64)> {
    let (tls, redis) = (&config.tls, &config.redis);
    let identities = [
        ("tls_cert_file", &tls.tls_cert_file),
        ("redis_cert_file", &redis.redis_cert_file),
        ("redis_sentinel_cert_file", &redis.redis_sentinel_cert_file),
    ];
    let authorities = [
        ("tls_client_ca_file", &tls.tls_client_ca_file),
        ("redis_ca_file", &redis.redis_ca_file),
        ("redis_sentinel_ca_file", &redis.redis_sentinel_ca_file),
        ("otlp_ca_file", &config.telemetry.otlp_ca_file),
    ];
    // A chain expires with the first of its certificates, a set of authorities with the last.
    let identities =
        identities.map(|(name, file)| (name, expiry_in(file.as_deref()).into_iter().min()));
    let trusted =
        authorities.map(|(name, file)| (name, expiry_in(file.as_deref()).into_iter().max()));
    let all = identities.into_iter().chain(trusted);
    all.filter_map(|(name, end)| Some((name, end?))).collect()
}

/// Returns the expiry of each certificate in a file. Unreadable files are skipped: they have been refused elsewhere.
fn expiry_in(file: Option<&Path>) -> Vec<i64> {
    let Some(text) = file.and_then(|file| std::fs::read(file).ok()) else {
        return Vec::new();
    };
    let certificates = CertificateDer::pem_slice_iter(&text).flatten();
    let expiry = |certificate: CertificateDer<'_>| {
        let (_, read) = parse_x509_certificate(&certificate).ok()?;
        Some(read.validity().not_after.timestamp())
    };
    certificates.filter_map(expiry).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    use super::*;

    fn pem(year: i32) -> String {
        let mut params = CertificateParams::new([String::from("localhost")]).unwrap();
        params.not_after = date_time_ymd(year, 1, 1);
        params
            .self_signed(&KeyPair::generate().unwrap())
            .unwrap()
            .pem()
    }

    #[test]
    fn a_chain_ends_with_its_first_and_trust_with_its_last_certificate() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("cert.pem");
        std::fs::write(&file, pem(2030) + &pem(2028)).unwrap();
        let mut config = Config::parse_from(["gamekeeperd"]);
        config.tls.tls_cert_file = Some(file.clone());
        config.redis.redis_ca_file = Some(file.clone());
        config.telemetry.otlp_ca_file = Some(folder.path().join("missing"));
        let year = |year| date_time_ymd(year, 1, 1).unix_timestamp();
        let ends = CertificateExpiry::read(&config);
        let both =
            |identities, trusted| vec![("tls_cert_file", identities), ("redis_ca_file", trusted)];
        assert_eq!(ends.all(), both(year(2028), year(2030)));
        std::fs::write(&file, pem(2031)).unwrap();
        ends.reload(&config);
        assert_eq!(ends.all(), both(year(2031), year(2031)));
    }
}
