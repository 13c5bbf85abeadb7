//! Scheduling under load.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::*;
use crate::timing::yielder::Yielder;
use futures_util::FutureExt;
use futures_util::future::join_all;
use gamekeeper_store::clock::thread_time;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

fn task(tenant: &str) -> FairTask {
    let budgets = Arc::new(RateLimiter::new(None));
    let meter = budgets.usage().meter(Account::of_tenant(tenant));
    FairTask::for_call(meter, budgets)
}

/// Uses this much processor time.
fn run_for(time: Duration) {
    let end = thread_time() + time;
    while thread_time() < end {
        std::hint::spin_loop();
    }
}

/// Keeps the thread busy for this many turns, and counts them.
async fn busy(turns: u32, count: Arc<AtomicU32>) {
    let mut yielder = Yielder::new();
    for _ in 0..turns {
        count.fetch_add(1, Ordering::Relaxed);
        run_for(Duration::from_millis(1));
        yielder.yield_if_due().await;
    }
}

#[tokio::test]
async fn a_caller_that_asks_seldom_waits_for_few_turns_of_others() {
    let (of_red, of_blue): (Arc<AtomicU32>, Arc<AtomicU32>) = Default::default();
    let flood: Vec<_> = (0..200)
        .map(|_| {
            tokio::spawn(schedule(
                task("red"),
                Box::pin(busy(1_000, Arc::clone(&of_red))),
            ))
        })
        .collect();
    // Wait until some tasks of the tenant have run and all others are queued.
    while of_red.load(Ordering::Relaxed) < 20 {
        tokio::task::yield_now().await;
    }
    for _ in 0..5 {
        let before = of_red.load(Ordering::Relaxed);
        let call = schedule(task("blue"), Box::pin(busy(3, Arc::clone(&of_blue))));
        tokio::spawn(call).await.unwrap();
        let meanwhile = of_red.load(Ordering::Relaxed) - before;
        // In a plain FIFO queue, each turn would wait for 200 turns of the other tenant.
        assert!(meanwhile < 20, "{meanwhile}");
    }
    flood.iter().for_each(tokio::task::JoinHandle::abort);
}

/// A new caller does not wait for the other ready tasks to be queued first.
#[tokio::test]
async fn a_caller_that_asks_seldom_begins_when_it_comes() {
    let count = Arc::<AtomicU32>::default();
    let flood = || {
        tokio::spawn(schedule(
            task("red"),
            Box::pin(busy(1_000, Arc::clone(&count))),
        ))
    };
    let flood: Vec<_> = (0..50).map(|_| flood()).collect();
    for come in 1..5 {
        while count.load(Ordering::Relaxed) < 20 * come {
            tokio::task::yield_now().await;
        }
        let begins = |tenant| {
            let call = schedule(task(tenant), std::future::ready(()));
            call.now_or_never().is_some()
        };
        assert_eq!([begins("blue"), begins("red")], [true, false]);
    }
    flood.iter().for_each(tokio::task::JoinHandle::abort);
}

#[tokio::test]
async fn whoever_goes_while_waiting_stops_nobody() {
    let count = Arc::<AtomicU32>::default();
    let slow = tokio::spawn(schedule(
        task("red"),
        Box::pin(busy(50, Arc::clone(&count))),
    ));
    let others: Vec<_> = (0..50)
        .map(|_| {
            tokio::spawn(schedule(
                task("red"),
                Box::pin(busy(50, Arc::clone(&count))),
            ))
        })
        .collect();
    while count.load(Ordering::Relaxed) < 10 {
        tokio::task::yield_now().await;
    }
    for other in &others {
        other.abort();
    }
    slow.await.unwrap();
    let after = tokio::spawn(schedule(task("blue"), Box::pin(busy(2, count))));
    after.await.unwrap();
}

/// A response is not polled while its client has no room for it (backpressure), so its turn may be granted and never
/// used.
#[tokio::test]
async fn a_turn_that_is_not_taken_stops_nobody() {
    let count = Arc::<AtomicU32>::default();
    let slow = [(); 2].map(|()| {
        tokio::spawn(schedule(
            task("red"),
            Box::pin(busy(50, Arc::clone(&count))),
        ))
    });
    while count.load(Ordering::Relaxed) < 4 {
        tokio::task::yield_now().await;
    }
    let mut never = Box::pin(schedule(
        task("blue"),
        Box::pin(busy(1, Arc::clone(&count))),
    ));
    let mut context = Context::from_waker(std::task::Waker::noop());
    assert!(never.as_mut().poll(&mut context).is_pending());
    assert!(count.load(Ordering::Relaxed) < 100, "others still run");
    for slow in slow {
        let ended = tokio::time::timeout(Duration::from_secs(20), slow).await;
        ended.expect("in time").unwrap();
    }
    drop(never);
}

/// Turns take longer than others did before them, and the thread is idle now and then.
#[tokio::test]
async fn whoever_waits_has_a_turn_at_last() {
    let seed: u64 = rand::random();
    let calls = (0..64_u64).map(|number| {
        let mut random = SmallRng::seed_from_u64(seed ^ number);
        let tenant = ["red", "blue", "green"][random.random_range(0..3)];
        let call = async move {
            for _ in 0..40 {
                run_for(Duration::from_micros(random.random_range(1..120)));
                match random.random_range(0..4) {
                    0 => tokio::time::sleep(Duration::from_millis(random.random_range(0..4))).await,
                    _ => tokio::task::yield_now().await,
                }
            }
        };
        tokio::spawn(schedule(task(tenant), Box::pin(call)))
    });
    let ended = tokio::time::timeout(Duration::from_secs(60), join_all(calls.collect::<Vec<_>>()));
    assert!(ended.await.is_ok(), "seed {seed}");
}

