//! Measures when and how often the window changes, as the X server sees it.

use std::path::Path;
use std::time::Duration;

use host::clock::Stopwatch;
use window::face::Rect;
use x11rb::CURRENT_TIME;
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::damage::{ConnectionExt as _, ReportLevel};
use x11rb::protocol::xproto::{ConnectionExt as _, ImageFormat, KEY_PRESS_EVENT};
use x11rb::protocol::xtest::ConnectionExt as _;

use super::{Desktop, SCREEN, XServer, nudge_run};

/// Interval between two checks for the effect of a press.
const LOOK: Duration = Duration::from_millis(1);

impl Desktop {
    /// Like [`Desktop::new`], with the program to be measured: `NUDGE_MEASURED`, or the one under
    /// test.
    pub fn measured(folder: &Path, arguments: &[&str]) -> Self {
        Self::measured_in(folder, folder, arguments)
    }

    /// Like [`Desktop::measured`], started in the folder `sources`.
    pub fn measured_in(folder: &Path, sources: &Path, arguments: &[&str]) -> Self {
        let server = XServer::start(SCREEN);
        let mut command = match std::env::var_os("NUDGE_MEASURED") {
            None => nudge_run(&server, folder, arguments),
            Some(program) => {
                let program = Path::new(&program).canonicalize().unwrap();
                let mut command = crate::command::through(program.to_str().unwrap());
                command.arg("run");
                super::prepare(command, &server, folder, arguments)
            }
        };
        command.current_dir(sources);
        Self::of(server, command)
    }

    /// Returns how many pictures are drawn in `place` of the window in `span`. The program sends
    /// only changes to the X server, so a picture may cover only a part of `place`.
    pub fn pictures(&self, place: Rect, span: Duration) -> u32 {
        let version = self.screen.damage_query_version(1, 1).unwrap().reply().unwrap();
        assert!(version.major_version >= 1);
        let damage = self.screen.generate_id().unwrap();
        let level = ReportLevel::RAW_RECTANGLES;
        self.screen.damage_create(damage, self.window, level).unwrap().check().unwrap();
        while self.screen.poll_for_event().unwrap().is_some() {}
        let clock = Stopwatch::start();
        let mut pictures = 0;
        while clock.elapsed() < span {
            let Some(event) = self.screen.poll_for_event().unwrap() else {
                super::wait(Duration::from_millis(1));
                continue;
            };
            if let Event::DamageNotify(changed) = event {
                let (left, top) = (i32::from(changed.area.x), i32::from(changed.area.y));
                let middle = |from: i32, length: u16| from + i32::from(length) / 2;
                let (x, y) = (middle(left, changed.area.width), middle(top, changed.area.height));
                pictures += u32::from(place.contains(x, y));
            }
        }
        self.screen.damage_destroy(damage).unwrap().check().unwrap();
        pictures
    }

    /// Presses the key of `keysym`; returns the time after which each of `places` has changed,
    /// `None` after `patience`.
    pub fn press_until<const N: usize>(
        &self,
        keysym: u32,
        places: [&[Rect]; N],
        patience: Duration,
    ) -> [Option<Duration>; N] {
        let (key, looks) = (self.key(keysym), |places: &[Rect]| self.pixels(places));
        let before = places.map(looks);
        let mut found = [None; N];
        let clock = Stopwatch::start();
        self.screen
            .xtest_fake_input(KEY_PRESS_EVENT, key, CURRENT_TIME, self.root, 0, 0, 0)
            .unwrap();
        self.screen.flush().unwrap();
        while clock.elapsed() < patience && found.iter().any(Option::is_none) {
            for (at, place) in places.into_iter().enumerate() {
                if found[at].is_none() && self.pixels(place) != before[at] {
                    found[at] = Some(clock.elapsed());
                }
            }
            // Without the pause, this test would use processor time that the measured program
            // needs.
            super::wait(LOOK);
        }
        found
    }

    /// Returns the pixels of `places` in the window, as the X server has them.
    fn pixels(&self, places: &[Rect]) -> Vec<u8> {
        let asked: Vec<_> = places
            .iter()
            .map(|place| {
                let Rect { left, top, width, height } = *place;
                let (left, top) = (left as i16, top as i16);
                let (width, height) = (width as u16, height as u16);
                let format = ImageFormat::Z_PIXMAP;
                self.screen
                    .get_image(format, self.window, left, top, width, height, u32::MAX)
                    .unwrap()
            })
            .collect();
        asked.into_iter().flat_map(|image| image.reply().unwrap().data).collect()
    }
}
