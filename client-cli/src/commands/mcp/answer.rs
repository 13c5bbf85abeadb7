//! The answer of a tool.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{CallToolResult, ContentBlock, MetaObject};
use serde_json::{Value, json};

use super::text::page;
use crate::failure::Failure;

/// The answer of a tool: a text for the model, facts for the program around it, and perhaps a picture.
#[derive(Debug, Default)]
pub(super) struct Answer {
    text: String,
    /// The page of the text to send, from 1; 0 is the first.
    part: usize,
    /// A PNG picture.
    picture: Option<Vec<u8>>,
    is_refusal: bool,
    /// Facts that hosts keep from the model, by name.
    facts: Vec<(&'static str, Value)>,
}

impl Answer {
    /// Creates an answer that is a text.
    pub(super) fn new(text: String) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    /// Creates a refusal with this text.
    pub(super) fn refusal(text: String) -> Self {
        Self {
            text,
            is_refusal: true,
            ..Self::default()
        }
    }

    /// Selects a page of the text.
    pub(super) fn part(self, part: Option<usize>) -> Self {
        Self {
            part: part.unwrap_or_default(),
            ..self
        }
    }

    /// Adds a PNG picture.
    pub(super) fn picture(self, png: Vec<u8>) -> Self {
        Self {
            picture: Some(png),
            ..self
        }
    }

    /// Adds a fact for programs.
    pub(super) fn fact(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.facts.push((name, value.into()));
        self
    }

    /// Converts this answer to a result of the protocol.
    pub(super) fn into_result(self) -> CallToolResult {
        let mut content = vec![ContentBlock::text(page(&self.text, self.part))];
        if let Some(png) = self.picture {
            content.push(ContentBlock::image(STANDARD.encode(&png), "image/png"));
        }
        let result = match self.is_refusal {
            true => CallToolResult::error(content),
            false => CallToolResult::success(content),
        };
        if self.facts.is_empty() {
            return result;
        }
        let mut meta = MetaObject::new();
        for (name, value) in self.facts {
            meta.insert(format!("gamekeeper/{name}"), value);
        }
        result.with_meta(Some(meta))
    }
}

/// Reports a failure as a refusal, with its reason, its rule, and the tool that has the rule's text.
impl From<Failure> for Answer {
    fn from(failure: Failure) -> Self {
        let mut text = failure.to_string();
        if let Some(rule) = failure.rule() {
            text += &format!("\nThe rule's text: look_up_rule with query {rule:?}.");
        }
        let refused = Self::refusal(text);
        let refused = match &failure {
            Failure::Call(call) => refused.fact("reason", call.reason()),
            Failure::Usage(_) | Failure::Invalid(_) => refused.fact("reason", "MALFORMED"),
            Failure::NoServer { .. }
            | Failure::NoAdmin { .. }
            | Failure::ReceiverGone { .. }
            | Failure::Difference(_)
            | Failure::Refused { .. }
            | Failure::Io { .. }
            | Failure::PipeClosed
            | Failure::Contract(_) => refused,
        };
        match failure.rule() {
            Some(rule) => refused.fact("rule", json!(rule)),
            None => refused,
        }
    }
}
