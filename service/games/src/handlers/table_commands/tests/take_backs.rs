//! Take-backs, alone and by agreement.

use super::*;

fn take_back(policy: TakeBackPolicy) -> TableOptions {
    TableOptions {
        take_back: policy.into(),
        ..Default::default()
    }
}

#[tokio::test]
async fn own_actions_are_taken_back_as_long_as_nobody_else_acted() {
    let process = TestServer::<Caylus>::new(&store());
    let policy = take_back(TakeBackPolicy::Unseen);
    let options = TableOptions {
        take_back: policy.take_back,
        ..clock(60, 60, 5, TimeoutAction::Fallback)
    };
    let game = process.create(2, options).await;
    let (seat, before) = (game.pending[0].seat, process.view(&game).await);
    let acted = process.set_clock(10_000).play_first_legal(&game).await;
    assert_ne!(process.view(&game).await, before);
    let other = TableRequest::TakeBack {
        seat: acted.pending[0].seat,
        to_version: 1,
    };
    assert_eq!(
        process.change_table_refused(&game, other).await,
        TableRefusal::NothingToTakeBack
    );
    let mine = |to_version| TableRequest::TakeBack { seat, to_version };
    let back = process
        .set_clock(20_000)
        .change_table_with_id(&game, mine(0), "once")
        .await
        .unwrap();
    assert_eq!((back.version, back.pending[0].seat), (3, seat));
    assert_eq!(process.view(&game).await, before, "no trace but the entry");
    // The clock continues as if the action had never been played, and its increment is gone.
    assert_eq!(
        (due(&back), bank(&back, seat)),
        (due(&game), bank(&game, seat))
    );
    let again = process
        .change_table_with_id(&game, mine(0), "once")
        .await
        .unwrap();
    assert_eq!(again, back, "the same request is answered alike");
    assert_eq!(
        process.change_table_refused(&game, mine(1)).await,
        TableRefusal::NothingToTakeBack
    );

    let mut now = process.play_first_legal(&back).await;
    now = process.play_first_legal(&now).await;
    assert_eq!(
        process.change_table_refused(&game, mine(3)).await,
        TableRefusal::NothingToTakeBack
    );
    assert_eq!(process.info(&game).await, now);
}

/// Asserts that an answer is refused, since the seat has no open proposal with this number to answer.
async fn assert_nothing_to_answer(
    process: &TestServer<Caylus>,
    game: &pb::GameInfo,
    answer: TableRequest,
) {
    let refusal = process.change_table_refused(game, answer).await;
    assert!(
        matches!(refusal, TableRefusal::NoOpenProposal(_)),
        "{refusal}"
    );
}

#[tokio::test]
async fn everybody_must_agree_where_the_table_says_so() {
    let store = store();
    let process = TestServer::<Caylus>::new(&store);
    let game = process.create(3, take_back(TakeBackPolicy::Agreed)).await;
    let (seat, before) = (game.pending[0].seat, process.view(&game).await);
    let [second, third] = [1, 2].map(|step| (seat - 1 + step) % 3 + 1);
    let mut now = process.play_first_legal(&game).await;
    now = process.play_first_legal(&now).await;
    let to_version = 1;
    let take_back = TableRequest::TakeBack { seat, to_version };
    let waits = process
        .change_table(&game, take_back.clone())
        .await
        .unwrap();
    assert_eq!(waits.proposal.as_ref().unwrap().seat, seat);
    let first = waits.proposal.unwrap().number;
    assert_eq!(first, waits.version);
    let answer_to = |number, seat, agrees| TableRequest::AnswerProposal {
        seat,
        number,
        agrees,
    };
    let answer_request = |seat, agrees| answer_to(first, seat, agrees);
    assert_nothing_to_answer(&process, &game, answer_request(seat, true)).await;
    let void = process
        .change_table(&game, answer_request(second, false))
        .await
        .unwrap();
    assert_eq!(void.proposal, None);
    assert_nothing_to_answer(&process, &game, answer_request(third, true)).await;

    let again = process.change_table(&game, take_back).await.unwrap();
    // A late answer to the first proposal does not apply to the second.
    assert_nothing_to_answer(&process, &game, answer_request(third, true)).await;
    let number = again.proposal.unwrap().number;
    let answer_request = |seat, agrees| answer_to(number, seat, agrees);
    let one = process
        .change_table(&game, answer_request(third, true))
        .await
        .unwrap();
    assert_eq!(one.proposal.as_ref().unwrap().agreed, [third]);
    assert_ne!(process.view(&game).await, before);
    let back = process
        .change_table(&game, answer_request(second, true))
        .await
        .unwrap();
    assert_eq!((back.proposal.as_ref(), back.pending[0].seat), (None, seat));
    assert_eq!(process.view(&game).await, before);
    assert!(back.version > now.version, "versions go on");
    // A process with an empty cache reads the same from the log, and play continues.
    let fresh = TestServer::<Caylus>::new(&store);
    assert_eq!(fresh.info(&game).await, back);
    assert_eq!(
        fresh.play_first_legal(&back).await.version,
        back.version + 1
    );
}

#[tokio::test]
async fn plain_games_take_nothing_back() {
    let process = TestServer::<Caylus>::new(&store());
    let game = process.create(2, TableOptions::default()).await;
    let seat = game.pending[0].seat;
    process.play_first_legal(&game).await;
    for to_version in [0, 1, 2, u64::MAX] {
        let ask = TableRequest::TakeBack { seat, to_version };
        assert_eq!(
            process.change_table_refused(&game, ask).await,
            TableRefusal::NoTakeBack
        );
    }
}
