//! The app as a user sees it: presses with their times in, views and console lines out.

extern crate std;

mod backlight;
mod chance;
mod computer;
mod durations;
mod edit;
mod files;
mod gate;
mod introduction;
mod lost_files;
mod menu;
mod play;
mod presses;
mod progress;
mod suspended;
mod transfer;
mod transitions;
mod walk;

use std::boxed::Box;
use std::string::String;

use super::*;
use crate::game::history::Step;
use crate::game::opponent::Players;
use crate::game::systems::Game;
use crate::interface::menu::Entry;
use crate::interface::page::Page;
use crate::interface::screen::{BoardView, View};
use crate::pins::button::Button;
use crate::storage::Settings;
use crate::storage::chip::Chip;
use crate::storage::name::Name;

/// A board without pins, whose LCD shows each view at once, and its user.
struct Scene {
    app: App<Box<Memory>>,
    chip: Chip,
    now: Instant,
    log: String,
}

impl Scene {
    /// A factory-new board that has just been switched on.
    fn new() -> Self {
        Self::with(Settings::default())
    }

    fn with(settings: Settings) -> Self {
        Self::of(Settings { introduced: true, ..settings })
    }

    /// A board whose flash contains only these settings.
    fn of(settings: Settings) -> Self {
        let mut scene = Self::starting(Start { settings, ..Start::default() });
        scene.wait(0);
        scene
    }

    /// A board with a factory-new flash that has not made its first step.
    fn starting(start: Start) -> Self {
        Self {
            app: App::new(Box::new(Memory::new()), start),
            chip: Chip::factory_new(),
            now: Instant::POWER_ON,
            log: String::new(),
        }
    }

    /// Switches the power off and on again; no button is pressed meanwhile.
    fn power_cycle(&mut self) {
        let introduced = self.app.stored.settings.introduced;
        let settings = crate::storage::load(&mut self.chip).expect("settings");
        // Boards of other tests count as used, even if nothing has been saved on them.
        let settings = Settings { introduced: settings.introduced || introduced, ..settings };
        let scores = crate::storage::load_scores(&mut self.chip).expect("scores");
        self.app =
            App::new(Box::new(Memory::new()), Start { settings, scores, ..Start::default() });
        self.now = Instant::POWER_ON;
        self.wait(0);
    }

    fn edge(&mut self, name: &str, down: bool) {
        if (name, down) == ("RESET", true) {
            // Longer than a NUDGE of a chord comes before RESET.
            self.wait(81);
        }
        let button = Button::all().find(|button| button.name() == name).expect("a button");
        let edge = Edge { at: self.now, button, down };
        self.app.step(self.now, &[edge], Levels::default(), &mut self.chip);
        self.app.shown(self.now);
        self.read_console();
    }

    fn tap(&mut self, name: &str) {
        self.edge(name, true);
        self.edge(name, false);
    }

    fn hold_reset(&mut self) {
        self.edge("RESET", true);
        self.wait(1_000);
        self.edge("RESET", false);
    }

    /// Lets time pass, from wake to wake.
    fn wait(&mut self, millis: u32) {
        let end = self.now.saturating_add(Micros::from_millis(millis));
        loop {
            let wake = self.app.step(self.now, &[], Levels::default(), &mut self.chip);
            self.app.shown(self.now);
            self.read_console();
            match wake {
                Wake::Now => {}
                Wake::At(at) if at <= end => self.now = at,
                _ => break,
            }
        }
        self.now = end;
        self.app.step(self.now, &[], Levels::default(), &mut self.chip);
        self.app.shown(self.now);
        self.read_console();
    }

    /// Chooses an entry of the menu, with the soft keys alone.
    #[track_caller]
    fn choose(&mut self, entry: Entry) {
        self.hold_reset();
        for _ in 0..Menu::ALL.len() {
            let Page::Menu { menu, .. } = self.page() else { panic!("no menu") };
            if menu.entries().any(|other| other == entry) {
                break;
            }
            self.tap("B2");
        }
        loop {
            let Page::Menu { menu, cursor, .. } = self.page() else { panic!("no menu") };
            if menu.entry(cursor.into()) == Some(entry) {
                break;
            }
            self.tap("B4");
        }
        self.tap("B5");
    }

    fn read_console(&mut self) {
        struct Paper<'a>(&'a mut String);
        impl embedded_io::ErrorType for Paper<'_> {
            type Error = core::convert::Infallible;
        }
        impl embedded_io::Write for Paper<'_> {
            fn write(&mut self, bytes: &[u8]) -> Result<usize, Self::Error> {
                self.0.push_str(core::str::from_utf8(bytes).unwrap());
                Ok(bytes.len())
            }
            fn flush(&mut self) -> Result<(), Self::Error> {
                Ok(())
            }
        }
        impl embedded_io::WriteReady for Paper<'_> {
            fn write_ready(&mut self) -> Result<bool, Self::Error> {
                Ok(true)
            }
        }
        self.app.console().send(&mut Paper(&mut self.log)).unwrap();
    }

    fn last_line(&self) -> &str {
        self.log.lines().last().unwrap_or_default()
    }

    /// Counts the lines of the console that begin with `word`.
    fn count(&self, word: &str) -> usize {
        self.log.lines().filter(|line| line.starts_with(word)).count()
    }

    #[track_caller]
    fn view(&self) -> BoardView {
        match self.app.view(self.now) {
            View::Board(view) => view,
            other => panic!("no board: {other:?}"),
        }
    }

    #[track_caller]
    fn page(&self) -> Page {
        match self.app.view(self.now) {
            View::Page(view) => view.page,
            other => panic!("no page: {other:?}"),
        }
    }
}

/// Returns the settings for playing `game`.
fn playing(game: Game) -> Settings {
    Settings { game, ..Settings::default() }
}
