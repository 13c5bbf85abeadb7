//! Which events reveal hidden information: the enemies of later winters (KIN-13.3).

use super::event::Event;

impl Event {
    /// Does it show an enemy?
    pub(crate) const fn reveals(&self) -> bool {
        match self {
            Self::EnemyPeeked { .. } | Self::EnemyRevealed { .. } => true,
            Self::GameBegan { .. }
            | Self::PhaseBegan { .. }
            | Self::AidDieGiven { .. }
            | Self::AidGoodChosen { .. }
            | Self::EnvoyDeclared { .. }
            | Self::NeutralRolled { .. }
            | Self::NeutralPlaced { .. }
            | Self::GuildIncome { .. }
            | Self::DiceRolled { .. }
            | Self::DieRerolled { .. }
            | Self::RollKept { .. }
            | Self::OrderSet { .. }
            | Self::DieSetAside { .. }
            | Self::AdvisorInfluenced { .. }
            | Self::InfluencePassed { .. }
            | Self::HelpGiven { .. }
            | Self::HelpChosen { .. }
            | Self::GoodExchanged { .. }
            | Self::ExchangeDeclined { .. }
            | Self::CourtCleared
            | Self::Built { .. }
            | Self::BuildPassed { .. }
            | Self::InnToken { .. }
            | Self::EmbassyPoint { .. }
            | Self::TownHallToken { .. }
            | Self::TownHallSale { .. }
            | Self::AidDieReturned { .. }
            | Self::KingsRewardGiven { .. }
            | Self::EnvoyGiven { .. }
            | Self::EnvoyNotGiven
            | Self::EnvoyReturned { .. }
            | Self::SoldierRecruited { .. }
            | Self::RecruitPassed { .. }
            | Self::KingDieRolled { .. }
            | Self::StrengthCounted { .. }
            | Self::EnemyRewarded { .. }
            | Self::RewardGoodChosen { .. }
            | Self::FortressPoint { .. }
            | Self::GoodsLost { .. }
            | Self::AnyGoodsLost { .. }
            | Self::BuildingLost { .. }
            | Self::PointsLost { .. }
            | Self::StrongestPoint { .. }
            | Self::YearEnded { .. }
            | Self::CathedralExchange { .. }
            | Self::GameEnded
            | Self::DicePlaced { .. } => false,
        }
    }
}
