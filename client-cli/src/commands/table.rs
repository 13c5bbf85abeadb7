//! Table options of a new game.

use std::time::Duration;

use clap::ValueEnum;
use gamekeeper_proto::gamekeeper::v1::{
    ClockOptions, GameInfo, Proposal, TableOptions, TakeBackPolicy, TimeoutAction, TimeoutClaim,
};

use crate::contract::to_dynamic;
use crate::failure::Failure;
use crate::output::Output;
use crate::phrase;

#[derive(Debug, clap::Args)]
pub(crate) struct TableArgs {
    /// Time for each decision, such as 30s; only time beyond it is taken from the bank. At most a year [default: none]
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    decision_time: Option<Duration>,
    /// Time bank of each player for the whole game beyond --decision-time, such as 10m, at most a year [default: none]
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    bank: Option<Duration>,
    /// Time added to the bank after each decision of the player, at most a year [default: none]
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    increment: Option<Duration>,
    /// Consequence for a player whose time has run out
    #[arg(long, value_name = "WHAT", default_value = "fallback")]
    on_timeout: OnTimeout,
    /// Way in which a timeout is enforced
    #[arg(long, value_name = "WHO", default_value = "call")]
    claim: Claim,
    /// Condition under which a player can take back actions
    #[arg(long, value_name = "WHEN", default_value = "never")]
    take_back: TakeBack,
    /// Let the players stop the clocks if all agree; otherwise only the owner of the game can
    #[arg(long)]
    pause_by_agreement: bool,
    /// Let the players end the game if all agree; otherwise only the owner of the game can
    #[arg(long)]
    end_by_agreement: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OnTimeout {
    /// The fallback of the rules answers this decision.
    Fallback,
    /// The player has left the game.
    Resign,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Claim {
    /// A player claims it with `claim-timeout`.
    Call,
    /// The server enforces it within seconds.
    Automatic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TakeBack {
    /// Never.
    Never,
    /// Own actions, as long as nobody else acted and nothing was drawn or revealed.
    Unseen,
    /// Any own action, if all other players agree.
    Agreed,
    /// Own actions as with `unseen`, any others if all other players agree.
    UnseenOrAgreed,
}

impl TableArgs {
    /// Builds the message. Returns `None` for a game without table options.
    pub(super) fn message(&self) -> Result<Option<TableOptions>, Failure> {
        let has_clock = [self.decision_time, self.bank, self.increment]
            .iter()
            .any(Option::is_some);
        let clock = has_clock.then(|| self.clock()).transpose()?;
        let take_back = match self.take_back {
            TakeBack::Never => TakeBackPolicy::Never,
            TakeBack::Unseen => TakeBackPolicy::Unseen,
            TakeBack::Agreed => TakeBackPolicy::Agreed,
            TakeBack::UnseenOrAgreed => TakeBackPolicy::UnseenOrAgreed,
        };
        let table = TableOptions {
            clock,
            take_back: take_back.into(),
            pause_by_agreement: self.pause_by_agreement,
            end_by_agreement: self.end_by_agreement,
        };
        Ok((table != TableOptions::default()).then_some(table))
    }

    fn clock(&self) -> Result<ClockOptions, Failure> {
        let on_timeout = match self.on_timeout {
            OnTimeout::Fallback => TimeoutAction::Fallback,
            OnTimeout::Resign => TimeoutAction::Resign,
        };
        Ok(ClockOptions {
            decision_seconds: seconds(self.decision_time)?,
            bank_seconds: seconds(self.bank)?,
            increment_seconds: seconds(self.increment)?,
            on_timeout: on_timeout.into(),
            claim: match self.claim {
                Claim::Call => TimeoutClaim::ByCall,
                Claim::Automatic => TimeoutClaim::Automatic,
            }
            .into(),
        })
    }
}

/// Converts a time to seconds. Clocks count whole seconds, so fractions are refused.
fn seconds(time: Option<Duration>) -> Result<u32, Failure> {
    let time = time.unwrap_or_default();
    let seconds = u32::try_from(time.as_secs()).ok();
    let whole_seconds = seconds.filter(|_| time.subsec_nanos() == 0);
    whole_seconds.ok_or_else(|| Failure::Usage("the times of a clock are whole seconds".to_owned()))
}

/// Formats the sentence that reports a new proposal.
pub(super) fn proposed_message(proposal: &Proposal) -> String {
    let request_text = phrase::proposal_text(proposal.kind.as_ref());
    format!("The other players are asked to {request_text}.")
}

/// Prints the result of a command: the new public facts as JSON, or a sentence.
pub(super) fn report(output: Output, game: Option<GameInfo>, message: &str) -> Result<(), Failure> {
    if output.is_json() {
        let game = game.unwrap_or_default();
        return output.json(&to_dynamic("GameInfo", &game)?);
    }
    output.line(message)
}
