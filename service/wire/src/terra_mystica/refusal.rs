//! The rows of refusals that differ between rules and contract: the expense that cannot be afforded, and the pieces
//! that are lacking.

use gamekeeper_rules::terra_mystica::{Expense, Piece};

use super::event::things_and_names;
use super::pb::{self, expense, piece};
use crate::mapping::message;

things_and_names! {
    Expense => pb::Expense, expense: expense::Expense;
    things { Structure, Step, Conversion }
    Kind => pb::ExpenseKind { Work, Bridge, Priest }
}

things_and_names! {
    Piece => pb::Piece, piece: piece::Piece;
    things { Structure }
    Kind => pb::PieceKind { Bridge, Priest }
}
