//! A simulated user: an X server without a screen, the program `nudge run` on it, keyboard and
//! mouse events, and pictures of the window. The connection is `x11rb` with the XTEST extension, so
//! the program receives events like those of real keys.

mod keyboard;
mod manager;
mod server;
pub mod timing;
mod transfer;

use std::path::Path;
use std::process::{Child, Command, Output};
use std::thread;
use std::time::Duration;

use host::clock::Stopwatch;
use ili9341_model::Frame;
use server::{XServer, nudge_run, nudge_run_limited, prepare};
use trace::Button;
use window::face::{Layout, Rect};
use x11rb::CURRENT_TIME;
use x11rb::connection::Connection;
use x11rb::properties::WmSizeHints;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ChangeWindowAttributesAux,
    ClientMessageEvent, ConfigureWindowAux, ConnectionExt as _, EventMask, ImageFormat, InputFocus,
    KEY_PRESS_EVENT, KEY_RELEASE_EVENT, MOTION_NOTIFY_EVENT, MapState, Window,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

/// The screen: columns, rows, bits per pixel.
const SCREEN: &str = "1600x1600x24";
/// Time limit of every wait, for a slow machine.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// Pause between two pictures.
const BLINK: Duration = Duration::from_millis(50);
/// Time without a change after which the picture is settled: longer than any pause in an animation
/// of the firmware.
const STEADY: Duration = Duration::from_millis(1_500);
/// Duration of a press.
const TAP: Duration = Duration::from_millis(80);

/// Keys as X keysyms.
pub mod key {
    pub const RETURN: u32 = 0xFF0D;
    pub const PAGE_UP: u32 = 0xFF55;
    pub const F1: u32 = 0xFFBE;
    pub const F2: u32 = 0xFFBF;
    pub const F3: u32 = 0xFFC0;
    pub const F4: u32 = 0xFFC1;
    pub const F5: u32 = 0xFFC2;
    pub const F6: u32 = 0xFFC3;
    pub const F7: u32 = 0xFFC4;
    pub const F8: u32 = 0xFFC5;
    pub const F9: u32 = 0xFFC6;
    pub const LEFT: u32 = 0xFF51;
    pub const UP: u32 = 0xFF52;
    pub const RIGHT: u32 = 0xFF53;
    pub const DOWN: u32 = 0xFF54;
    pub const END: u32 = 0xFF57;
    pub const F10: u32 = 0xFFC7;
    pub const F11: u32 = 0xFFC8;
    pub const ESCAPE: u32 = 0xFF1B;
    pub const SHIFT: u32 = 0xFFE1;
    pub const CTRL: u32 = 0xFFE3;
    pub const ALT: u32 = 0xFFE9;
}

fn wait(span: Duration) {
    let clock = Stopwatch::start();
    while let Some(left) = span.checked_sub(clock.elapsed()).filter(|left| !left.is_zero()) {
        thread::park_timeout(left);
    }
}

/// The X server, the program and its window.
pub struct Desktop {
    program: Option<Child>,
    screen: RustConnection,
    root: Window,
    window: Window,
    // The last field: the server must outlive the others.
    server: XServer,
}

impl Desktop {
    /// Starts `nudge run` with `arguments` in `folder` and waits for its window.
    pub fn new(folder: &Path, arguments: &[&str]) -> Self {
        let server = XServer::start(SCREEN);
        let command = nudge_run(&server, folder, arguments);
        Self::of(server, command)
    }

    /// Starts `command`, which runs `nudge run` in `folder`, and waits for its window.
    pub fn of_command(folder: &Path, command: Command, arguments: &[&str]) -> Self {
        let server = XServer::start(SCREEN);
        let command = prepare(command, &server, folder, arguments);
        Self::of(server, command)
    }

    /// Like [`Desktop::new`], on a screen such as `1366x768x24`.
    pub fn on_screen(folder: &Path, screen: &str, arguments: &[&str]) -> Self {
        let server = XServer::start(screen);
        let command = nudge_run(&server, folder, arguments);
        Self::of(server, command)
    }

