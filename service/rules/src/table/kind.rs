//! Kinds of actions and events.

/// A value of one of several kinds, each with a name: an enum with `strum`'s `IntoStaticStr`.
pub trait Kind {
    /// Returns the name of the kind, in lower snake case. Action kinds are named as the rule document spells them:
    /// `buy_card`.
    fn kind(&self) -> &'static str;
}

impl<T> Kind for T
where
    for<'a> &'a T: Into<&'static str>,
{
    fn kind(&self) -> &'static str {
        self.into()
    }
}
