//! The row of a ruleset.

/// Implements [`Wire`](crate::Wire) for a ruleset by its other rows and its module `catalogue`:
/// `wire! { Kingsburg in pb }`.
macro_rules! wire {
    ($rules:ident in $pb:ident) => {
        impl $crate::Wire for $rules {
            const CATALOGUE_REVISION: u32 = catalogue::REVISION;

            type Messages = $pb::Messages;

            fn draft(message: $pb::Options) -> Result<Self::Draft, $crate::Malformed> {
                $crate::rows::field("options", message)
            }

            fn encoded_options(options: &Self::Options) -> ::gamekeeper_proto::Opaque {
                $crate::rows::encoded::<$pb::Options>(options)
            }

            fn action(message: $pb::Action) -> Result<Self::Action, $crate::Malformed> {
                $crate::rows::action(message.kind)
            }

            fn encoded_action(action: &Self::Action) -> ::gamekeeper_proto::Opaque {
                $crate::rows::encoded_kind(&$pb::Action::FIELDS.kind, action)
            }

            fn encoded_event(event: &Self::Event) -> ::gamekeeper_proto::Opaque {
                $crate::rows::encoded_kind(&$pb::Event::FIELDS.kind, event)
            }

            fn encoded_view(view: &Self::View) -> ::gamekeeper_proto::Opaque {
                $crate::rows::encoded_view::<$pb::View>(view)
            }

            fn encoded_detail(refusal: &Self::Refusal) -> Option<::gamekeeper_proto::Opaque> {
                $crate::rows::encoded_detail::<$pb::RefusalDetail>(refusal)
            }

            fn catalogue() -> $pb::Catalogue {
                catalogue::catalogue()
            }
        }
    };
}
pub(crate) use wire;