    /// Like [`Desktop::on_screen`], with this number of dots per inch.
    pub fn on_dense_screen(folder: &Path, screen: &str, dots: u32, arguments: &[&str]) -> Self {
        let server = XServer::with_dots(screen, dots);
        let mut command = nudge_run(&server, folder, arguments);
        // Xvfb's RANDR reports a screen width of 0 mm; without RANDR, SDL asks the X server itself.
        command.env("SDL_VIDEO_X11_XRANDR", "0");
        Self::of(server, command)
    }

    /// Like [`Desktop::new`], on a disk that accepts only files of up to this number of shell
    /// blocks.
    pub fn with_full_disk(folder: &Path, arguments: &[&str], blocks: u32) -> Self {
        let server = XServer::start(SCREEN);
        let command = nudge_run_limited(&server, folder, arguments, blocks);
        Self::of(server, command)
    }

    /// Like [`Desktop::new`], started in the folder `sources`. Temporary files are still in
    /// `folder`, because a compiler writes source files of its own there.
    pub fn in_sources(folder: &Path, sources: &Path, arguments: &[&str]) -> Self {
        let server = XServer::start(SCREEN);
        let mut command = nudge_run(&server, folder, arguments);
        command.current_dir(sources);
        Self::of(server, command)
    }

    /// Like [`Desktop::new`], with a library that is preloaded into the program, and one more
    /// environment variable.
    pub fn with_library(
        folder: &Path,
        arguments: &[&str],
        library: &Path,
        variable: (&str, &Path),
    ) -> Self {
        let server = XServer::start(SCREEN);
        let mut command = nudge_run(&server, folder, arguments);
        command.env("LD_PRELOAD", library).env(variable.0, variable.1);
        Self::of(server, command)
    }

    fn of(server: XServer, mut command: Command) -> Self {
        let (screen, number) = x11rb::connect(Some(&server.display)).unwrap();
        let root = screen.setup().roots[number].root;
        // Subscribes to the events of each window that appears on the screen.
        let listen = ChangeWindowAttributesAux::new().event_mask(EventMask::SUBSTRUCTURE_NOTIFY);
        screen.change_window_attributes(root, &listen).unwrap().check().unwrap();
        let mut program = command.spawn().unwrap();
        let clock = Stopwatch::start();
        let window = loop {
            if let Some(window) = window_of(&screen, root) {
                break window;
            }
            if clock.elapsed() > PATIENCE || program.try_wait().unwrap().is_some() {
                let _ = program.kill();
                let output = program.wait_with_output().unwrap();
                panic!("no window: {}", String::from_utf8_lossy(&output.stderr));
            }
            wait(BLINK);
        };
        let desktop = Self { program: Some(program), screen, root, window, server };
        desktop.give_focus();
        desktop
    }

    /// Returns how many windows of visible size were created since the program was started, and how
    /// many were shown.
    pub fn windows_made_and_shown(&self) -> (usize, usize) {
        let events = std::iter::from_fn(|| self.screen.poll_for_event().unwrap());
        let (mut made, mut shown) = (0, 0);
        for event in events {
            match event {
                // SDL creates windows of one pixel for the clipboard and similar uses.
                Event::CreateNotify(window) if window.width > 50 => made += 1,
                Event::MapNotify(_) => shown += 1,
                _ => {}
            }
        }
        (made, shown)
    }

    /// Resizes the window like a user.
    pub fn resize(&self, width: u32, height: u32) {
        let size = ConfigureWindowAux::new().width(width).height(height);
        self.screen.configure_window(self.window, &size).unwrap().check().unwrap();
        wait(TAP);
    }

    /// Returns the sizes that the window permits: the minimum, and the maximum if there is one.
    pub fn sizes(&self) -> [Option<(i32, i32)>; 2] {
        let hints = WmSizeHints::get_normal_hints(&self.screen, self.window).unwrap();
        let hints = hints.reply().unwrap().unwrap();
        [hints.min_size, hints.max_size]
    }

