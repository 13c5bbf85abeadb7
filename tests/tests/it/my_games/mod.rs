//! A front end with users: several games at once, lists of what is whose, and one stream for many games.

mod batch;
