//! Permissions: every method of the contract for every kind of caller.

mod requests;

use gamekeeper_proto::gamekeeper::dominion::v1 as dominion;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::contract::{Method, methods};
use gamekeeper_tests::dominion::{Table, action, reason, reason_of};
use gamekeeper_tests::evidence::Channel;
use gamekeeper_tests::raw::{Answer, call, framed};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{BLUE, KeyFiles, OPERATOR, RED, bearing, seat_holder, user_holder};
use gamekeeperd::grpc::REASONS;
use pb::ViewerKind;
use prost::Message;
use tonic::{Code, Status};

use self::requests::{Game, USERS, about, request, user_of, viewer};

/// The result for each caller. The request is about a game of the owner and names the seat to move, or the view of that
/// seat. `ok`: the call is answered; `denied`: NOT_ALLOWED; `unseen`: NO_SUCH_GAME, as for a game that does not exist;
/// otherwise the reason of the refusal. A caller with several tokens gets the same result with each.
const TABLE: &str = "
                       | no token | bad token | replaced token | revoked user   | other tenant | seat elsewhere | spectator elsewhere | operator     | owner            | seat to move     | other seat       | spectator | user to move     | same by issue    | other user       | user elsewhere
ApplyAction            | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | denied       | ok               | ok               | denied           | denied    | ok               | ok               | denied           | unseen
GetGame                | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | ok           | ok               | ok               | denied           | denied    | ok               | ok               | denied           | unseen
ListLegalActions       | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | ok           | ok               | ok               | denied           | denied    | ok               | ok               | denied           | unseen
ListEvents             | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | ok           | ok               | ok               | denied           | denied    | ok               | ok               | denied           | unseen
WatchGame              | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | ok           | ok               | ok               | denied           | denied    | ok               | ok               | denied           | unseen
WatchGames             | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | ok           | ok               | ok               | denied           | denied    | ok               | ok               | denied           | unseen
WatchGames of a user   | NO_TOKEN | BAD_TOKEN | denied         | TOKEN_REPLACED | ok           | denied         | denied              | denied       | ok               | denied           | denied           | denied    | ok               | ok               | denied           | denied
WatchGames of all      | NO_TOKEN | BAD_TOKEN | denied         | TOKEN_REPLACED | ok           | denied         | denied              | denied       | ok               | denied           | denied           | denied    | denied           | denied           | denied           | denied
ExportGame             | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | ok           | GAME_NOT_OVER    | GAME_NOT_OVER    | GAME_NOT_OVER    | denied    | GAME_NOT_OVER    | GAME_NOT_OVER    | GAME_NOT_OVER    | unseen
CreateGame             | NO_TOKEN | BAD_TOKEN | denied         | TOKEN_REPLACED | ok           | denied         | denied              | denied       | ok               | denied           | denied           | denied    | denied           | denied           | denied           | denied
BatchGetGames          | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | ok           | ok               | ok               | denied           | denied    | ok               | ok               | denied           | unseen
ListGames              | NO_TOKEN | BAD_TOKEN | denied         | TOKEN_REPLACED | ok           | denied         | denied              | ok           | ok               | denied           | denied           | denied    | ok               | ok               | ok               | ok
ListGames of a user    | NO_TOKEN | BAD_TOKEN | denied         | TOKEN_REPLACED | ok           | denied         | denied              | denied       | ok               | denied           | denied           | denied    | ok               | ok               | denied           | denied
UpdateGame             | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | ok           | ok               | denied           | denied           | denied    | denied           | denied           | denied           | unseen
EraseUser              | NO_TOKEN | BAD_TOKEN | denied         | TOKEN_REPLACED | ok           | denied         | denied              | denied       | ok               | denied           | denied           | denied    | denied           | denied           | denied           | denied
DeleteGame             | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | ok           | ok               | denied           | denied           | denied    | denied           | denied           | denied           | unseen
ForkGame               | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | ok           | ok               | GAME_NOT_OVER    | GAME_NOT_OVER    | denied    | denied           | denied           | denied           | unseen
ImportGame             | NO_TOKEN | BAD_TOKEN | denied         | TOKEN_REPLACED | MALFORMED    | denied         | denied              | MALFORMED    | MALFORMED        | denied           | denied           | denied    | denied           | denied           | denied           | denied
Resign                 | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | denied       | ok               | ok               | denied           | denied    | ok               | ok               | denied           | unseen
FillSeat               | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | HAS_NOT_LEFT | HAS_NOT_LEFT     | denied           | denied           | denied    | denied           | denied           | denied           | unseen
ClaimTimeout           | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | denied       | NO_CLOCK         | NO_CLOCK         | NO_CLOCK         | denied    | NO_CLOCK         | NO_CLOCK         | NO_CLOCK         | unseen
AddTime                | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | NO_CLOCK     | NO_CLOCK         | denied           | denied           | denied    | denied           | denied           | denied           | unseen
PauseGame              | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | NO_CLOCK     | NO_CLOCK         | NOT_BY_AGREEMENT | NOT_BY_AGREEMENT | denied    | NOT_BY_AGREEMENT | NOT_BY_AGREEMENT | NOT_BY_AGREEMENT | unseen
PauseGame of a seat    | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | denied       | NOT_BY_AGREEMENT | NOT_BY_AGREEMENT | denied           | denied    | NOT_BY_AGREEMENT | NOT_BY_AGREEMENT | denied           | unseen
ResumeGame             | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | NO_CLOCK     | NO_CLOCK         | NOT_BY_AGREEMENT | NOT_BY_AGREEMENT | denied    | NOT_BY_AGREEMENT | NOT_BY_AGREEMENT | NOT_BY_AGREEMENT | unseen
ResumeGame of a seat   | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | denied       | NOT_BY_AGREEMENT | NOT_BY_AGREEMENT | denied           | denied    | NOT_BY_AGREEMENT | NOT_BY_AGREEMENT | denied           | unseen
TakeBack               | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | denied       | NO_TAKE_BACK     | NO_TAKE_BACK     | denied           | denied    | NO_TAKE_BACK     | NO_TAKE_BACK     | denied           | unseen
EndGame                | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | ok           | ok               | NOT_BY_AGREEMENT | NOT_BY_AGREEMENT | denied    | NOT_BY_AGREEMENT | NOT_BY_AGREEMENT | NOT_BY_AGREEMENT | unseen
EndGame of a seat      | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | denied       | NOT_BY_AGREEMENT | NOT_BY_AGREEMENT | denied           | denied    | NOT_BY_AGREEMENT | NOT_BY_AGREEMENT | denied           | unseen
AnswerProposal         | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | denied       | NOT_ASKED        | NOT_ASKED        | denied           | denied    | NOT_ASKED        | NOT_ASKED        | denied           | unseen
IssueToken             | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | ok           | ok               | denied           | denied           | denied    | denied           | denied           | denied           | unseen
IssueToken of a user   | NO_TOKEN | BAD_TOKEN | denied         | TOKEN_REPLACED | ok           | denied         | denied              | denied       | ok               | denied           | denied           | denied    | denied           | denied           | denied           | denied
RevokeTokens           | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | unseen              | ok           | ok               | denied           | denied           | denied    | denied           | denied           | denied           | unseen
RevokeTokens of a user | NO_TOKEN | BAD_TOKEN | denied         | TOKEN_REPLACED | ok           | denied         | denied              | denied       | ok               | denied           | denied           | denied    | denied           | denied           | denied           | denied
SelfPlay               | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | ok           | denied         | denied              | denied       | ok               | denied           | denied           | denied    | denied           | denied           | denied           | denied
SelfPlay from a game   | NO_TOKEN | BAD_TOKEN | TOKEN_REPLACED | TOKEN_REPLACED | unseen       | unseen         | denied              | denied       | ok               | ok               | denied           | denied    | denied           | denied           | denied           | denied
ListRulesets           | ok       | ok        | ok             | ok             | ok           | ok             | ok                  | ok           | ok               | ok               | ok               | ok        | ok               | ok               | ok               | ok
GetCatalogue           | ok       | ok        | ok             | ok             | ok           | ok             | ok                  | ok           | ok               | ok               | ok               | ok        | ok               | ok               | ok               | ok
ListRules              | ok       | ok        | ok             | ok             | ok           | ok             | ok                  | ok           | ok               | ok               | ok               | ok        | ok               | ok               | ok               | ok
GetRule                | ok       | ok        | ok             | ok             | ok           | ok             | ok                  | ok           | ok               | ok               | ok               | ok        | ok               | ok               | ok               | ok
";

