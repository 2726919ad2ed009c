//! Runs the firmware's app on a flash, without pins and an LCD, and plays on it.

use firmware_core::app::{App, Memory, Start, game_in_progress};
use firmware_core::button::Button;
use firmware_core::debounce::{Edge, Levels};
use firmware_core::history::History;
use firmware_core::menu::{Entry, Menu};
use firmware_core::storage::{Records, Stored};
use firmware_core::time::{Instant, Micros, Wake};
use hal_mock::flash::FlashChip;
use nudge_tests::dice::Dice;

/// Time limit of a move, with the movement of its stones and its message.
const MOVED: Micros = Micros::from_millis(8_000);

/// A board that is switched on.
pub struct Board<'f> {
    app: App<Box<Memory>>,
    flash: &'f mut FlashChip,
    now: Instant,
    console: Vec<u8>,
}

impl<'f> Board<'f> {
    /// Switches a board on, with the content of its flash.
    #[track_caller]
    pub fn power_on(flash: &'f mut FlashChip) -> Self {
        let mut records = Records::default();
        let Stored { settings, scores, damage } = records.start(flash);
        let start = Start { settings, scores, damage, records, ..Start::default() };
        let app = App::new(Box::new(Memory::new()), start);
        let mut board = Self { app, flash, now: Instant::POWER_ON, console: Vec::new() };
        board.step(&[]);
        let shown = board.last_position().expect("a board shows a position");
        match board.game() {
            Some(game) => {
                let said = format!("board={}", stones(&game));
                assert!(
                    shown.contains(&said) && shown.contains(" move=resume "),
                    "{shown}: {said}"
                );
            }
            None => assert!(shown.contains(" move=- "), "{shown}"),
        }
        board
    }

    pub fn flash(&self) -> &FlashChip {
        self.flash
    }

    /// Returns the game in progress that is stored in the flash.
    pub fn game(&self) -> Option<History> {
        game_in_progress(&mut self.flash.clone())
    }

    pub fn tap(&mut self, name: &str) {
        self.edge(name, true);
        self.edge(name, false);
    }

    /// Plays any move; returns whether there was one and the game continues after it.
    pub fn play_any(&mut self) -> bool {
        self.play(&mut Dice::new(0))
    }

    /// Plays a random move; returns whether there was one and the game continues after it.
    pub fn play(&mut self, dice: &mut Dice) -> bool {
        let names = ["B1", "B2", "B3", "B4", "B5", "B6", "T1", "T2", "T3", "T4", "T5", "T6"];
        let first = dice.below(12) as usize;
        for nth in 0..12 {
            let name = names[(first + nth) % 12];
            self.console.clear();
            self.tap(name);
            if self.last_position().is_none() {
                // The first press may only have counted the cup.
                self.tap(name);
            }
            if let Some(line) = self.last_position() {
                self.wait(MOVED);
                return !line.contains("turn=-");
            }
        }
        false
    }

    /// Types lines on the console, one after the other.
    pub fn type_lines(&mut self, lines: &[String]) {
        for line in lines {
            self.app.command(self.now, Ok(line), self.flash);
            self.step(&[]);
        }
    }

    /// Undoes the last move.
    pub fn undo(&mut self) {
        self.edge("RESET", true);
        self.wait(Micros::from_millis(1_100));
        self.edge("RESET", false);
        let at = Menu::ALL.iter().position(|menu| *menu == Menu::Play).expect("a menu");
        let entry = Menu::Play.entries().position(|entry| entry == Entry::Undo).expect("Undo");
        (0..at).for_each(|_| self.tap("B2"));
        (0..entry).for_each(|_| self.tap("B4"));
        self.tap("B5");
        self.wait(MOVED);
    }

    fn wait(&mut self, span: Micros) {
        let end = self.now.saturating_add(span);
        loop {
            match self.step(&[]) {
                Wake::Now => {}
                Wake::At(at) if at <= end => self.now = at,
                _ => break,
            }
        }
        self.now = end;
        self.step(&[]);
    }

    fn edge(&mut self, name: &str, down: bool) {
        self.now = self.now.saturating_add(Micros::from_millis(80));
        let button = Button::all().find(|button| button.name() == name).expect("a button");
        self.step(&[Edge { at: self.now, button, down }]);
    }

    fn step(&mut self, edges: &[Edge]) -> Wake {
        let wake = self.app.step(self.now, edges, Levels::default(), self.flash);
        // The LCD takes no time.
        self.app.shown(self.now);
        while !self.app.console().is_empty() {
            self.app.console().send(&mut Line(&mut self.console)).expect("it never fails");
        }
        wake
    }

    /// Returns the last position line since the console was cleared.
    fn last_position(&self) -> Option<String> {
        let text = String::from_utf8_lossy(&self.console);
        text.lines().rfind(|line| line.starts_with("position ")).map(str::to_owned)
    }
}

/// Formats the stones as the console does.
fn stones(game: &History) -> String {
    game.position().stones.map(|stones| stones.to_string()).join(",")
}

/// A UART that accepts everything.
struct Line<'c>(&'c mut Vec<u8>);

impl embedded_io::ErrorType for Line<'_> {
    type Error = core::convert::Infallible;
}

impl embedded_io::Write for Line<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Self::Error> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

impl embedded_io::WriteReady for Line<'_> {
    fn write_ready(&mut self) -> Result<bool, Self::Error> {
        Ok(true)
    }
}
