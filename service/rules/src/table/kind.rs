//! Kinds of actions.

/// One of several kinds, each with a name: an enum with `strum`'s `IntoStaticStr`.
pub trait Kind {
    /// The name of the kind, as the rule document spells it: `buy_card`.
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
