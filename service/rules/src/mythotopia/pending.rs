//! The phases of a game.

use super::ids::ids;

ids! {
    /// The phases of a game (MYT-6.1). The name of a phase is the name of the decision it asks for.
    Phase {
        SetupDiscard "SETUP_DISCARD" "choice of provinces to give away",
        SetupCitadel "SETUP_CITADEL" "choice of the province of the citadel",
        Turn "TURN" "turn",
        ChooseTokenSource "CHOOSE_TOKEN_SOURCE" "choice of the source of a token",
        ChoosePhilosopherCard "CHOOSE_PHILOSOPHER_CARD" "choice of an improvement for Philosopher",
        Finished "FINISHED" "end of the game",
    }
}
