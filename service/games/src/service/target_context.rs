//! **Scenes** at earlier versions: the part of a table that sentences about its events depend on.

use gamekeeper_rules::table::TextContext;
use gamekeeper_store::{StoredEntry, Version};
use gamekeeper_wire::Wire;
use uuid::Uuid;

use crate::aggregate::game::{Game, decode_genesis_entry};
use crate::errors::ServiceError;
use crate::rendering::entry_view::restore_scene;
use crate::service::game_service::GameService;
use crate::service::load::LOG_PAGE;
use crate::timing::yielder::Yielder;

impl<W: Wire> GameService<W> {
    /// Builds the scene after a version from the entries up to it, stopping early once the scene equals that of the
    /// later table `target`. Returns an empty scene if `target` is `None`, as sentences then need none.
    pub(crate) async fn rebuild_scene(
        &self,
        id: Uuid,
        version: Version,
        target: Option<TargetContext>,
    ) -> Result<TextContext, ServiceError> {
        let (mut scene, mut read_version, mut yielder) =
            (TextContext::default(), 0, Yielder::new());
        let Some(target) = target else {
            return Ok(scene);
        };
        while read_version < version && !target.is_reached(&scene) {
            let missing = usize::try_from(version - read_version).unwrap_or(usize::MAX);
            let entries = self
                .entries(id, read_version, missing.min(LOG_PAGE))
                .await?;
            let Some(last) = entries.last() else {
                break;
            };
            read_version = last.version;
            for entry in &entries {
                if let Some(begun) = scene_of_start::<W>(id, entry).await? {
                    scene = begun;
                    continue;
                }
                if !apply_entry::<W>(&mut scene, entry)? {
                    // An entry of another layout has no events to apply, so replay the game, which also gives its
                    // scene.
                    let later = Box::pin(self.at_version(id, version)).await?;
                    return Ok(W::text_context(&later.state).unwrap_or_default());
                }
                yielder.yield_if_due().await;
            }
        }
        Ok(scene)
    }

    /// Reads at most `limit` entries of a log after a version.
    pub(crate) async fn entries(
        &self,
        id: Uuid,
        after: Version,
        limit: usize,
    ) -> Result<Vec<StoredEntry>, ServiceError> {
        let entries = self.context.store.log(id, after, limit).await?;
        entries.ok_or_else(|| ServiceError::no_such_game(id))
    }
}

/// The scene of a later table. Once the scene built so far equals it, no further entries need to be read.
pub(crate) struct TargetContext {
    scene: TextContext,
    /// Whether the game has table life. It may then contain take-backs, after which a scene can change and change back,
    /// so equal scenes prove nothing.
    may_repeat: bool,
}

impl TargetContext {
    /// Returns the scene of a table. Returns `None` if sentences of the ruleset need none.
    pub(crate) fn of_game<W: Wire>(game: &Game<W>) -> Option<Self> {
        let may_repeat = game.table_life.is_some();
        W::text_context(&game.state).map(|scene| Self { scene, may_repeat })
    }

    /// Returns whether this scene stays unchanged up to the later table.
    fn is_reached(&self, scene: &TextContext) -> bool {
        !self.may_repeat && *scene == self.scene
    }
}

/// Returns the scene of version 1 if the game began on another table than the set-up: no events lead to it. Returns
/// `None` for all other entries.
pub(crate) async fn scene_of_start<W: Wire>(
    id: Uuid,
    entry: &StoredEntry,
) -> Result<Option<TextContext>, ServiceError> {
    if entry.version > 1 || decode_genesis_entry::<W>(entry)?.start.is_none() {
        return Ok(None);
    }
    let begun = Box::pin(Game::<W>::replay_genesis(id, entry)).await?;
    Ok(Some(W::text_context(&begun.state).unwrap_or_default()))
}

/// Applies an entry to the scene. Returns false if the events of the entry are stored in another layout.
fn apply_entry<W: Wire>(
    scene: &mut TextContext,
    entry: &StoredEntry,
) -> Result<bool, ServiceError> {
    if entry.version == 1 {
        let genesis = decode_genesis_entry::<W>(entry)?;
        for event in genesis.events() {
            W::update_text_context(scene, event);
        }
        return Ok(genesis.effects.is_some());
    }
    let decoded = Game::<W>::read_entry(entry)?;
    restore_scene::<W>(scene, entry.version, &decoded)?;
    for event in decoded.record.events() {
        W::update_text_context(scene, event);
    }
    Ok(decoded.has_effects())
}

#[cfg(test)]
mod tests {
    use gamekeeper_proto::gamekeeper::v1::TableOptions;
    use gamekeeper_rules::ruleset::Ruleset;
    use gamekeeper_rules::terra_mystica::TerraMystica;

    use super::*;
    use crate::test_server::{TestServer, store};

    /// The scene is independent of the present table, which only spares reading further entries.
    #[tokio::test]
    async fn the_scene_after_a_version_is_that_of_its_table() {
        let process = TestServer::<TerraMystica>::new(&store());
        let mut game = process.create(2, TableOptions::default()).await;
        while game.version < 20 {
            game = process.play_first_legal(&game).await;
        }
        let id = Uuid::try_parse(&game.game_id).unwrap();
        let mut scenes = Vec::new();
        for version in 1..=20 {
            let then = process.games.at_version(id, version).await.unwrap();
            let scene = TerraMystica::text_context(&then.state).unwrap();
            for later in [version, 20] {
                let later = process.games.at_version(id, later).await.unwrap();
                let now = TargetContext::of_game(&later);
                let built = process.games.rebuild_scene(id, version, now).await;
                assert_eq!(built.unwrap(), scene, "{version}");
            }
            scenes.push(scene);
        }
        assert!(
            scenes.iter().any(|scene| *scene != scenes[19]),
            "it changes"
        );
    }
}