/// The methods that the owner calls without naming a seat, and that then need no consent.
const OF_ALL_SEATS: [&str; 3] = ["PauseGame", "ResumeGame", "EndGame"];

/// The result for each viewer that a call may name, whatever the method.
const VIEWERS: &str = "
             | operator | owner  | seat to move | other seat | spectator | user to move | other user
nobody named | ok       | ok     | ok           | ok         | ok        | ok           | ok
spectator    | ok       | ok     | ok           | ok         | ok        | ok           | ok
seat to move | ok       | ok     | ok           | denied     | denied    | ok           | denied
other seat   | ok       | ok     | denied       | ok         | denied    | denied       | ok
operator     | ok       | denied | denied       | denied     | denied    | denied       | denied
";

/// Parses a table into rows, callers and results.
fn cells(table: &'static str) -> Vec<(&'static str, Vec<(&'static str, &'static str)>)> {
    let mut lines = table.trim_matches('\n').lines();
    let split = |line: &'static str| line.split('|').map(str::trim).collect::<Vec<_>>();
    let callers = split(lines.next().unwrap());
    let rows = lines.map(|line| {
        let row = split(line);
        assert_eq!(row.len(), callers.len(), "{line}");
        (
            row[0],
            callers.iter().copied().zip(row.clone()).skip(1).collect(),
        )
    });
    rows.collect()
}

