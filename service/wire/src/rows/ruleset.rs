//! The row of a ruleset.

/// Implements [`Wire`](crate::Wire) for a ruleset by its other rows and its module `catalogue`:
/// `wire! { Kingsburg in pb }`. If earlier builds recorded fewer events, the function for
/// [`Wire::recorded_before`](crate::Wire::recorded_before) follows: `wire! { Kingsburg in pb; recorded_before }`.
macro_rules! wire {
    ($rules:ident in $pb:ident $(; $recorded_before:ident)?) => {
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
                $crate::rows::encoded_action(&$pb::Action::FIELDS.kind, action)
            }

            fn encoded_event(
                event: &Self::Event,
                text: Option<String>,
            ) -> ::gamekeeper_proto::Opaque {
                let fields = $pb::Event::FIELDS;
                $crate::rows::encoded_event((&fields.text, text), (&fields.kind, event))
            }

            $(fn recorded_before(event: &Self::Event) -> Option<Self::Event> {
                $recorded_before(event)
            })?

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
