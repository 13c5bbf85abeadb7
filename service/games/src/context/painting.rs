//! The painter of drawings.

use std::sync::Arc;

use gamekeeper_store::long_work;
use gamekeeper_store::metering::take_thread_time;

use crate::authz::Caller;
use crate::context::app_context::AppContext;
use crate::errors::ServiceError;
use crate::raster;

impl AppContext {
    /// Paints a drawing as PNG, on a thread of its own, whose processor time the caller pays.
    ///
    /// # Errors
    /// If this server does not paint, or fails to.
    pub(crate) async fn paint(
        &self,
        caller: &Caller,
        drawing: String,
    ) -> Result<Vec<u8>, ServiceError> {
        let permits = self.painting.as_ref().ok_or(ServiceError::NoRaster)?;
        let account = caller.account;
        let mut permit = permits.acquire(account).await;
        let limiter = Arc::clone(&self.rate_limiter);
        // The permit and the bill belong to the thread: they outlast a call that is given up.
        let painting = long_work::spawn(move || {
            let picture = raster::paint(&drawing);
            let time = take_thread_time();
            permit.record(time);
            limiter.charge_thread_time(account, time);
            picture
        });
        let picture = painting.await;
        let picture = picture.map_err(|error| ServiceError::Fault(error.to_string()))?;
        picture.map_err(ServiceError::Fault)
    }
}
