//! What happened, already cut to what its viewer may know.

use gamekeeper_rules::kingsburg::{Event, ShownDie};

use super::pb::{self, event::Kind};
use crate::rows::{message, oneof};

oneof! {
    Event => Kind in pb;
    fields {
        GameBegan { order },
        PhaseBegan { year, phase },
        AidDieGiven { seat },
        AidGoodChosen { seat, good },
        EnvoyDeclared { seat, purpose },
        NeutralRolled { together, alone },
        NeutralPlaced { advisor, values },
        GuildIncome { seat },
        DiceRolled { seat, dice },
        DieRerolled { seat, die, before, after },
        RollKept { seat },
        OrderSet { order, totals },
        DieSetAside { seat, die, value },
        AdvisorInfluenced { seat, advisor, dice, plus2, market_offset, use_envoy },
        DicePlaced { seat, advisor, dice },
        InfluencePassed { seat },
        HelpGiven { seat, advisor, goods, vp, plus2, soldiers },
        EnemyPeeked { seat, advisor, year, card },
        HelpChosen { seat, advisor, goods },
        GoodExchanged { seat, gave, gained },
        ExchangeDeclined { seat },
        CourtCleared {},
        Built { seat, building, paid, vp },
        BuildPassed { seat },
        InnToken { seat },
        EmbassyPoint { seat },
        TownHallToken { seat },
        TownHallSale { seat, good },
        AidDieReturned { seat },
        KingsRewardGiven { seat },
        EnvoyGiven { seat },
        EnvoyNotGiven {},
        EnvoyReturned { seat },
        SoldierRecruited { seat, paid },
        RecruitPassed { seat },
        EnemyRevealed { card },
        KingDieRolled { seat, value },
        StrengthCounted { seat, strength, outcome },
        EnemyRewarded { seat, goods, vp },
        RewardGoodChosen { seat, good },
        FortressPoint { seat },
        GoodsLost { seat, goods },
        AnyGoodsLost { seat, goods },
        BuildingLost { seat, building, vp },
        PointsLost { seat, vp },
        StrongestPoint { seat },
        YearEnded { year },
        CathedralExchange { seat, goods, vp },
    }
}

message! { ShownDie => pb::ShownDie { die, value } }
