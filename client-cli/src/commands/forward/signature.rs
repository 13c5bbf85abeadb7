//! Signatures of webhooks, by the scheme of Standard Webhooks: HMAC-SHA256 of id, time and body.

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac::{HMAC_SHA256, Key, sign};

use crate::failure::Failure;

/// The beginning of a secret as text.
const PREFIX: &str = "whsec_";

/// The bounds for the length of a secret, in bytes, as the scheme recommends them.
const LENGTHS: std::ops::RangeInclusive<usize> = 24..=64;

/// The secrets with which webhooks are signed: one, or two while one replaces the other.
pub(super) struct Secrets(Vec<Key>);

impl Secrets {
    /// Reads a file with one secret on each line, `whsec_` and its bytes in base64.
    ///
    /// # Errors
    /// If the file cannot be read, or does not hold one or two secrets.
    pub(super) fn read(file: &Path) -> Result<Self, Failure> {
        let text =
            std::fs::read_to_string(file).map_err(|error| Failure::io(file.display(), &error))?;
        Self::parse(&text)
            .map_err(|why| Failure::Usage(format!("--secret-file {}: {why}", file.display())))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let keys: Vec<Key> = lines.map(key).collect::<Result<_, _>>()?;
        match keys.len() {
            1 | 2 => Ok(Self(keys)),
            0 => Err(String::from("has no secret")),
            count => Err(format!("has {count} secrets; at most two can be in use")),
        }
    }

    /// Returns the header `webhook-signature`: a signature by each secret.
    pub(super) fn signature(&self, id: &str, timestamp: u64, body: &str) -> String {
        let content = format!("{id}.{timestamp}.{body}");
        let signatures = self.0.iter().map(|key| {
            let tag = sign(key, content.as_bytes());
            format!("v1,{}", STANDARD.encode(tag))
        });
        signatures.collect::<Vec<_>>().join(" ")
    }
}

/// Reads a secret. The error does not show it.
fn key(line: &str) -> Result<Key, String> {
    let encoded = line.strip_prefix(PREFIX);
    let bytes = encoded.and_then(|encoded| STANDARD.decode(encoded).ok());
    let bytes = bytes.ok_or_else(|| format!("a line is not {PREFIX} and base64"))?;
    if !LENGTHS.contains(&bytes.len()) {
        let (count, least, most) = (bytes.len(), LENGTHS.start(), LENGTHS.end());
        return Err(format!(
            "a secret has {count} bytes; {least} to {most} are allowed"
        ));
    }
    Ok(Key::new(HMAC_SHA256, &bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const OTHER: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

    #[test]
    fn the_signature_is_that_of_the_scheme() {
        // The example of the Standard Webhooks specification.
        let secrets = Secrets::parse(SECRET).unwrap();
        let signed = secrets.signature(
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330,
            r#"{"test": 2432232314}"#,
        );
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn two_secrets_sign_side_by_side() {
        let [one, other, both] = [SECRET, OTHER, &format!("{SECRET}\n\n{OTHER}\n")]
            .map(|text| Secrets::parse(text).unwrap().signature("msg_1", 1, "{}"));
        assert_eq!(both, format!("{one} {other}"));
    }

    #[test]
    fn a_file_without_usable_secrets_is_refused_without_showing_it() {
        for (text, why) in [
            (String::new(), "no secret"),
            (format!("{SECRET}\n{OTHER}\n{SECRET}"), "3 secrets"),
            (SECRET.replace("whsec_", ""), "whsec_"),
            (String::from("whsec_!!!!"), "base64"),
            (String::from("whsec_AAAA"), "3 bytes"),
        ] {
            let error = Secrets::parse(&text).err().unwrap();
            assert!(error.contains(why), "{error}");
            assert!(
                !error.contains("AAAA") && !error.contains("MfKQ"),
                "{error}"
            );
        }
    }
}
