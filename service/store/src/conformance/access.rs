use bytes::Bytes;
use uuid::Uuid;

use super::{StoreHandles, commit, created, entries, head, rival, whole_log};
use crate::{Commit, Committed};

/// A change must name the current record, so a retry after a success is refused: the record has already changed.
pub async fn an_access_record_is_compared_and_set(handles: &StoreHandles) {
    let [none, one, two, three] = ["", "one", "two", "three"].map(Bytes::from);
    let missing = Uuid::now_v7();
    assert!(
        !handles
            .one
            .set_access(missing, none.clone(), one.clone(), None, None)
            .await
            .unwrap()
    );
    assert_eq!(handles.one.load(missing, None).await.unwrap(), None);

    let id = created(&*handles.one).await;
    let set = |from: &Bytes, to: &Bytes| {
        handles
            .other
            .set_access(id, from.clone(), to.clone(), None, None)
    };
    let access = async || {
        handles
            .one
            .load(id, Some(head(id, 1)))
            .await
            .unwrap()
            .unwrap()
            .access
    };
    assert!(!set(&one, &two).await.unwrap(), "never set");
    assert_eq!(access().await, none);
    assert!(set(&none, &one).await.unwrap());
    assert_eq!(access().await, one);
    assert!(!set(&none, &two).await.unwrap(), "set already");
    assert!(set(&one, &two).await.unwrap());
    assert!(!set(&one, &two).await.unwrap(), "sent again");
    assert!(!set(&one, &three).await.unwrap(), "too late");
    assert_eq!(access().await, two);
    assert_eq!(
        handles.one.load(id, None).await.unwrap().unwrap().access,
        two
    );
    assert_eq!(
        whole_log(&*handles.one, id).await,
        entries(id, 1..=1),
        "the log is unchanged"
    );
}

/// A change that follows from a version is refused once the game has moved on.
pub async fn an_access_record_can_insist_on_the_newest_entry(handles: &StoreHandles) {
    let [none, one, two] = ["", "one", "two"].map(Bytes::from);
    let id = created(&*handles.one).await;
    let set = |from: &Bytes, to: &Bytes, version| {
        let head = Some(head(id, version));
        let other = &handles.other;
        other.set_access(id, from.clone(), to.clone(), head, None)
    };
    assert!(set(&none, &one, 1).await.unwrap());
    let moved_on = handles.one.commit(&commit(id, 1)).await.unwrap();
    assert_eq!(moved_on, Committed::Done);
    assert!(!set(&one, &two, 1).await.unwrap());
    assert!(!set(&one, &two, 3).await.unwrap());
    let loaded = handles.one.load(id, None).await.unwrap().unwrap();
    assert_eq!(loaded.access, one);
    assert!(set(&one, &two, 2).await.unwrap());
    assert!(!set(&one, &two, 1).await.unwrap(), "sent again");
    let loaded = handles.one.load(id, None).await.unwrap().unwrap();
    assert_eq!(loaded.access, two);
}

/// A commit that requires an access record is refused if the record differs.
pub async fn a_commit_can_insist_on_the_access_record(handles: &StoreHandles) {
    let [none, one, two] = ["", "one", "two"].map(Bytes::from);
    let id = created(&*handles.one).await;
    let insisting = |on: &Bytes, expected| Commit {
        access: Some(on.clone()),
        ..commit(id, expected)
    };
    let commit = async |commit: Commit| handles.other.commit(&commit).await;
    assert_eq!(commit(insisting(&none, 1)).await.unwrap(), Committed::Done);
    assert!(
        handles
            .one
            .set_access(id, none.clone(), one.clone(), None, None)
            .await
            .unwrap()
    );
    assert_eq!(
        commit(insisting(&none, 2)).await.unwrap(),
        Committed::AccessChanged
    );
    assert_eq!(
        commit(insisting(&two, 2)).await.unwrap(),
        Committed::AccessChanged
    );
    assert_eq!(commit(insisting(&one, 2)).await.unwrap(), Committed::Done);
    assert_eq!(
        commit(insisting(&none, 2)).await.unwrap(),
        Committed::Done,
        "sent again"
    );
    let late = Commit {
        access: Some(none),
        ..rival(id, 2)
    };
    assert!(
        matches!(commit(late).await.unwrap(), Committed::Conflict { .. }),
        "the version is judged first"
    );
    assert_eq!(whole_log(&*handles.one, id).await, entries(id, 1..=3));
}
