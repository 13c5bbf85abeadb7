//! Files with keys and secrets, one on each line.

use std::path::Path;

use sha2::{Digest, Sha256};

use super::config::AuthError;

/// The SHA-256 hash of a key. Files contain hashes only, so that reading a file does not reveal a key.
pub(super) type KeyHash = [u8; 32];

/// The maximum length of a tenant's name, in bytes.
const MAX_TENANT_LEN: usize = 255;

/// Whether this may be the name of a tenant. Games that were created without tokens belong to no tenant.
pub(super) fn is_tenant(name: &str) -> bool {
    !name.is_empty() && name.len() <= MAX_TENANT_LEN && !name.contains(char::is_control)
}

fn lines(file: &Path) -> Result<Vec<(usize, String)>, AuthError> {
    let text = std::fs::read_to_string(file).map_err(|error| AuthError::Unreadable {
        file: file.to_owned(),
        error,
    })?;
    let numbered = (1..).zip(text.lines().map(|line| line.trim().to_owned()));
    Ok(numbered
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .collect())
}

pub(super) fn read_secrets(file: &Path) -> Result<Vec<Vec<u8>>, AuthError> {
    let secret = |(line, text): (usize, String)| {
        let long_enough = text.len() >= 32;
        let wanted = "a secret has at least 32 characters";
        long_enough
            .then(|| text.into_bytes())
            .ok_or_else(|| AuthError::Line {
                file: file.to_owned(),
                line,
                wanted,
            })
    };
    lines(file)?.into_iter().map(secret).collect()
}

pub(super) fn read_tenants(file: &Path) -> Result<Vec<(String, KeyHash)>, AuthError> {
    read_hashes(file, |text| {
        let wanted = "wanted: tenant:sha256-of-the-key-in-hex";
        let (tenant, hash) = text.split_once(':').ok_or(wanted)?;
        let tenant = Some(tenant.trim()).filter(|tenant| is_tenant(tenant));
        let tenant = tenant.ok_or(wanted)?.to_owned();
        Ok((tenant, key_hash(hash.trim(), wanted)?))
    })
}

pub(super) fn read_operators(file: &Path) -> Result<Vec<KeyHash>, AuthError> {
    read_hashes(file, |text| {
        key_hash(text, "wanted: sha256-of-the-key-in-hex")
    })
}

/// Reads a file with a key on each line. Refuses a file without keys: it may have been cut off, or never filled.
fn read_hashes<A>(
    file: &Path,
    read: impl Fn(&str) -> Result<A, &'static str>,
) -> Result<Vec<A>, AuthError> {
    let key = |(line, text): (usize, String)| {
        read(&text).map_err(|wanted| AuthError::Line {
            file: file.to_owned(),
            line,
            wanted,
        })
    };
    let keys: Vec<A> = lines(file)?
        .into_iter()
        .map(key)
        .collect::<Result<_, _>>()?;
    if keys.is_empty() {
        return Err(AuthError::Empty {
            file: file.to_owned(),
        });
    }
    Ok(keys)
}

/// Parses the hash of a key. Refuses the hash of the empty text, which would admit callers without a key.
fn key_hash(hex: &str, wanted: &'static str) -> Result<KeyHash, &'static str> {
    // The library would accept `0x` before the digits.
    let digits = Some(hex).filter(|hex| hex.len() == 64).ok_or(wanted)?;
    let hash: KeyHash = const_hex::decode_to_array(digits).map_err(|_| wanted)?;
    if hash == KeyHash::from(Sha256::digest("")) {
        return Err("this is the hash of an empty key");
    }
    Ok(hash)
}
