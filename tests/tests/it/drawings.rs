//! Drawings through the service: the tables of every ruleset are drawn as the rules alone draw them, and a client can
//! play by the components alone.

use std::collections::BTreeSet;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::cli::Cli;
use gamekeeper_tests::dominion::{Client, assert_reason, facts, field_of, players};
use gamekeeper_tests::server::Gamekeeperd;
use prost::Message as _;
use sha2::{Digest as _, Sha256};
use tonic::Streaming;

/// Requests drawings, components and events.
fn drawn(width: u32) -> Option<pb::Show> {
    Some(pb::Show {
        events: true,
        components: true,
        drawing: Some(pb::DrawingStyle {
            width,
            color_scheme: 0,
            ..Default::default()
        }),
        ..Default::default()
    })
}

/// Returns the ids of the components in a drawing.
fn components(drawing: &str) -> BTreeSet<&str> {
    let parts = drawing.split("data-component=\"").skip(1);
    parts.filter_map(|part| part.split('"').next()).collect()
}

async fn look(client: &mut Client, game: &pb::GameInfo, seat: u32, width: u32) -> String {
    let viewer = pb::Viewer {
        kind: pb::ViewerKind::Seat.into(),
        seat,
    };
    let ask = pb::GetGameRequest {
        game_id: game.game_id.clone(),
        viewer: Some(viewer),
        show: drawn(width),
        ..Default::default()
    };
    let answer = client.get_game(ask).await.unwrap().into_inner();
    answer.table.unwrap().drawing
}

async fn catalogue(server: &Gamekeeperd, ruleset: &str) -> Vec<pb::Component> {
    let mut client = server.rulesets();
    let ask = pb::GetCatalogueRequest {
        ruleset: ruleset.to_owned(),
        known_revision: 0,
    };
    let answer = client.get_catalogue(ask).await.unwrap().into_inner();
    answer.catalogue.unwrap().components
}

async fn legal(client: &mut Client, game: &pb::GameInfo, seat: u32) -> Vec<pb::LegalAction> {
    let ask = pb::ListLegalActionsRequest {
        game_id: game.game_id.clone(),
        seat,
        show: drawn(0),
        ..Default::default()
    };
    let answer = client.list_legal_actions(ask).await;
    answer.unwrap().into_inner().actions
}

/// Checks that every legal action names components, and that all of them are drawn.
fn all_drawn(ruleset: &str, legal: &[pb::LegalAction], drawing: &str) {
    let there = components(drawing);
    for action in legal {
        assert!(!action.components.is_empty(), "{ruleset}: {}", action.kind);
        for name in &action.components {
            assert!(
                there.contains(name.as_str()),
                "{ruleset}: {name} is not drawn"
            );
        }
    }
}

/// Two watches of a table, one of which gets changes of drawings.
struct Watches {
    whole: Streaming<pb::WatchGameResponse>,
    changing: Streaming<pb::WatchGameResponse>,
    /// The last drawing, made of changes.
    drawing: String,
    /// The bytes of drawings, and of changes.
    sent: (usize, usize),
}

/// Returns the table of the next message that has one.
async fn next_table(watch: &mut Streaming<pb::WatchGameResponse>) -> pb::Table {
    loop {
        let message = watch.message().await.unwrap().unwrap();
        if let Some(table) = message.table {
            return table;
        }
    }
}

impl Watches {
    /// Watches the table as seat 1 sees it.
    async fn open(client: &mut Client, game: &pb::GameInfo) -> Self {
        let ask = |changes| pb::WatchGameRequest {
            game_id: game.game_id.clone(),
            viewer: Some(pb::Viewer {
                kind: pb::ViewerKind::Seat.into(),
                seat: 1,
            }),
            show: Some(pb::Show {
                drawing: Some(pb::DrawingStyle {
                    changes,
                    ..Default::default()
                }),
                ..Default::default()
            }),
            ..Default::default()
        };
        let whole = client.watch_game(ask(false)).await.unwrap().into_inner();
        let changing = client.watch_game(ask(true)).await.unwrap().into_inner();
        let mut watches = Self {
            whole,
            changing,
            drawing: String::new(),
            sent: (0, 0),
        };
        watches.compare().await;
        watches.sent = (0, 0);
        watches
    }