/// HTTP/1 runs a call inside the future of its connection.
#[tokio::test]
async fn a_turn_within_another_waits_for_nothing_and_each_counts_its_own_time() {
    let count = Arc::<AtomicU32>::default();
    let others: Vec<_> = (0..20)
        .map(|_| tokio::spawn(schedule(task("red"), Box::pin(busy(5, Arc::clone(&count))))))
        .collect();
    let usage = Usage::default();
    let [outer, inner] = ["outer", "inner"].map(|name| usage.meter(Account::of_tenant(name)));
    let call = schedule(
        FairTask::unmetered(Arc::clone(&inner)),
        Box::pin(busy(4, Arc::clone(&count))),
    );
    let connection = async move {
        record_written(7);
        call.await;
    };
    tokio::spawn(schedule(
        FairTask::unmetered(Arc::clone(&outer)),
        Box::pin(connection),
    ))
    .await
    .unwrap();
    let time = |meter: &Meter| meter.consumption().time;
    assert!(time(&inner) >= Duration::from_micros(3_900));
    assert!(time(&outer) < time(&inner), "its own time alone");
    assert_eq!(
        (outer.consumption().written, inner.consumption().written),
        (7, 0)
    );
    for other in others {
        other.await.unwrap();
    }
}

/// A thread that is taken off its core looks to the monotonic clock as if it were working.
#[tokio::test]
async fn a_turn_pays_for_processor_time_and_not_for_waiting() {
    let usage = Usage::default();
    let time = async |tenant, work: fn()| {
        let meter = usage.meter(Account::of_tenant(tenant));
        let task = FairTask::unmetered(Arc::clone(&meter));
        schedule(task, Box::pin(async move { work() })).await;
        meter.consumption().time
    };
    for _ in 0..3 {
        time("red", || std::thread::sleep(Duration::from_millis(20))).await;
    }
    let waited = time("red", || ()).await;
    assert!(waited < Duration::from_millis(10), "{waited:?}");
    let worked = time("blue", || run_for(Duration::from_millis(20))).await;
    let about = Duration::from_micros(19_900)..Duration::from_millis(25);
    assert!(about.contains(&worked), "{worked:?}");
}

#[tokio::test]
async fn a_turn_pays_for_what_it_used_beyond_a_small_call() {
    let rate = Rate {
        per_second: 1.try_into().unwrap(),
        burst: 10.try_into().unwrap(),
    };
    let budgets = Arc::new(RateLimiter::new(Some(rate)));
    let account = Account::of_tenant("red");
    let call = async |bytes| {
        let meter = budgets.usage().meter(account);
        let task = FairTask::for_call(meter, Arc::clone(&budgets));
        schedule(task, Box::pin(async { record_written(bytes) })).await;
    };
    budgets.admit(account).unwrap();
    call(10).await;
    assert!(budgets.admit(account).is_ok(), "it was small");
    call(1 << 20).await;
    assert!(budgets.admit(account).is_err(), "a megabyte is not");
    let other = Account::of_tenant("blue");
    assert!(budgets.admit(other).is_ok());
}

/// A call with HTTP/2 has a task of its own, which begins before its caller is known and ends after the response was
/// made.
#[tokio::test]
async fn a_caller_pays_for_the_task_that_carries_its_call() {
    let usage = Usage::default();
    let meter = |name| usage.meter(Account::of_tenant(name));
    let [stranger, caller, turns] = ["stranger", "caller", "turns"].map(meter);
    let work = || run_for(Duration::from_millis(4));
    let call = schedule(
        FairTask::unmetered(Arc::clone(&turns)),
        Box::pin(async { work() }),
    );
    let known = Arc::clone(&caller);
    let carried = async move {
        work();
        tokio::task::yield_now().await;
        record_caller(&known);
        call.await;
        tokio::task::yield_now().await;
        work();
    };
    carry(Arc::clone(&stranger), carried).await;
    assert!(take_caller().is_none());
    for meter in [stranger, caller, turns] {
        let time = meter.consumption().time;
        let about = Duration::from_micros(3_900)..Duration::from_micros(7_900);
        assert!(about.contains(&time), "{:?}: {time:?}", meter.account());
    }
}

/// A token is verified in a turn of its connection, before anybody knows whose it is.
#[tokio::test]
async fn the_work_around_it_has_the_use_of_a_turn_without_a_meter() {
    let [connection, caller] = ["connection", "caller"].map(Account::of_tenant);
    let meter = Usage::default().meter(caller);
    let work = Box::pin(async { run_for(Duration::from_millis(4)) });
    let verify = schedule(FairTask::for_connection(connection), work);
    carry(Arc::clone(&meter), verify).await;
    assert!(meter.consumption().time > Duration::from_micros(3_900));
}

/// A call that its client has abandoned needs no turn to end.
#[tokio::test]
async fn the_task_that_carries_a_call_waits_for_no_turn() {
    let count = Arc::<AtomicU32>::default();
    let flood: Vec<_> = (0..50)
        .map(|_| {
            tokio::spawn(schedule(
                task("red"),
                Box::pin(busy(1_000, Arc::clone(&count))),
            ))
        })
        .collect();
    while count.load(Ordering::Relaxed) < 20 {
        tokio::task::yield_now().await;
    }
    let meter = Usage::default().meter(Account::of_tenant("red"));
    let ends = carry(meter, std::future::ready(())).now_or_never();
    assert!(ends.is_some());
    flood.iter().for_each(tokio::task::JoinHandle::abort);
}
