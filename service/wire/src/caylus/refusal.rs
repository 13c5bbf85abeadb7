//! The values of refusals.

use gamekeeper_rules::caylus::data::Resource;
use gamekeeper_rules::caylus::{OptionFlaw, PaymentFlaw, Refusal};

use super::pb::{
    self,
    refusal_detail::{
        invalid_option::{self, Flaw as OptionKind},
        invalid_payment::{self, Flaw as PaymentKind},
    },
};
use crate::rows::{ToField, oneof, refusals, write_list};

refusals! {
    Refusal in pb;
    CannotAfford { expense, tile, price, owned },
    NotOptional { tile },
    SuperfluousParameter { field },
    InvalidResource { resource, allowed },
    InvalidAmount { field, count, min, max },
    InvalidPayment { flaw },
    SpaceEmpty { space },
    SpaceNotWorkable { space, tile },
    SpaceOccupied { target },
    ProvostMoveTooLong { delta, max },
    ProvostOutOfRange { provost, delta },
    WrongTileKind { tile, wanted },
    TileNotAvailable { tile },
    NoResidence { space },
    NotYourResidence { space },
    TargetNotTransformable { space, tile },
    TargetAlreadyPending { space, tile },
    InvalidBatch { second, third },
    FavorLineUsed { line },
    FavorColumnLocked { line, column, max },
    FavorColumnEmpty { line, column },
    InvalidOption { field, flaw };
    bare GoldNotAllowed, NoWorkers, AlreadyInCastle, AlreadyInStables, StablesFull,
    StablesNotUsed, NoFreeSpace, CastleFull,
}

oneof! {
    PaymentFlaw => PaymentKind in invalid_payment;
    fields {
        Alchemist { cubes, less, more },
        CubeMissing { tile },
        CubeNotNeeded { tile },
    }
}

oneof! {
    OptionFlaw => OptionKind in invalid_option;
    fields {
        NeutralOrder {},
        TurnOrder { seats },
    }
}

impl ToField<Vec<i32>> for &'static [Resource] {
    fn write_field(&self, number: u32, out: &mut Vec<u8>) {
        write_list::<Resource, i32>(self.iter(), number, out);
    }
}
