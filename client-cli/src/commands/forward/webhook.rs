//! A **webhook**: one thing that happened, for one seat of a game.

use std::time::{Duration, SystemTime};

use clap::ValueEnum;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// The kind of news that a webhook reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(super) enum Kind {
    /// The game is over
    Over,
    /// Another player asks for the seat's consent
    Proposal,
    /// The seat owes a new decision
    YourTurn,
    /// The seat still owes a decision, whose time runs out soon or which has waited for long
    DueSoon,
}

impl Kind {
    /// All kinds.
    pub(super) const ALL: [Self; 4] = [Self::Over, Self::Proposal, Self::YourTurn, Self::DueSoon];

    /// Returns the name of the kind, as payloads and metrics have it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Over => "over",
            Self::Proposal => "proposal",
            Self::YourTurn => "your_turn",
            Self::DueSoon => "due_soon",
        }
    }

    /// Returns the type of the webhook, as its payload has it.
    fn type_name(self) -> &'static str {
        match self {
            Self::Over => "game.over",
            Self::Proposal => "game.proposal",
            Self::YourTurn => "game.your_turn",
            Self::DueSoon => "game.due_soon",
        }
    }
}

/// One thing that happened, for one seat. Times are in milliseconds since the Unix epoch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Webhook {
    pub(super) kind: Kind,
    /// The id of the game.
    pub(super) game: String,
    /// The version that it is about: that at which the decision began, the proposal was made, or the game ended.
    pub(super) version: u64,
    /// The seat, from 1.
    pub(super) seat: u32,
    /// The user of the seat; empty if it has none.
    pub(super) user: String,
    /// When the time of the decision runs out. Is `None` without a clock.
    pub(super) due_ms: Option<u64>,
    /// The time at which it happened.
    pub(super) time_ms: u64,
}

/// The payload, in the form of Standard Webhooks.
#[derive(Serialize)]
struct Payload<'a> {
    r#type: &'static str,
    timestamp: String,
    data: Data<'a>,
}

#[derive(Serialize)]
struct Data<'a> {
    game: &'a str,
    version: u64,
    kind: &'static str,
    seat: u32,
    user: Option<&'a str>,
    due: Option<String>,
}

impl Webhook {
    /// Returns the id of the webhook. It follows from game, version, kind and seat, of `due_soon` also from the due
    /// time, so the same event has the same id however often it is sent.
    pub(super) fn id(&self) -> String {
        let due = self.due_ms.filter(|_| self.kind == Kind::DueSoon);
        let due = due.map_or_else(String::new, |due| due.to_string());
        let (game, version, seat) = (&self.game, self.version, self.seat);
        let source = format!("{game}/{version}/{}/{seat}/{due}", self.kind.name());
        let digest = Sha256::digest(source);
        format!("msg_{}", const_hex::encode(&digest[..16]))
    }

    /// Returns the body of the request.
    ///
    /// # Errors
    /// Never for a webhook: texts and numbers can be written as JSON.
    pub(super) fn body(&self) -> serde_json::Result<String> {
        serde_json::to_string(&Payload {
            r#type: self.kind.type_name(),
            timestamp: rfc3339(self.time_ms),
            data: Data {
                game: &self.game,
                version: self.version,
                kind: self.kind.name(),
                seat: self.seat,
                user: Some(&*self.user).filter(|user| !user.is_empty()),
                due: self.due_ms.map(rfc3339),
            },
        })
    }
}

/// Formats a time in milliseconds since the Unix epoch.
pub(super) fn rfc3339(ms: u64) -> String {
    let time = SystemTime::UNIX_EPOCH + Duration::from_millis(ms);
    humantime::format_rfc3339_millis(time).to_string()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn webhook() -> Webhook {
        Webhook {
            kind: Kind::YourTurn,
            game: String::from("13a05b15-fa26-869d-9b2a-b35396f37186"),
            version: 7,
            seat: 2,
            user: String::from("bob"),
            due_ms: Some(1_700_000_000_250),
            time_ms: 1_699_999_000_000,
        }
    }

    #[test]
    fn the_payload_has_the_form_of_standard_webhooks() {
        assert_eq!(
            webhook().body().unwrap(),
            r#"{"type":"game.your_turn","timestamp":"2023-11-14T21:56:40.000Z","data":{"game":"13a05b15-fa26-869d-9b2a-b35396f37186","version":7,"kind":"your_turn","seat":2,"user":"bob","due":"2023-11-14T22:13:20.250Z"}}"#
        );
        let plain = Webhook {
            user: String::new(),
            due_ms: None,
            ..webhook()
        };
        let body = plain.body().unwrap();
        assert!(body.ends_with(r#""user":null,"due":null}}"#), "{body}");
    }

    #[test]
    fn the_id_follows_from_what_the_webhook_is_about() {
        // Written down, because receivers have seen ids of earlier releases.
        assert_eq!(webhook().id(), "msg_5117b66b1a89f73338e6e0a453fa9f32");
        let same = [
            Webhook {
                user: String::from("eve"),
                ..webhook()
            },
            Webhook {
                time_ms: 1,
                ..webhook()
            },
            Webhook {
                due_ms: None,
                ..webhook()
            },
        ];
        assert!(same.iter().all(|other| other.id() == webhook().id()));
        let soon = Webhook {
            kind: Kind::DueSoon,
            ..webhook()
        };
        let others = [
            webhook(),
            Webhook {
                kind: Kind::Over,
                ..webhook()
            },
            Webhook {
                version: 8,
                ..webhook()
            },
            Webhook {
                seat: 1,
                ..webhook()
            },
            Webhook {
                game: String::from("13a05b15-fa26-869d-9b2a-b35396f37187"),
                ..webhook()
            },
            Webhook {
                due_ms: None,
                ..soon.clone()
            },
            Webhook {
                due_ms: Some(1),
                ..soon.clone()
            },
            soon,
        ];
        let ids: BTreeSet<_> = others.iter().map(Webhook::id).collect();
        assert_eq!(ids.len(), others.len());
        assert!(
            ids.iter().all(|id| !id.contains('.')),
            "a point ends the id in what is signed"
        );
    }
}