    /// Checks that the next message of both leads to the same drawing.
    async fn compare(&mut self) {
        let whole = next_table(&mut self.whole).await;
        assert_eq!(whole.drawing_changes, None);
        let table = next_table(&mut self.changing).await;
        self.drawing = match &table.drawing_changes {
            None => table.drawing.clone(),
            Some(changes) => self.changed(changes),
        };
        assert_eq!(self.drawing, whole.drawing);
        self.sent.0 += whole.encoded_len();
        self.sent.1 += table.encoded_len();
    }

    /// Makes the next drawing of the last one.
    fn changed(&self, changes: &pb::DrawingChanges) -> String {
        let hash = Sha256::digest(&self.drawing);
        assert_eq!(changes.base_sha256, hash.as_slice());
        let lines: Vec<&str> = self.drawing.split('\n').collect();
        let parts = changes.parts.iter().map(|part| match part.count {
            0 => part.lines.clone(),
            count => lines[part.first as usize..][..count as usize].join("\n"),
        });
        parts.collect::<Vec<_>>().join("\n")
    }
}

/// Plays the first actions of a game by the drawings: every legal action can be found by its components.
async fn play(server: &Gamekeeperd, ruleset: &str) {
    let printed = catalogue(server, ruleset).await;
    let printed: BTreeSet<&str> = printed.iter().map(|one| one.id.as_str()).collect();
    let mut client = server.games();
    let created = client
        .create_game(pb::CreateGameRequest {
            ruleset: ruleset.to_owned(),
            players: players(&["Ada <&>", "Bob", "Cyd"]),
            seed: vec![7; 32],
            ..Default::default()
        })
        .await
        .unwrap()
        .into_inner();
    let mut game = facts(created.table);
    let mut watches = Watches::open(&mut client, &game).await;
    for turn in 0..24_usize {
        let Some(seat) = game.pending.first().map(|pending| pending.seat) else {
            break;
        };
        let wide = look(&mut client, &game, seat, 1200).await;
        let tablet = look(&mut client, &game, seat, 800).await;
        let phone = look(&mut client, &game, seat, 390).await;
        assert!(
            wide.contains("Ada &lt;&amp;&gt;") && !wide.contains("Ada <"),
            "{ruleset}"
        );
        let legal = legal(&mut client, &game, seat).await;
        for drawing in [&wide, &tablet, &phone] {
            assert!(drawing.starts_with("<svg "), "{ruleset}");
            all_drawn(ruleset, &legal, drawing);
        }
        let chosen = legal[turn * 7 % legal.len()].action.clone();
        let act = pb::ApplyActionRequest {
            game_id: game.game_id.clone(),
            seat,
            action: chosen,
            expected_version: game.version,
            show: drawn(0),
            ..Default::default()
        };
        let answer = client.apply_action(act).await.unwrap().into_inner();
        let (table, entry) = (answer.table.unwrap(), answer.entry.unwrap());
        let (before, after) = (components(&wide), components(&table.drawing));
        for event in entry.events.iter().filter(|event| event.ruleset.is_some()) {
            for name in &event.components {
                let name = name.as_str();
                let is_drawn =
                    printed.contains(name) || before.contains(name) || after.contains(name);
                assert!(is_drawn, "{ruleset}: {} touches {name}", event.kind);
            }
        }
        game = table.game.unwrap();
        watches.compare().await;
    }
    let (whole, changes) = watches.sent;
    assert!(3 * changes < whole, "{ruleset}: {changes} of {whole} bytes");
}

macro_rules! play_every_ruleset {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(
            #[tokio::test]
            async fn $module() {
                let server = Gamekeeperd::start(&["--store=memory"]);
                play(&server, stringify!($module)).await;
            }
        )*
    };
}

