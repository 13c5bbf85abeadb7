//! **Requests**: what handlers read from requests of every ruleset: ids, times, pages, filters.

pub(crate) mod filter;
pub(crate) mod ids;
pub(crate) mod number_type;
pub(crate) mod page;
pub(crate) mod ruleset_message;
pub(crate) mod times;
