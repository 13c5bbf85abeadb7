//! Invalid requests are refused with the name of the field, and change nothing.

mod actions;
mod bytes;
mod games;
mod queries;

use gamekeeper_proto::gamekeeper::dominion::v1 as pb;
use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::{Client, Table, action, facts, field_of, reason};
use gamekeeper_tests::server::Gamekeeperd;
use pb::action::Kind;
use tonic::{Code, Status};
use tonic_types::StatusExt;

/// A server, and a game that no call may change.
struct House {
    server: Gamekeeperd,
    table: Table,
}

async fn house() -> House {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let table = Table::begin(&mut server.games()).await;
    House { server, table }
}

impl House {
    fn client(&self) -> Client {
        self.server.games()
    }

    /// Builds a valid action: the seat with the pending decision buys a Copper.
    fn action(&self) -> v1::ApplyActionRequest {
        v1::ApplyActionRequest {
            game_id: self.table.game.game_id.clone(),
            seat: self.table.game.pending[0].seat,
            action: Some(buy(pb::Card::Copper.into())),
            ..Default::default()
        }
    }

    /// Builds the valid action with this change.
    fn action_but(
        &self,
        change: impl FnOnce(&mut v1::ApplyActionRequest),
    ) -> v1::ApplyActionRequest {
        let mut call = self.action();
        change(&mut call);
        call
    }

    async fn refused(&self, call: v1::ApplyActionRequest) -> Status {
        let status = self.client().apply_action(call).await.unwrap_err();
        let ask = self.table.ask();
        let now = self.server.games().get_game(ask).await.unwrap();
        assert_eq!(
            facts(now.into_inner().table),
            self.table.game,
            "a failed call changes nothing"
        );
        status
    }
}

fn buy(card: i32) -> v1::Action {
    action(Kind::BuyCard(pb::BuyCard { card }))
}

/// Returns the field that the refusal of a malformed request, or of a seat that the table does not have, names.
fn field(status: &Status) -> String {
    let (code, reason) = reason(status);
    assert_eq!(code, Code::InvalidArgument, "{status:?}");
    let details = status.get_error_details();
    let info = details.error_info().unwrap();
    if reason == "NO_SUCH_SEAT" {
        assert!(info.metadata.contains_key("seat"), "{status:?}");
        assert_eq!(info.metadata["seats"], "2", "{status:?}");
        assert!(info.metadata["field"].ends_with("seat"), "{status:?}");
    } else {
        assert_eq!(reason, "MALFORMED", "{status:?}");
    }
    field_of(status)
}
