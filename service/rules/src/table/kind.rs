//! Kinds of actions and events.

/// One of several kinds, each with a name: an enum with `strum`'s `IntoStaticStr`.
pub trait Kind {
    /// The name of the kind, in lower snake case. That of an action is as the rule document
    /// spells it: `buy_card`.
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