/// Returns the status and the reason of a cell.
fn expected(cell: &str) -> (Code, String) {
    let name = match cell {
        "ok" => return (Code::Ok, String::new()),
        "denied" => "NOT_ALLOWED",
        "unseen" => "NO_SUCH_GAME",
        reason => reason,
    };
    let known_reason = REASONS.iter().find(|reason| reason.name == name);
    (
        known_reason
            .unwrap_or_else(|| panic!("no reason {name}"))
            .code,
        name.to_owned(),
    )
}

struct House {
    server: Gamekeeperd,
    channel: Channel,
    _keys: KeyFiles,
}

impl House {
    fn new() -> Self {
        let keys = KeyFiles::new();
        let server = keys.server_for_teams(&["--store=memory", "--bookmark-every=100ms"]);
        Self {
            channel: server.channel(),
            server,
            _keys: keys,
        }
    }

    async fn game(&self) -> Game {
        let players = USERS.map(|user| pb::Player {
            name: user.to_uppercase(),
            user: user.to_owned(),
            ..Default::default()
        });
        let create = pb::CreateGameRequest {
            ruleset: String::from("dominion"),
            players: players.to_vec(),
            ..Default::default()
        };
        let created = self.server.games().create_game(bearing(RED, create)).await;
        let created = created.unwrap().into_inner();
        let spectator = created.tokens.clone().unwrap().spectator;
        let table = Table::of(created);
        Game {
            seat: table.game.pending[0].seat,
            tokens: [1, 2].map(|seat| table.token(seat).to_owned()),
            id: table.game.game_id,
            spectator,
        }
    }

