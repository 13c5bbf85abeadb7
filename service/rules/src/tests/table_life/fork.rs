//! Forks: whose luck made a version, and where branches begin.

use gamekeeper_rules::table_life::{ForkPoint, fork_times_at, rng_owner};

fn forks(versions: &[u64]) -> Vec<ForkPoint> {
    let fork_point = |(&version, at_ms)| ForkPoint { version, at_ms };
    versions.iter().zip(100..).map(fork_point).collect()
}

#[test]
fn each_version_has_one_maker() {
    let makers = |versions: &[u64]| -> Vec<Option<usize>> {
        (1..=6)
            .map(|version| rng_owner(&forks(versions), version))
            .collect()
    };
    assert_eq!(makers(&[]), [None; 6]);
    let (root, child) = (Some(0), Some(1));
    assert_eq!(makers(&[4]), [root, root, root, root, None, None]);
    assert_eq!(makers(&[2, 4]), [root, root, child, child, None, None]);
    // The child's own versions are left out by its fork.
    assert_eq!(makers(&[4, 2]), [root, root, None, None, None, None]);
    assert_eq!(
        makers(&[5, 2, 4]),
        [root, root, Some(2), Some(2), None, None]
    );
}

#[test]
fn branches_begin_where_they_are_part_of_the_past() {
    let times = |versions: &[u64], version| -> Vec<u64> {
        fork_times_at(&forks(versions), version).collect()
    };
    assert_eq!(times(&[2, 4], 2), [100]);
    assert_eq!(times(&[2, 4], 4), [101]);
    assert_eq!(times(&[2, 4], 3), [] as [u64; 0]);
    assert_eq!(times(&[4, 2], 4), [] as [u64; 0]);
    assert_eq!(times(&[3, 3], 3), [100, 101]);
}
