//! Calls that do not depend on a game: components, rules, and self-play.

use futures_util::stream;
use gamekeeper_proto::gamekeeper::v1;
use tonic::{Code, Status};
use v1::self_play_move::Choice;
use v1::self_play_request::Step;

use super::Look;

const RULESET: &str = "dominion";

pub(super) async fn rulesets(mut look: Look) -> Result<(), Status> {
    let ask = look.desk.ask_hastily(v1::ListRulesetsRequest::default());
    let answer = look.desk.rulesets.list_rulesets(ask).await?.into_inner();
    look.constant("rulesets", &answer);
    Ok(())
}

pub(super) async fn rules(mut look: Look) -> Result<(), Status> {
    let ask = look.desk.ask_hastily(v1::ListRulesRequest {
        ruleset: RULESET.to_owned(),
        ..Default::default()
    });
    let answer = look.desk.rulesets.list_rules(ask).await?.into_inner();
    look.constant("rules", &answer);
    Ok(())
}

pub(super) async fn one_rule(mut look: Look) -> Result<(), Status> {
    let ask = look.desk.ask_hastily(v1::GetRuleRequest {
        id: String::from("DOM-7.3"),
        ..Default::default()
    });
    let answer = look.desk.rulesets.get_rule(ask).await?.into_inner();
    look.constant("the rule of Cellar", &answer);
    Ok(())
}

pub(super) async fn catalogue(mut look: Look) -> Result<(), Status> {
    let ask = look.desk.ask_hastily(v1::GetCatalogueRequest {
        ruleset: RULESET.to_owned(),
        known_revision: 0,
    });
    let answer = look.desk.rulesets.get_catalogue(ask).await?.into_inner();
    look.constant("components", &answer.catalogue.expect("components"));
    Ok(())
}

/// Plays two games of a few versions in a self-play stream, always with the first legal action.
pub(super) async fn self_play(mut look: Look) -> Result<(), Status> {
    const VERSIONS: u64 = 5;
    let plan = v1::SelfPlayPlan {
        ruleset: RULESET.to_owned(),
        seats: 2,
        games: 2,
        total_games: 2,
        max_versions: VERSIONS,
        ..Default::default()
    };
    let play = |slot| v1::SelfPlayMove {
        slot,
        version: 0,
        choice: Some(Choice::Index(0)),
    };
    let moves = (1..VERSIONS).map(|_| {
        Step::Moves(v1::SelfPlayMoves {
            moves: vec![play(0), play(1)],
        })
    });
    let steps: Vec<_> = [Step::Plan(plan)].into_iter().chain(moves).collect();
    let requests = steps
        .into_iter()
        .map(|step| v1::SelfPlayRequest { step: Some(step) });
    let ask = look.desk.ask(stream::iter(requests));
    let mut stream = match look.desk.self_play.self_play(ask).await {
        Ok(answer) => answer.into_inner(),
        // Each server and each tenant has a limited number of streams.
        Err(full) if full.code() == Code::ResourceExhausted => return Ok(()),
        Err(status) => return Err(status),
    };
    let (mut versions_by_slot, mut ended) = ([Vec::new(), Vec::new()], Vec::new());
    while let Some(message) = stream.message().await? {
        for observation in message.observations {
            look.must(observation.refusal.is_none(), || format!("{observation:?}"));
            if let Some(versions) = versions_by_slot.get_mut(observation.slot as usize) {
                versions.push(observation.version);
            }
        }
        ended.extend(message.results.iter().map(|result| result.version));
    }
    let each: Vec<u64> = (1..VERSIONS).collect();
    look.must(
        versions_by_slot == [each.clone(), each] && ended == [VERSIONS; 2],
        || format!("self-play went through {versions_by_slot:?} and ended at {ended:?}"),
    );
    Ok(())
}
