use bytes::Bytes;
use uuid::Uuid;

use super::{StoreHandles, commit, created, entries, grown, head, new_game, row_of, whole_log};
use crate::{Commit, Committed, Created, Head, ListFilter, NewGame};

/// A deletion leaves no log, snapshot, access record or row.
pub async fn a_deleted_game_is_gone(handles: &StoreHandles) {
    let tenant = format!("tenant {}", Uuid::now_v7());
    let id = Uuid::now_v7();
    let game = NewGame {
        row: row_of(&tenant),
        ..new_game(id)
    };
    assert_eq!(handles.one.create(game).await.unwrap(), Created::Done);
    grown(&*handles.one, id, 20, &[16]).await;
    let access = Bytes::from_static(b"access");
    assert!(
        handles
            .one
            .set_access(id, Bytes::new(), access, None, None)
            .await
            .unwrap()
    );
    let bystander = created(&*handles.one).await;

    assert!(handles.other.delete(id).await.unwrap());
    assert!(!handles.one.delete(id).await.unwrap());
    assert_eq!(handles.one.load(id, None).await.unwrap(), None);
    assert_eq!(
        handles.one.load(id, Some(head(id, 20))).await.unwrap(),
        None
    );
    assert_eq!(handles.one.log(id, 0, 10).await.unwrap(), None);
    assert_eq!(
        handles.one.commit(&commit(id, 20)).await.unwrap(),
        Committed::Missing
    );
    let filter = ListFilter {
        tenant: Some(tenant),
        ..ListFilter::default()
    };
    assert_eq!(handles.one.list(&filter, None, 10).await.unwrap(), []);
    let all = handles
        .one
        .list(&ListFilter::default(), None, usize::MAX)
        .await
        .unwrap();
    assert!(all.iter().all(|game| game.id != id));
    assert_eq!(
        whole_log(&*handles.one, bystander).await,
        entries(bystander, 1..=1)
    );
}

/// A game with the id of a deleted one starts from scratch.
pub async fn a_deleted_game_can_be_created_anew(handles: &StoreHandles) {
    let id = created(&*handles.one).await;
    grown(&*handles.one, id, 3, &[3]).await;
    let access = Bytes::from_static(b"access");
    assert!(
        handles
            .one
            .set_access(id, Bytes::new(), access, None, None)
            .await
            .unwrap()
    );
    assert!(handles.one.delete(id).await.unwrap());
    let entry = Bytes::from_static(b"a new beginning");
    let game = NewGame {
        entry: entry.clone(),
        ..new_game(id)
    };
    assert_eq!(handles.other.create(game).await.unwrap(), Created::Done);
    let loaded = handles.one.load(id, None).await.unwrap().unwrap();
    assert_eq!(loaded.entries.len(), 1);
    assert_eq!(loaded.entries[0].bytes, entry);
    assert_eq!(loaded.access, Bytes::new());
    // A caller that still knows the old game cannot add to the new one.
    let known_head = Some(head(id, 1));
    assert_eq!(
        handles.one.load(id, known_head).await.unwrap().unwrap(),
        loaded,
        "as if nothing were known"
    );
    assert_eq!(
        handles.one.commit(&commit(id, 1)).await.unwrap(),
        Committed::Conflict { newer: vec![] }
    );
    let next = Commit {
        expected: Head::of(1, &entry),
        ..commit(id, 1)
    };
    assert_eq!(handles.one.commit(&next).await.unwrap(), Committed::Done);
}
