//! Writes a suite of N whole games, to measure how the time of `nudge replay` grows with N.
//!
//! ```text
//! cargo run --release -p nudge-tests --bin suite -- 1000 /tmp/suite
//! nudge replay /tmp/suite --quiet
//! ```
//!
//! Two persons play at random in every system, by seeds 1, 2, 3…; each move is a press, a wait
//! until the stones are at rest, and the expected console line. The games come from the reference
//! alone, without a board. `scripts/bench-suite.sh` uses it.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use nudge_tests::dice::Dice;
use nudge_tests::reference::{Game, System, Variant};
use nudge_tests::session::header;
use trace::{Action, Button, Line, Trace, When};
use virtual_time::{Instant, Nanos};

/// Maximum number of traces.
const TRACES_MOST: u64 = 100_000;
/// Time limit of a move: the longest sowing, a capture and a notice.
const MOVED: Nanos = Nanos::from_secs(15);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let count = words.first().and_then(|word| word.parse::<u64>().ok());
    let (Some(count @ 1..=TRACES_MOST), Some(folder), 2) = (count, words.get(1), words.len())
    else {
        eprintln!("suite: say how many traces, 1 to {TRACES_MOST}, and the folder for them");
        return ExitCode::from(2);
    };
    for seed in 1..=count {
        let path = Path::new(folder).join(format!("{:03}", seed / 100));
        let path = path.join(format!("game-{seed:06}.trace"));
        let written = fs::create_dir_all(path.parent().unwrap_or(Path::new("")))
            .and_then(|()| fs::write(&path, game(seed).to_string()));
        if let Err(error) = written {
            eprintln!("suite: {}: {error}", path.display());
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// Returns the game with that seed.
fn game(seed: u64) -> Trace {
    let system = System::ALL[(seed % 4) as usize];
    let mut dice = Dice::new(seed);
    let mut game = Game::new(Variant::plain(system), 0);
    let mut trace = Trace { header: header(&[("game", &system.name())]), ..Trace::default() };
    if system != System::Board {
        trace.header.extend(header(&[("first", &"bottom")]));
    }
    let mut add = |when, action| trace.lines.push(Line::new(when, action));
    add(When::At(Instant::START), Action::PowerOn);
    add(When::After(Nanos::ZERO), Action::Settle { display: None, within: MOVED });
    while game.turn().is_some() {
        let cup = dice.pick(&game.moves()).expect("a legal move");
        let made = game.play(cup).expect("it was chosen among the allowed ones");
        let button = button(cup);
        if system == System::Wari {
            // The first press counts the cup.
            add(When::After(Nanos::from_secs(1)), Action::Tap { button, hold: None });
        }
        add(When::After(Nanos::from_secs(1)), Action::Tap { button, hold: None });
        add(When::After(Nanos::ZERO), Action::Settle { display: None, within: MOVED });
        add(When::After(Nanos::ZERO), Action::ExpectConsole(made.line));
    }
    let text = "GAME OVER".to_owned();
    add(When::After(Nanos::ZERO), Action::WaitText { text, display: None, within: MOVED });
    add(When::After(Nanos::ZERO), Action::End);
    trace
}

/// Returns the button of a cup, by the index on the console: the bottom row from left to right,
/// then the top row from right to left.
fn button(cup: usize) -> Button {
    Button::LCD_BOARD[if cup < 6 { cup } else { 18 - cup }]
}
