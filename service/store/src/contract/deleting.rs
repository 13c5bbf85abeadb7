use bytes::Bytes;
use uuid::Uuid;

use super::{Subject, commit, created, entries, grown, head, new_game, row_of, whole_log};
use crate::{Commit, Committed, Created, Head, ListFilter, NewGame};

/// A deletion leaves no log, snapshot, access record or row.
pub async fn a_deleted_game_is_gone(subject: &Subject) {
    let tenant = format!("tenant {}", Uuid::now_v7());
    let id = Uuid::now_v7();
    let game = NewGame {
        row: row_of(&tenant),
        ..new_game(id)
    };
    assert_eq!(subject.one.create(game).await.unwrap(), Created::Done);
    grown(&*subject.one, id, 20, &[16]).await;
    let access = Bytes::from_static(b"access");
    assert!(
        subject
            .one
            .set_access(id, Bytes::new(), access, None, None)
            .await
            .unwrap()
    );
    let bystander = created(&*subject.one).await;

    assert!(subject.other.delete(id).await.unwrap());
    assert!(!subject.one.delete(id).await.unwrap());
    assert_eq!(subject.one.load(id, None).await.unwrap(), None);
    assert_eq!(
        subject.one.load(id, Some(head(id, 20))).await.unwrap(),
        None
    );
    assert_eq!(subject.one.log(id, 0, 10).await.unwrap(), None);
    assert_eq!(
        subject.one.commit(&commit(id, 20)).await.unwrap(),
        Committed::Missing
    );
    let filter = ListFilter {
        tenant: Some(tenant),
        ..ListFilter::default()
    };
    assert_eq!(subject.one.list(&filter, None, 10).await.unwrap(), []);
    let all = subject
        .one
        .list(&ListFilter::default(), None, usize::MAX)
        .await
        .unwrap();
    assert!(all.iter().all(|game| game.id != id));
    assert_eq!(
        whole_log(&*subject.one, bystander).await,
        entries(bystander, 1..=1)
    );
}

/// A game with the id of a deleted one starts from scratch.
pub async fn a_deleted_game_can_be_created_anew(subject: &Subject) {
    let id = created(&*subject.one).await;
    grown(&*subject.one, id, 3, &[3]).await;
    let access = Bytes::from_static(b"access");
    assert!(
        subject
            .one
            .set_access(id, Bytes::new(), access, None, None)
            .await
            .unwrap()
    );
    assert!(subject.one.delete(id).await.unwrap());
    let entry = Bytes::from_static(b"a new beginning");
    let game = NewGame {
        entry: entry.clone(),
        ..new_game(id)
    };
    assert_eq!(subject.other.create(game).await.unwrap(), Created::Done);
    let loaded = subject.one.load(id, None).await.unwrap().unwrap();
    assert_eq!(loaded.entries.len(), 1);
    assert_eq!(loaded.entries[0].bytes, entry);
    assert_eq!(loaded.access, Bytes::new());
    // A caller that still knows the old game cannot add to the new one.
    let known = Some(head(id, 1));
    assert_eq!(
        subject.one.load(id, known).await.unwrap().unwrap(),
        loaded,
        "as if nothing were known"
    );
    assert_eq!(
        subject.one.commit(&commit(id, 1)).await.unwrap(),
        Committed::Conflict { newer: vec![] }
    );
    let next = Commit {
        expected: Head::of(1, &entry),
        ..commit(id, 1)
    };
    assert_eq!(subject.one.commit(&next).await.unwrap(), Committed::Done);
}