    /// Returns the tokens of a caller.
    async fn tokens(&self, caller: &str, game: &Game) -> Vec<String> {
        let one = |token: &str| vec![token.to_owned()];
        let user = |seat: u32| KeyFiles::signed_user("red", user_of(seat));
        match caller {
            "no token" => one(""),
            // A key that differs from that of a tenant, even if only in its case, and a token that nobody signed.
            "bad token" => [
                "nonsense",
                "Key-of-the-red-team",
                "eyJhbGciOiJub25lIn0.e30.",
            ]
            .map(String::from)
            .to_vec(),
            "operator" => one(OPERATOR),
            "owner" => one(RED),
            "other tenant" => vec![BLUE.to_owned(), KeyFiles::signed("green")],
            "seat to move" => one(game.token(game.seat)),
            "other seat" => one(game.token(3 - game.seat)),
            "spectator" => one(&game.spectator),
            "user to move" => one(&user(game.seat)),
            // The same user, with a token issued by the service.
            "same by issue" => one(&self.issued(user_of(game.seat)).await),
            "other user" => one(&user(3 - game.seat)),
            "user elsewhere" => vec![
                KeyFiles::signed_user("red", "eve"),
                self.issued("eve").await,
            ],
            "seat elsewhere" => one(self.game().await.token(game.seat)),
            "spectator elsewhere" => one(&self.game().await.spectator),
            "replaced token" => {
                let holder = Some(seat_holder(&game.id, game.seat));
                let revoke = bearing(RED, pb::RevokeTokensRequest { holder });
                self.server.access().revoke_tokens(revoke).await.unwrap();
                one(game.token(game.seat))
            }
            "revoked user" => {
                let user = user_of(game.seat);
                let token = self.issued(user).await;
                let holder = Some(user_holder(user));
                let revoke = bearing(RED, pb::RevokeTokensRequest { holder });
                self.server.access().revoke_tokens(revoke).await.unwrap();
                one(&token)
            }
            _ => panic!("who is {caller:?}?"),
        }
    }

    /// Issues a token for a user.
    async fn issued(&self, user: &str) -> String {
        let issue = pb::IssueTokenRequest {
            holder: Some(user_holder(user)),
            expire_time: None,
        };
        let issued = self.server.access().issue_token(bearing(RED, issue)).await;
        issued.unwrap().into_inner().token
    }

    /// Returns the outcome of a call: its status, or the problem of the requested game among several.
    async fn outcome(&self, method: &Method, token: &str, request: &[u8]) -> (Code, String) {
        let mut channel = self.channel.clone();
        let answer = call(&mut channel, method, token, framed(request))
            .await
            .unwrap();
        if answer.status.code() != Code::Ok {
            return reason(&answer.status);
        }
        let problem = match &*method.name {
            "BatchGetGames" => problem_in_batch(&answer),
            "WatchGames" => problem_in_watch(&answer),
            _ => None,
        };
        problem.map_or((Code::Ok, String::new()), |problem| {
            (Code::from(problem.code), problem.reason)
        })
    }
}

/// Decodes the first message of a response.
fn message<M: Message + Default>(answer: &Answer) -> M {
    M::decode(&answer.body[5..]).unwrap()
}

fn problem_in_batch(answer: &Answer) -> Option<pb::Problem> {
    let result = message::<pb::BatchGetGamesResponse>(answer).results.pop();
    match result?.result? {
        pb::game_result::Result::Problem(problem) => Some(problem),
        pb::game_result::Result::Table(_) => None,
    }
}

fn problem_in_watch(answer: &Answer) -> Option<pb::Problem> {
    match message::<pb::WatchGamesResponse>(answer).update? {
        pb::watch_games_response::Update::Left(left) => left.problem,
        pb::watch_games_response::Update::Change(_) => None,
    }
}

/// Returns the method of a row; some methods have several rows.
fn method_of<'a>(row: &str, methods: &'a [Method]) -> &'a Method {
    let name = row.split(' ').next().unwrap_or_default();
    let method = methods.iter().find(|method| method.name == name);
    method.unwrap_or_else(|| panic!("there is no method {name}"))
}

#[test]
fn the_table_has_every_method() {
    let methods = methods();
    let rows = cells(TABLE);
    for method in &methods {
        let is_in_table = rows.iter().any(|(row, _)| *row == method.name);
        assert!(is_in_table, "who may call {}?", method.path());
    }
}

