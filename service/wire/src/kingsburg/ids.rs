//! Names of things on the table, and the parts that all messages of Kingsburg share.

use gamekeeper_rules::kingsburg::data::{
    Advisor, Building, Color, DieId, Enemy, EnemyKind, Good, Goods, Phase, Step,
};
use gamekeeper_rules::kingsburg::{Decision, EnvoyMode, EnvoyUse, InitialOrder, Outcome};

use super::pb;
use crate::rows::{ToPb, decisions, message, names};

names! {
    Good => pb::Good,
    Color => pb::Color,
    Advisor => pb::Advisor,
    Building => pb::Building,
    EnemyKind => pb::EnemyKind,
    Enemy => pb::Enemy,
    Phase => pb::Phase,
    Step => pb::Step,
    EnvoyUse => pb::EnvoyUse,
    EnvoyMode => pb::EnvoyMode,
    Outcome => pb::Outcome,
    InitialOrder => pb::InitialOrder,
}

decisions! {
    Decision in pb:
    AidGood, EnvoyDeclaration, Reroll, SetAside, Influence, HelpChoice, Build, TownHall, Recruit,
    RewardGood, LossGoods, LossBuilding,
}

message! { Goods => pb::Goods { gold, wood, stone } }

impl ToPb<u32> for DieId {
    fn to_pb(&self) -> u32 {
        self.number().into()
    }
}