    pub fn has_icon(&self) -> bool {
        let atom = self.screen.intern_atom(false, b"_NET_WM_ICON").unwrap().reply().unwrap().atom;
        let icon = self.screen.get_property(false, self.window, atom, AtomEnum::ANY, 0, 64);
        icon.unwrap().reply().unwrap().value_len > 2
    }

    /// Runs `nudge run` in a case in which it ends by itself.
    pub fn refused(folder: &Path, arguments: &[&str]) -> Output {
        nudge_run(&XServer::start(SCREEN), folder, arguments).output().unwrap()
    }

    /// Returns width and height of the window.
    pub fn size(&self) -> (u32, u32) {
        let geometry = self.screen.get_geometry(self.window).unwrap().reply().unwrap();
        (geometry.width.into(), geometry.height.into())
    }

    /// Returns the current picture of the window.
    pub fn look(&self) -> Frame {
        let (width, height) = self.size();
        let image = self
            .screen
            .get_image(
                ImageFormat::Z_PIXMAP,
                self.window,
                0,
                0,
                width as u16,
                height as u16,
                u32::MAX,
            )
            .unwrap()
            .reply()
            .unwrap();
        // 24-bit colour: blue, green, red and an unused byte.
        let pixel = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]);
        let pixels = image.data.chunks_exact(4).map(pixel).collect();
        Frame::from_pixels(width as usize, height as usize, pixels)
    }

    /// Waits until the window is as `wanted` and then settled; returns its picture.
    #[track_caller]
    pub fn settled(&mut self, wanted: impl Fn(&Frame) -> bool) -> Frame {
        let clock = Stopwatch::start();
        let mut shown = self.look();
        let mut since = Stopwatch::start();
        loop {
            wait(BLINK);
            let now = self.look();
            if now != shown {
                (shown, since) = (now, Stopwatch::start());
            }
            if since.elapsed() >= STEADY && wanted(&shown) {
                return shown;
            }
            assert!(clock.elapsed() < PATIENCE, "the window does not come to show it");
            let ended = self.program.as_mut().unwrap().try_wait().unwrap();
            assert!(ended.is_none(), "nudge ended by itself: {ended:?}");
        }
    }

    /// Waits until the window differs from `before`, its picture before a press, and is then
    /// settled; returns its picture.
    #[track_caller]
    pub fn settled_after(&mut self, before: &Frame) -> Frame {
        self.settled(|window| window != before)
    }

    /// Waits until the window is as `wanted`; returns its picture.
    #[track_caller]
    pub fn changed(&self, wanted: impl Fn(&Frame) -> bool) -> Frame {
        let clock = Stopwatch::start();
        loop {
            let shown = self.look();
            if wanted(&shown) {
                return shown;
            }
            assert!(clock.elapsed() < PATIENCE, "the window does not come to show it");
            wait(BLINK);
        }
    }

    fn fake(&self, event: u8, detail: u8, x: i16, y: i16) {
        self.screen
            .xtest_fake_input(event, detail, CURRENT_TIME, self.root, x, y, 0)
            .unwrap()
            .check()
            .unwrap();
    }

    /// Returns the code of the key that has `keysym` on a US keyboard.
    fn key(&self, keysym: u32) -> u8 {
        let setup = self.screen.setup();
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let mapping =
            self.screen.get_keyboard_mapping(first, last - first + 1).unwrap().reply().unwrap();
        let rows = mapping.keysyms.chunks(mapping.keysyms_per_keycode.into());
        let at = rows.into_iter().position(|row| row.contains(&keysym)).expect("a key for it");
        first + at as u8
    }

    pub fn key_down(&self, letter: char) {
        self.fake(KEY_PRESS_EVENT, self.key(letter.into()), 0, 0);
        wait(TAP);
    }

    pub fn key_up(&self, letter: char) {
        self.fake(KEY_RELEASE_EVENT, self.key(letter.into()), 0, 0);
        wait(TAP);
    }

    pub fn tap(&self, letter: char) {
        self.key_down(letter);
        self.key_up(letter);
    }

    /// Presses F5.
    pub fn power_key(&self) {
        self.tap_named(key::F5);
    }

    /// Presses a key of [`key`] down.
    pub fn named_down(&self, keysym: u32) {
        self.fake(KEY_PRESS_EVENT, self.key(keysym), 0, 0);
        wait(TAP);
    }

    pub fn named_up(&self, keysym: u32) {
        self.fake(KEY_RELEASE_EVENT, self.key(keysym), 0, 0);
        wait(TAP);
    }

    pub fn tap_named(&self, keysym: u32) {
        self.named_down(keysym);
        self.named_up(keysym);
    }

    pub fn mouse_down(&self, layout: &Layout, button: Button) {
        self.mouse_down_on(layout.button(button));
    }

    /// Presses the left button of the mouse in the middle of a rectangle in the window.
    pub fn mouse_down_on(&self, rect: Rect) {
        self.mouse_to(rect.left + rect.width / 2, rect.top + rect.height / 2);
        self.fake(BUTTON_PRESS_EVENT, 1, 0, 0);
        wait(TAP);
    }

    /// Moves the pointer to a point of the window.
    pub fn mouse_to(&self, x: u32, y: u32) {
        let at = self
            .screen
            .translate_coordinates(self.window, self.root, x as i16, y as i16)
            .unwrap()
            .reply()
            .unwrap();
        self.fake(MOTION_NOTIFY_EVENT, 0, at.dst_x, at.dst_y);
        wait(TAP);
    }

    /// Turns the mouse's wheel at the pointer by a notch, away from the user or towards them.
    pub fn wheel(&self, away: bool) {
        let button = if away { 4 } else { 5 };
        self.fake(BUTTON_PRESS_EVENT, button, 0, 0);
        self.fake(BUTTON_RELEASE_EVENT, button, 0, 0);
        wait(TAP);
    }

    /// Releases the left button of the mouse at the pointer.
    pub fn mouse_up(&self) {
        self.fake(BUTTON_RELEASE_EVENT, 1, 0, 0);
        wait(TAP);
    }

    /// Turns the wheel of the mouse at the pointer, `turns` times up.
    pub fn wheel_up(&self, turns: u32) {
        for _ in 0..turns {
            self.fake(BUTTON_PRESS_EVENT, 4, 0, 0);
            self.fake(BUTTON_RELEASE_EVENT, 4, 0, 0);
            wait(TAP);
        }
    }

    /// Releases the left button in the corner of the screen, where there is no window.
    pub fn mouse_up_far_away(&self) {
        self.fake(MOTION_NOTIFY_EVENT, 0, 1, 1);
        wait(TAP);
        self.fake(BUTTON_RELEASE_EVENT, 1, 0, 0);
        wait(TAP);
    }

    pub fn click(&self, layout: &Layout, button: Button) {
        self.click_on(layout.button(button));
    }

    pub fn click_on(&self, rect: Rect) {
        self.mouse_down_on(rect);
        self.mouse_up();
    }

    /// Takes the focus away, so that no window receives keys.
    pub fn take_focus_away(&self) {
        self.focus(InputFocus::NONE.into());
    }

    /// Gives the window the focus.
    pub fn give_focus(&self) {
        self.focus(self.window);
    }

    fn focus(&self, window: Window) {
        self.screen
            .set_input_focus(InputFocus::PARENT, window, CURRENT_TIME)
            .unwrap()
            .check()
            .unwrap();
        wait(TAP);
    }

    /// Returns the title of the window.
    pub fn title(&self) -> String {
        let any = AtomEnum::ANY;
        let name = self.screen.get_property(false, self.window, AtomEnum::WM_NAME, any, 0, 256);
        String::from_utf8_lossy(&name.unwrap().reply().unwrap().value).into_owned()
    }

    /// Ends the program at once, like `kill -9`.
    pub fn kill(mut self) {
        let mut program = self.program.take().unwrap();
        program.kill().unwrap();
        program.wait().unwrap();
    }

    /// Returns the running child processes of the program, each as the words of its command.
    fn children(&self) -> Vec<Vec<String>> {
        let parent = self.program.as_ref().unwrap().id().to_string();
        let mut found = Vec::new();
        for entry in std::fs::read_dir("/proc").unwrap().flatten() {
            // proc_pid_stat(5): the state and the parent follow the name in brackets.
            let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
            if fields.split(' ').nth(1) != Some(parent.as_str()) {
                continue;
            }
            let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let words = line.split(|byte| *byte == 0).filter(|word| !word.is_empty());
            found.push(words.map(|word| String::from_utf8_lossy(word).into_owned()).collect());
        }
        found
    }

    /// Waits until the program has a child process whose command line is as `wanted`. A process has
    /// an empty one between its creation and the start of its program.
    #[track_caller]
    pub fn wait_for_child(&self, wanted: impl Fn(&[String]) -> bool) {
        let clock = Stopwatch::start();
        loop {
            let children = self.children();
            if children.iter().any(|words| wanted(words)) {
                return;
            }
            assert!(clock.elapsed() < PATIENCE, "{children:?}");
            wait(BLINK);
        }
    }

    /// Returns the processor time that the program has used, all threads together.
    pub fn processor_time(&self) -> Duration {
        // proc_pid_stat(5): fields 14 and 15, in hundredths of a second, counted after the name in
        // brackets.
        const TICK: Duration = Duration::from_millis(10);
        let process = self.program.as_ref().unwrap().id();
        let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
        let (_, fields) = text.rsplit_once(") ").unwrap();
        let ticks = fields.split(' ').skip(11).take(2).map(|field| field.parse::<u32>().unwrap());
        TICK * ticks.sum::<u32>()
    }

    pub fn rest(&self, span: Duration) {
        wait(span);
    }

    /// Sends the program a signal, such as `HUP`, and waits for its end.
    pub fn signal(mut self, name: &str) -> Output {
        let program = self.program.take().unwrap();
        let process = program.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &process]).status().unwrap().success());
        program.wait_with_output().unwrap()
    }

    /// Ends the X server while the program runs, and waits for the program's end.
    pub fn lose_display(mut self) -> Output {
        self.server.process.kill().unwrap();
        self.program.take().unwrap().wait_with_output().unwrap()
    }

    /// Closes the window as a window manager does, and waits for the program's end.
    pub fn close(mut self) -> Output {
        let atom =
            |name: &[u8]| self.screen.intern_atom(false, name).unwrap().reply().unwrap().atom;
        let data = [atom(b"WM_DELETE_WINDOW"), CURRENT_TIME, 0, 0, 0];
        let message = ClientMessageEvent::new(32, self.window, atom(b"WM_PROTOCOLS"), data);
        self.screen
            .send_event(false, self.window, EventMask::NO_EVENT, message)
            .unwrap()
            .check()
            .unwrap();
        self.program.take().unwrap().wait_with_output().unwrap()
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        if let Some(program) = &mut self.program {
            let _ = program.kill();
            let _ = program.wait();
        }
    }
}

/// Returns the window of `nudge` once it is on the screen.
fn window_of(screen: &RustConnection, root: Window) -> Option<Window> {
    let children = screen.query_tree(root).ok()?.reply().ok()?.children;
    children.into_iter().find(|window| {
        let name = screen.get_property(false, *window, AtomEnum::WM_NAME, AtomEnum::ANY, 0, 64);
        let named = name
            .ok()
            .and_then(|cookie| cookie.reply().ok())
            // The title reports at once if the flash cannot be written.
            .is_some_and(|name| {
                [&b"nudge"[..], b"cannot keep"].iter().any(|title| name.value.starts_with(title))
            });
        let attributes = screen.get_window_attributes(*window).ok();
        let seen = attributes
            .and_then(|cookie| cookie.reply().ok())
            .is_some_and(|attributes| attributes.map_state == MapState::VIEWABLE);
        named && seen
    })
}