#[tokio::test]
async fn every_caller_gets_what_the_table_says() {
    let (house, methods) = (House::new(), methods());
    let mut wrong = Vec::new();
    for (row, cells) in cells(TABLE) {
        let method = method_of(row, &methods);
        for (caller, cell) in cells {
            let game = house.game().await;
            for token in house.tokens(caller, &game).await {
                let request = request(
                    row,
                    method,
                    &game,
                    Some(viewer(ViewerKind::Seat, game.seat)),
                );
                let outcome = house.outcome(method, &token, &request).await;
                if outcome != expected(cell) {
                    wrong.push(format!(
                        "{row}, {caller} ({token}): {outcome:?}, not {cell}"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn everybody_sees_what_the_table_says_by_every_method() {
    let (house, methods) = (House::new(), methods());
    let looking = |method: &&Method| method.field("viewer").or(method.field("games")).is_some();
    let looking: Vec<&Method> = methods.iter().filter(looking).collect();
    assert_eq!(looking.len(), 5);
    let (game, mut wrong) = (house.game().await, Vec::new());
    for (row, cells) in cells(VIEWERS) {
        let viewer = match row {
            "nobody named" => None,
            "spectator" => Some(viewer(ViewerKind::Spectator, 0)),
            "seat to move" => Some(viewer(ViewerKind::Seat, game.seat)),
            "other seat" => Some(viewer(ViewerKind::Seat, 3 - game.seat)),
            "operator" => Some(viewer(ViewerKind::Operator, 0)),
            _ => panic!("who is {row:?}?"),
        };
        for (caller, cell) in cells {
            for token in house.tokens(caller, &game).await {
                for method in &looking {
                    let request = request(&method.name, method, &game, viewer);
                    let outcome = house.outcome(method, &token, &request).await;
                    if outcome != expected(cell) {
                        let name = &method.name;
                        wrong.push(format!("{row}, {caller} ({name}): {outcome:?}, not {cell}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// If a seat acts for itself, the rules judge whether it is to move.
#[tokio::test]
async fn a_seat_that_is_not_to_move_is_refused_by_the_rules() {
    let house = House::new();
    let game = house.game().await;
    let seat = 3 - game.seat;
    let act = pb::ApplyActionRequest {
        game_id: game.id.clone(),
        seat,
        action: Some(action(dominion::action::Kind::EndTurn(
            dominion::EndTurn::default(),
        ))),
        ..Default::default()
    };
    let acted = house
        .server
        .games()
        .apply_action(bearing(game.token(seat), act))
        .await;
    let refused: Status = acted.unwrap_err();
    assert_eq!(reason_of(&refused).as_deref(), Some("NOT_YOUR_TURN"));
}

/// A method that names a seat refuses one that is not at the table.
#[tokio::test]
async fn nobody_is_asked_about_a_seat_that_the_table_does_not_have() {
    let (house, methods) = (House::new(), methods());
    let game = house.game().await;
    let no_such_seat = expected("NO_SUCH_SEAT");
    for seat in [0, 3, 77, u32::MAX] {
        let game = Game {
            seat,
            ..game.clone()
        };
        for method in methods
            .iter()
            .filter(|method| method.field("seat").or(method.field("holder")).is_some())
        {
            let request = about(method, &game, None);
            let outcome = house.outcome(method, RED, &request).await;
            if seat == 0 && OF_ALL_SEATS.contains(&&*method.name) {
                assert_ne!(outcome, no_such_seat, "{} of no seat", method.name);
            } else {
                assert_eq!(outcome, no_such_seat, "{} of seat {seat}", method.name);
            }
        }
        let worlds = method_of("SelfPlay", &methods);
        let outcome = house
            .outcome(
                worlds,
                RED,
                &request("SelfPlay from a game", worlds, &game, None),
            )
            .await;
        assert_eq!(outcome, no_such_seat, "worlds of seat {seat}");
        for method in methods
            .iter()
            .filter(|method| method.field("viewer").or(method.field("games")).is_some())
        {
            let request = request(
                &method.name,
                method,
                &game,
                Some(viewer(ViewerKind::Seat, seat)),
            );
            let outcome = house.outcome(method, RED, &request).await;
            assert_eq!(outcome, no_such_seat, "{} as seat {seat}", method.name);
        }
    }
}
