//! **Scenes** at earlier versions: the part of a table that sentences about its events depend on.

use gamekeeper_rules::table::Scene;
use gamekeeper_store::{StoredEntry, Version};
use gamekeeper_wire::Wire;
use uuid::Uuid;

use crate::heart::game::{Game, read_birth};
use crate::heart::games::Games;
use crate::heart::load::LOG_PAGE;
use crate::heart::problem::Problem;
use crate::heart::telling::go_back;
use crate::heart::yielding::Yielder;

impl<W: Wire> Games<W> {
    /// Builds the scene after a version from the entries up to it, stopping early once the scene equals that of the
    /// later table `now`. Returns an empty scene if `now` is `None`, as sentences then need none.
    pub(crate) async fn scene_after(
        &self,
        id: Uuid,
        version: Version,
        now: Option<Later>,
    ) -> Result<Scene, Problem> {
        let (mut scene, mut read, mut yielder) = (Scene::default(), 0, Yielder::new());
        let Some(now) = now else {
            return Ok(scene);
        };
        while read < version && !now.is(&scene) {
            let left = usize::try_from(version - read).unwrap_or(usize::MAX);
            let entries = self.entries(id, read, left.min(LOG_PAGE)).await?;
            let Some(last) = entries.last() else {
                break;
            };
            read = last.version;
            for entry in &entries {
                if !pass::<W>(&mut scene, entry)? {
                    // An entry of another layout has no events to apply, so replay the game, which also gives its
                    // scene.
                    let then = Box::pin(self.at_version(id, version)).await?;
                    return Ok(W::scene(&then.state).unwrap_or_default());
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
    ) -> Result<Vec<StoredEntry>, Problem> {
        let entries = self.shared.store.log(id, after, limit).await?;
        entries.ok_or_else(|| Problem::no_such_game(id))
    }
}

/// The scene of a later table. Once the scene built so far equals it, no further entries need to be read.
pub(crate) struct Later {
    scene: Scene,
    /// Whether the game has table life. It may then contain take-backs, after which a scene can change and change back,
    /// so equal scenes prove nothing.
    is_fickle: bool,
}

impl Later {
    /// Returns the scene of a table. Returns `None` if sentences of the ruleset need none.
    pub(crate) fn of<W: Wire>(game: &Game<W>) -> Option<Self> {
        let is_fickle = game.life.is_some();
        W::scene(&game.state).map(|scene| Self { scene, is_fickle })
    }

    /// Returns whether this scene stays unchanged up to the later table.
    fn is(&self, scene: &Scene) -> bool {
        !self.is_fickle && *scene == self.scene
    }
}

/// Applies an entry to the scene. Returns false if the events of the entry are stored in another layout.
fn pass<W: Wire>(scene: &mut Scene, entry: &StoredEntry) -> Result<bool, Problem> {
    if entry.version == 1 {
        let birth = read_birth::<W>(entry)?;
        for event in birth.events() {
            W::changes(scene, event);
        }
        return Ok(birth.effects.is_some());
    }
    let played = Game::<W>::read_entry(entry)?;
    go_back::<W>(scene, entry.version, &played)?;
    for event in played.story.events() {
        W::changes(scene, event);
    }
    Ok(played.is_told())
}

#[cfg(test)]
mod tests {
    use gamekeeper_proto::gamekeeper::v1::TableOptions;
    use gamekeeper_rules::ruleset::Ruleset;
    use gamekeeper_rules::terra_mystica::TerraMystica;

    use super::*;
    use crate::process::{Process, store};

    /// The scene is independent of the present table, which only spares reading further entries.
    #[tokio::test]
    async fn the_scene_after_a_version_is_that_of_its_table() {
        let process = Process::<TerraMystica>::over(&store());
        let mut game = process.create(2, TableOptions::default()).await;
        while game.version < 20 {
            game = process.act(&game).await;
        }
        let id = Uuid::try_parse(&game.game_id).unwrap();
        let mut scenes = Vec::new();
        for version in 1..=20 {
            let then = process.games.at_version(id, version).await.unwrap();
            let scene = TerraMystica::scene(&then.state).unwrap();
            for later in [version, 20] {
                let later = process.games.at_version(id, later).await.unwrap();
                let now = Later::of(&later);
                let built = process.games.scene_after(id, version, now).await;
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
