//! Drawings as **PNG**. Painting one takes some hundredths of a second, which no thread of calls can spare: few are painted
//! at a time, on threads of their own, and callers pay for the processor time.

use gamekeeper_proto::raw::GetGameResponse;
use gamekeeper_wire::Wire;

use crate::authz::Caller;
use crate::errors::ServiceError;
use crate::service::game_service::GameService;

impl<W: Wire> GameService<W> {
    /// Checks that this process paints drawings.
    ///
    /// # Errors
    /// If this build cannot paint, or its operator does not let it.
    pub(crate) fn ensure_can_paint(&self) -> Result<(), ServiceError> {
        let permits = self.context.painting.as_ref();
        permits.map(drop).ok_or(ServiceError::NoRaster)
    }

    /// Paints the drawing of the table as PNG.
    ///
    /// # Errors
    /// If this server does not paint, or fails to.
    pub(crate) async fn painted(
        &self,
        caller: &Caller,
        mut response: GetGameResponse,
    ) -> Result<GetGameResponse, ServiceError> {
        if let Some(table) = &mut response.table {
            let drawing = std::mem::take(&mut table.drawing);
            table.picture = self.context.paint(caller, drawing).await?;
        }
        Ok(response)
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_proto::gamekeeper::v1 as pb;
    use gamekeeper_rules::dominion::Dominion;

    use super::*;
    use crate::raster;
    use crate::test_server::{TestServer, store};

    fn ask(game: &pb::GameInfo, raster: bool) -> pb::GetGameRequest {
        pb::GetGameRequest {
            game_id: game.game_id.clone(),
            show: Some(pb::Show {
                drawing: Some(pb::DrawingStyle {
                    width: 390,
                    color_scheme: pb::ColorScheme::Light.into(),
                    raster,
                    ..Default::default()
                }),
                ..Default::default()
            }),
            ..Default::default()
        }
    }

    /// A picture is the painted drawing, and nothing else; a build without a painter, and a process without permits, say so.
    #[tokio::test]
    async fn pictures_are_painted_where_that_is_allowed() {
        let mut process = TestServer::<Dominion>::new(&store());
        let game = process.create(2, pb::TableOptions::default()).await;
        let caller = Caller::UNAUTHENTICATED;
        let drawn = process.games.get_game(&caller, ask(&game, false)).await;
        let drawn = drawn.unwrap().table.unwrap();
        assert!(drawn.picture.is_empty());
        let painted = process.games.get_game(&caller, ask(&game, true)).await;
        if raster::HAS_PAINTER {
            let painted = painted.unwrap().table.unwrap();
            assert_eq!(painted.drawing, "");
            assert_eq!(painted.picture, raster::paint(&drawn.drawing).unwrap());
        } else {
            assert!(matches!(painted, Err(ServiceError::NoRaster)));
        }
        let context = std::sync::Arc::get_mut(&mut process.games.context).unwrap();
        context.painting = None;
        let painted = process.games.get_game(&caller, ask(&game, true)).await;
        assert!(matches!(painted, Err(ServiceError::NoRaster)));
    }
}