gamekeeper_wire::for_each_ruleset!(play_every_ruleset);

#[tokio::test]
async fn drawings_are_sent_where_they_are_asked_for() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut client = server.games();
    let game = gamekeeper_tests::dominion::ada_and_bob();
    let created = client
        .create_game(game)
        .await
        .unwrap()
        .into_inner()
        .table
        .unwrap();
    assert_eq!(created.drawing, "");
    let game = created.game.unwrap();
    let watch = pb::WatchGameRequest {
        game_id: game.game_id.clone(),
        show: drawn(390),
        ..Default::default()
    };
    let mut watching = client.watch_game(watch).await.unwrap().into_inner();
    let first = watching.message().await.unwrap().unwrap().table.unwrap();
    assert!(first.drawing.contains(r#"viewBox="0 0 390 "#));
    let style = pb::DrawingStyle {
        width: 0,
        color_scheme: 3,
        ..Default::default()
    };
    let ask = pb::GetGameRequest {
        game_id: game.game_id.clone(),
        show: Some(pb::Show {
            drawing: Some(style),
            ..Default::default()
        }),
        ..Default::default()
    };
    let refused = client.get_game(ask).await.unwrap_err();
    assert_eq!(refused.code(), tonic::Code::InvalidArgument);
    let cli = Cli::at(server.address());
    let drawn = cli.out(&format!("draw {} --seat 1 --scheme dark", game.game_id));
    assert!(drawn.starts_with("<svg ") && drawn.contains("gk-dark"));
}

/// The colors of a theme.
fn theme(colors: &[(&str, &str)]) -> Option<Box<pb::DrawingTheme>> {
    let colors = colors.iter();
    let colors = colors.map(|&(name, color)| (name.to_owned(), color.to_owned()));
    Some(Box::new(pb::DrawingTheme {
        colors: colors.collect(),
        ..Default::default()
    }))
}

/// Asks for a drawing in this style.
fn ask_for(game: &pb::GameInfo, style: pb::DrawingStyle) -> pb::GetGameRequest {
    pb::GetGameRequest {
        game_id: game.game_id.clone(),
        show: Some(pb::Show {
            drawing: Some(style),
            ..Default::default()
        }),
        ..Default::default()
    }
}

/// Creates a game of Dominion of players with these names.
async fn game_of(client: &mut Client, names: &[&str]) -> pb::GameInfo {
    let ask = pb::CreateGameRequest {
        ruleset: String::from("dominion"),
        players: players(names),
        seed: vec![7; 32],
        ..Default::default()
    };
    facts(client.create_game(ask).await.unwrap().into_inner().table)
}

#[tokio::test]
async fn a_theme_colors_drawings_and_is_checked() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut client = server.games();
    let game = game_of(&mut client, &["Ada", "Bob"]).await;
    let themed = |theme| pb::DrawingStyle {
        theme,
        ..Default::default()
    };
    let good = themed(theme(&[("paper", "#102030")]));
    let answer = client.get_game(ask_for(&game, good)).await.unwrap();
    let drawing = answer.into_inner().table.unwrap().drawing;
    assert!(drawing.contains("var(--gk-paper,#102030)"));
    for (theme, path) in [
        (
            theme(&[("papyrus", "#102030")]),
            "show.drawing.theme.colors",
        ),
        (
            theme(&[("paper", "#102030}*{display:none")]),
            "show.drawing.theme.colors.paper",
        ),
    ] {
        let refused = client.get_game(ask_for(&game, themed(theme))).await;
        assert_eq!(field_of(&refused.unwrap_err()), path);
    }
    // On the command line, a theme is a style sheet.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("night.css");
    std::fs::write(
        &file,
        "/* Night */\n.night { --gk-paper: #112233; --gk-corners: 0; --gk-font: Arimo; }",
    )
    .unwrap();
    let cli = Cli::at(server.address());
    let theme = file.display();
    let drawn = cli.out(&format!(
        "draw {} --scheme light --theme {theme}",
        game.game_id
    ));
    assert!(
        drawn.contains("{fill:#112233}") && !drawn.contains("var(") && !drawn.contains("Arimo")
    );
}

