//! What one viewer may know of the table. `None` stays unset: hidden is not the same as empty.

use gamekeeper_rules::dominion::{Choice, FinalDeck, Frame, Gain, PlayerView, Question, View};

use super::pb::{self, frame::Kind};
use crate::rows::{message, oneof};

message! {
    View => pb::View {
        options, kingdom, phase, active_player, turn_number, counters, bought_this_turn, supply,
        trash, players, stack, question, final_decks,
    } without { pending }
}

message! {
    PlayerView => pb::PlayerView {
        seat, hand_count, hand, draw_pile_empty, draw_pile_count, draw_pile, discard_empty,
        discard_top, discard_pile, in_play, turns_taken,
    }
}

message! { FinalDeck => pb::FinalDeck { seat, cards } }
message! { Question => pb::Question { choice } }
message! { Choice => pb::Choice { cards, min, max } }
message! { Gain => pb::GainFrame { max_cost, treasure_only, destination } }
message! { Frame => pb::Frame, |frame| { kind: *frame } }

/// The messages of effects, named as the rules name them.
mod frames {
    pub(super) use super::pb::{
        BureaucratFrame as Bureaucrat, CellarFrame as Cellar, ChancellorFrame as Chancellor,
        ChapelFrame as Chapel, LibraryFrame as Library, MilitiaFrame as Militia,
        MineTrashFrame as MineTrash, ReactionsFrame as Reactions,
        RemodelTrashFrame as RemodelTrash, ResolveFrame as Resolve, SpyFrame as Spy,
        ThiefFrame as Thief, ThiefGainFrame as ThiefGain, ThroneChooseFrame as ThroneChoose,
        ThroneSecondFrame as ThroneSecond,
    };
}

oneof! {
    Frame => Kind in frames;
    fields {
        Reactions { card, queue, immune },
        Resolve { card, immune },
        ThroneChoose {},
        ThroneSecond { card },
        Cellar {},
        Chapel {},
        Chancellor {},
        RemodelTrash {},
        MineTrash {},
        Library { drawn, set_aside },
        Militia { queue, immune },
        Bureaucrat { queue, immune },
        Spy { queue, immune, revealed },
        Thief { queue, immune, revealed, trashed },
        ThiefGain { trashed },
    }
    inner { Gain }
}
