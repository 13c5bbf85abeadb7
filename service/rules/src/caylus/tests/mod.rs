//! The rule document's acceptance cases, one file per theme, and other properties.

mod activation;
mod board;
mod building;
mod castle;
mod clarifications;
mod conformance;
mod data;
mod favors;
mod luck;
mod placement;
mod playthroughs;
mod scoring;
mod setup;
mod special;
mod table;