/// A picture is the painted drawing of the same viewer, so it keeps the same secrets. Names that its font cannot write show
/// as seats, also on the command line.
#[tokio::test]
async fn pictures_show_what_drawings_show() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut client = server.games();
    let cli = Cli::at(server.address());
    let folder = tempfile::tempdir().unwrap();
    let ask = |game: &pb::GameInfo, raster| {
        let style = pb::DrawingStyle {
            width: 390,
            color_scheme: pb::ColorScheme::Light.into(),
            theme: theme(&[("panel", "#fefefe")]),
            raster,
            ..Default::default()
        };
        pb::GetGameRequest {
            viewer: Some(pb::Viewer {
                kind: pb::ViewerKind::Seat.into(),
                seat: 1,
            }),
            ..ask_for(game, style)
        }
    };
    for (name, shown) in [("Дарья", "Дарья"), ("山田", "Seat 2")] {
        let game = game_of(&mut client, &["Ada", name]).await;
        let same = game_of(&mut client, &["Ada", shown]).await;
        let drawn = client.get_game(ask(&same, false)).await.unwrap();
        let drawing = drawn.into_inner().table.unwrap().drawing;
        assert!(drawing.contains(shown) && drawing.contains("#fefefe"));
        let painted = client.get_game(ask(&game, true)).await.unwrap();
        let table = painted.into_inner().table.unwrap();
        assert_eq!(table.drawing, "");
        let is_same = table.picture == gamekeeper_raster::paint(&drawing).unwrap();
        assert!(is_same, "{name}");
        let file = folder.path().join("table.png");
        let to = file.display();
        let said = cli.out(&format!(
            "draw {} --width 390 --png --to {to}",
            game.game_id
        ));
        assert_eq!(said, "");
        let picture = std::fs::read(file).unwrap();
        assert!(picture.starts_with(b"\x89PNG\r\n"));
        // Its header has the width.
        assert_eq!(picture[16..20], 390_u32.to_be_bytes());
    }
}

#[tokio::test]
async fn pictures_are_painted_in_turns_where_a_server_allows_it() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut client = server.games();
    let game = game_of(&mut client, &["Ada", "Bob"]).await;
    let raster = pb::DrawingStyle {
        raster: true,
        ..Default::default()
    };
    let mut asking = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let (mut client, ask) = (client.clone(), ask_for(&game, raster.clone()));
        asking.spawn(async move { client.get_game(ask).await.unwrap().into_inner() });
    }
    let answers = asking.join_all().await;
    let pictures: BTreeSet<_> = answers
        .into_iter()
        .map(|answer| answer.table.unwrap().picture)
        .collect();
    assert_eq!(pictures.len(), 1);

    // Streams and changes have no pictures: they would be painted for many, or fail after the change was made.
    let show = ask_for(&game, raster.clone()).show;
    let watch = pb::WatchGameRequest {
        game_id: game.game_id.clone(),
        show: show.clone(),
        ..Default::default()
    };
    let refused = client.watch_game(watch).await.unwrap_err();
    assert_eq!(field_of(&refused), "show.drawing.raster");
    let actions = legal(&mut client, &game, 1).await;
    let act = pb::ApplyActionRequest {
        game_id: game.game_id.clone(),
        seat: 1,
        action: actions[0].action.clone(),
        show,
        ..Default::default()
    };
    let refused = client.apply_action(act).await.unwrap_err();
    assert_eq!(field_of(&refused), "show.drawing.raster");

    let server = Gamekeeperd::start(&["--store=memory", "--max-painting=0"]);
    let mut client = server.games();
    let game = game_of(&mut client, &["Ada", "Bob"]).await;
    let refused = client.get_game(ask_for(&game, raster)).await.unwrap_err();
    assert_reason(&refused, tonic::Code::FailedPrecondition, "NO_RASTER");
}
