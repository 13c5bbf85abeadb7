//! The rulesets with a protobuf contract: the one place that lists them.

/// Hands every ruleset to a macro of the caller, one `module: Ruleset` each.
///
/// This list is the registration: server, command line and tests all go through it. `module` names
/// the folder of the ruleset in every crate, so the caller's macro reaches
///
/// * the rules: `gamekeeper_rules::$module::$Ruleset`, which implements [`Wire`](crate::Wire);
/// * the contract: `gamekeeper_wire::$module::pb`, with all messages of the ruleset's package, and
///   the client of its service as `pb::Client`.
///
/// The macro can be called in item, statement and expression position.
///
/// ```
/// use gamekeeper_rules::ruleset::Ruleset;
///
/// macro_rules! ids {
///     ($($module:ident: $Ruleset:ident),* $(,)?) => {
///         [$(<gamekeeper_rules::$module::$Ruleset as Ruleset>::SHEET.id),*]
///     };
/// }
/// assert!(gamekeeper_wire::for_each_ruleset!(ids).contains(&"dominion"));
/// ```
#[macro_export]
macro_rules! for_each_ruleset {
    ($callback:ident) => {
        $callback! {
            caylus: Caylus,
            dominion: Dominion,
            kingsburg: Kingsburg,
            mythotopia: Mythotopia,
            terra_mystica: TerraMystica,
        }
    };
}

#[cfg(test)]
mod tests;
