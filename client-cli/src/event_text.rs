//! The text of an event, which all rulesets have in the same place.

use prost::Message;

/// The field that events of all rulesets share.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct EventText {
    /// The event as an English sentence; empty if that of the next event covers it.
    #[prost(string, tag = "1")]
    pub(crate) text: String,
}

#[cfg(test)]
mod tests {
    use crate::contract::{Contract, field_message, method};

    #[test]
    fn the_sentence_of_an_event_has_the_same_place_in_all_rulesets() {
        let contract = Contract::load().unwrap();
        for id in contract.ruleset_ids() {
            let service = contract.ruleset(&id).unwrap();
            let answer = method(&service, "ApplyAction").unwrap().output();
            let event = field_message(&answer, "events").unwrap();
            assert_eq!(event.get_field_by_name("text").unwrap().number(), 1, "{id}");
        }
    }
}
