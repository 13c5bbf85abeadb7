//! The client's end of a self-play stream.

use gamekeeper_proto::gamekeeper::v1::self_play_request::Step;
use gamekeeper_proto::gamekeeper::v1::self_play_service_client::SelfPlayServiceClient;
use gamekeeper_proto::gamekeeper::v1::{
    SelfPlayMove, SelfPlayMoves, SelfPlayRequest, SelfPlayResponse,
};
use gamekeeper_tests::evidence::Channel;
use gamekeeper_tests::tokens::bearing;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Status, Streaming};

/// An open self-play stream.
pub(super) struct Line {
    asks: mpsc::Sender<SelfPlayRequest>,
    answers: Streaming<SelfPlayResponse>,
}

impl Line {
    pub(super) async fn open(channel: Channel, token: Option<&str>) -> Result<Self, Status> {
        let (asks, receiver) = mpsc::channel(8);
        let stream = ReceiverStream::new(receiver);
        let request = match token {
            Some(token) => bearing(token, stream),
            None => Request::new(stream),
        };
        let mut client = SelfPlayServiceClient::new(channel).max_decoding_message_size(4 << 20);
        let answers = client.self_play(request).await?.into_inner();
        Ok(Self { asks, answers })
    }

    pub(super) async fn ask(&mut self, step: Step) -> Result<SelfPlayResponse, Status> {
        let step = Some(step);
        // If the send fails, the stream has ended; the next response says why.
        let _ended = self.asks.send(SelfPlayRequest { step }).await;
        self.answer().await
    }

    /// Merges all messages of one response.
    pub(super) async fn answer(&mut self) -> Result<SelfPlayResponse, Status> {
        let mut whole = SelfPlayResponse::default();
        loop {
            let Some(part) = self.answers.message().await? else {
                return Err(Status::ok("the stream has ended"));
            };
            whole.space = whole.space.or(part.space);
            whole.results.extend(part.results);
            whole.observations.extend(part.observations);
            if !part.more {
                return Ok(whole);
            }
        }
    }

    pub(super) async fn moves(
        &mut self,
        moves: Vec<SelfPlayMove>,
    ) -> Result<SelfPlayResponse, Status> {
        self.ask(Step::Moves(SelfPlayMoves { moves })).await
    }
}
