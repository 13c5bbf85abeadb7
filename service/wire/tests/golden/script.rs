//! The inputs of a record: games with their actions, and the actions and options that are tried beside them.

use gamekeeper_rules::table::Seat;

/// A game to play. Messages are stored in hexadecimal digits; `-` stands for an empty one.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Game {
    pub(crate) seats: usize,
    pub(crate) seed: u64,
    pub(crate) options: String,
    /// The table and the position of luck to begin with, if they differ from the ruleset's own.
    pub(crate) start: Option<(String, u64)>,
    pub(crate) steps: Vec<(Seat, String)>,
}

impl Game {
    pub(crate) fn header(&self) -> String {
        let (start, position) = match &self.start {
            Some((start, position)) => (start.as_str(), *position),
            None => ("-", 0),
        };
        format!(
            "game {} {} {} {start} {position}",
            self.seats, self.seed, self.options
        )
    }
}

/// An action that is tried in a game after this many steps.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Try {
    pub(crate) game: usize,
    pub(crate) step: usize,
    pub(crate) seat: Seat,
    pub(crate) action: String,
}

impl Try {
    pub(crate) fn head(&self) -> String {
        let seat = self.seat.number();
        format!("{} {} {seat} {}", self.game, self.step, self.action)
    }
}

/// Options that are tried with this many players.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Wish {
    pub(crate) players: usize,
    pub(crate) options: String,
}

impl Wish {
    pub(crate) fn head(&self) -> String {
        format!("{} {}", self.players, self.options)
    }
}

#[derive(Default)]
pub(crate) struct Script {
    pub(crate) games: Vec<Game>,
    pub(crate) tries: Vec<Try>,
    pub(crate) wishes: Vec<Wish>,
}

impl Script {
    /// Extracts the inputs from the records of games, tries and wishes.
    pub(crate) fn read(games: &str, tries: &str, wishes: &str) -> Self {
        let mut script = Self::default();
        for line in content(games) {
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["game", seats, seed, options, start, position, ..] => script.games.push(Game {
                    seats: seats.parse().unwrap(),
                    seed: seed.parse().unwrap(),
                    options: options.to_owned(),
                    start: (start != "-").then(|| (start.to_owned(), position.parse().unwrap())),
                    steps: Vec::new(),
                }),
                ["0", ..] | ["general", ..] => {}
                [_, of, action, ..] => {
                    let game = script.games.last_mut().unwrap();
                    game.steps.push((seat(of), action.to_owned()));
                }
                _ => panic!("what is {line}?"),
            }
        }
        script.tries.extend(content(tries).map(|line| {
            let words: Vec<&str> = line.splitn(5, ' ').collect();
            Try {
                game: words[0].parse().unwrap(),
                step: words[1].parse().unwrap(),
                seat: seat(words[2]),
                action: words[3].to_owned(),
            }
        }));
        script.wishes.extend(content(wishes).map(|line| {
            let words: Vec<&str> = line.splitn(3, ' ').collect();
            Wish {
                players: words[0].parse().unwrap(),
                options: words[1].to_owned(),
            }
        }));
        script
    }
}

fn content(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

fn seat(number: &str) -> Seat {
    Seat::new(number.parse().unwrap()).unwrap()
}
