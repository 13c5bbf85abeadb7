//! The decisions a player can owe (DOM-6.1, DOM-6.21).

/// What a player has to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decision {
    /// Play an Action card or end the phase (DOM-6.5, DOM-6.6).
    ActionPhase,
    /// Play Treasures, buy, or end the turn (DOM-6.8 to DOM-6.13).
    BuyPhase,
    /// Show a Reaction card or not (DOM-6.18).
    ReactToAttack,
    /// Cellar: which cards to discard (DOM-7.3).
    CellarDiscard,
    /// Chancellor: turn the draw pile over (DOM-7.4)?
    ChancellorDecide,
    /// Chapel: which cards to trash (DOM-7.5).
    ChapelTrash,
    /// Which card of the Supply to gain (DOM-6.34).
    GainCard,
    /// Remodel: which card to trash (DOM-7.17).
    RemodelTrash,
    /// Mine: which Treasure to trash (DOM-7.14).
    MineTrash,
    /// Library: set the drawn card aside (DOM-7.11)?
    LibraryDecide,
    /// Militia: which cards to discard (DOM-7.13).
    MilitiaDiscard,
    /// Bureaucrat: which Victory card to put on the draw pile (DOM-7.2).
    BureaucratTopdeck,
    /// Spy: discard the revealed card (DOM-7.19)?
    SpyDecide,
    /// Thief: which Treasure to trash (DOM-7.20).
    ThiefTrash,
    /// Thief: which trashed Treasures to gain (DOM-7.20).
    ThiefGain,
    /// Throne Room: which Action card to play twice (DOM-7.21).
    ThroneRoomChoose,
}

impl Decision {
    /// All decisions, in the order of the data file.
    pub const ALL: [Self; 16] = [
        Self::ActionPhase,
        Self::BuyPhase,
        Self::ReactToAttack,
        Self::CellarDiscard,
        Self::ChancellorDecide,
        Self::ChapelTrash,
        Self::GainCard,
        Self::RemodelTrash,
        Self::MineTrash,
        Self::LibraryDecide,
        Self::MilitiaDiscard,
        Self::BureaucratTopdeck,
        Self::SpyDecide,
        Self::ThiefTrash,
        Self::ThiefGain,
        Self::ThroneRoomChoose,
    ];

    /// The name in the rule document.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ActionPhase => "action_phase",
            Self::BuyPhase => "buy_phase",
            Self::ReactToAttack => "react_to_attack",
            Self::CellarDiscard => "cellar_discard",
            Self::ChancellorDecide => "chancellor_decide",
            Self::ChapelTrash => "chapel_trash",
            Self::GainCard => "gain_card",
            Self::RemodelTrash => "remodel_trash",
            Self::MineTrash => "mine_trash",
            Self::LibraryDecide => "library_decide",
            Self::MilitiaDiscard => "militia_discard",
            Self::BureaucratTopdeck => "bureaucrat_topdeck",
            Self::SpyDecide => "spy_decide",
            Self::ThiefTrash => "thief_trash",
            Self::ThiefGain => "thief_gain",
            Self::ThroneRoomChoose => "throne_room_choose",
        }
    }

    /// The rule that says which cards answer this decision.
    #[must_use]
    pub const fn rule(self) -> &'static str {
        match self {
            Self::ActionPhase => "DOM-6.5",
            Self::BuyPhase => "DOM-6.8",
            Self::ReactToAttack => "DOM-6.18",
            Self::CellarDiscard => "DOM-7.3",
            Self::ChancellorDecide => "DOM-7.4",
            Self::ChapelTrash => "DOM-7.5",
            Self::GainCard => "DOM-6.34",
            Self::RemodelTrash => "DOM-7.17",
            Self::MineTrash => "DOM-7.14",
            Self::LibraryDecide => "DOM-7.11",
            Self::MilitiaDiscard => "DOM-7.13",
            Self::BureaucratTopdeck => "DOM-7.2",
            Self::SpyDecide => "DOM-7.19",
            Self::ThiefTrash | Self::ThiefGain => "DOM-7.20",
            Self::ThroneRoomChoose => "DOM-7.21",
        }
    }
}

impl std::fmt::Display for Decision {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
