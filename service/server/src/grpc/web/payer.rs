//! The account that pays for converting and compressing what a call sends.

use std::sync::{Arc, OnceLock};

use gamekeeper_games::authz::Account;
use gamekeeper_games::scheduling::{FairTask, RateLimiter};
use tonic::codegen::http::Request;

use crate::connection_limiter::ConnectionGuard;

/// The payer of a call, which its request carries to admission: the account of the caller once the call is admitted.
/// The little work for a call that is refused takes turns with its connection, and is charged to nobody.
#[derive(Clone)]
pub(in crate::grpc) struct Payer {
    connection: Account,
    admitted: Arc<OnceLock<(Account, Arc<RateLimiter>)>>,
}

impl Payer {
    /// Creates the payer of a call on the connection of this request.
    pub(super) fn of<B>(request: &Request<B>) -> Self {
        let guard = request.extensions().get::<Arc<ConnectionGuard>>();
        Self {
            connection: guard.map_or(Account::EVERYBODY, |guard| guard.scheduling_account()),
            admitted: Arc::default(),
        }
    }

    /// Records the account of the caller, and the budgets that are charged.
    pub(in crate::grpc) fn admit(&self, account: Account, budgets: &Arc<RateLimiter>) {
        let _first = self.admitted.set((account, Arc::clone(budgets)));
    }

    /// Returns the account that takes the turns.
    pub(super) fn account(&self) -> Account {
        self.admitted
            .get()
            .map_or(self.connection, |(account, _)| *account)
    }

    /// Returns a scheduling handle for work of the call.
    pub(super) fn task(&self) -> FairTask {
        match self.admitted.get() {
            Some((account, budgets)) => FairTask::for_stream(*account, Arc::clone(budgets)),
            None => FairTask::for_connection(self.connection),
        }
    }
}
