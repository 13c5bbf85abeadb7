//! The data types of the course of play (GOO-6).

use crate::table::decisions;

decisions! {
    /// The only decision.
    Decision {
        /// GOO-6.2.
        Bid "bid"
            "Bid for the prizes" "Which card do you bid?",
    }
}
