//! The board in an SDL2 window: `nudge run`.
//!
//! [`run`] opens the window, starts the firmware on its thread ([`crate::live`]), hands
//! keys and mouse on to it, shows its frames inside the board's picture ([`crate::face`])
//! and lets its buzzer be heard. It decides nothing: times, order and recording are the
//! live session's, the picture is the face's. It knows no firmware; the command line
//! brings the machine.

mod error;
mod files;
mod sound;

use std::path::PathBuf;
use std::sync::Arc;

use hal_mock::trace::HeaderEntry;
use hal_mock::{Frame, Machine};
use sdl2::EventPump;
use sdl2::event::{Event, WindowEvent};
use sdl2::keyboard::{Keycode, Scancode};
use sdl2::mouse::MouseButton;
use sdl2::pixels::{Color, PixelFormatEnum};
use sdl2::rect::Rect as SdlRect;
use sdl2::render::{Canvas, Texture, TextureCreator};
use sdl2::video::{Window, WindowContext};

pub use error::RunError;

use crate::face::{Face, Labels, Layout, Panel, Recording, Running, Scale, Sound, View};
use crate::held_buttons::{HeldButtons, Holder};
use crate::keymap::{Key, KeyAction, Keymap};
use crate::live::{Command, Live, Setup, Status, spawn};
use sound::Loudspeaker;
use wall_clock::Speed;

/// How long the window waits for an event before it looks for a new frame, in
/// milliseconds: 125 looks a second.
const LOOK_MS: u32 = 8;
/// The scale without `--scale`: the largest that fits on the screen, at most this.
const SCALE_UNASKED_MAX: u32 = 3;

/// SDL's video drivers that show nothing.
const UNSEEN_DRIVERS: [&str; 3] = ["offscreen", "dummy", "evdev"];

/// Why there can be no window, before SDL is asked, which would write its own complaints.
fn no_display() -> Option<String> {
    let unset = |name| std::env::var_os(name).is_none_or(|value| value.is_empty());
    let named = ["DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"];
    (cfg!(target_os = "linux") && named.into_iter().all(unset))
        .then(|| "neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned())
}

/// Builds the machine, on the thread that it will live on.
pub type MachineFactory = Box<dyn FnOnce() -> Result<Box<dyn Machine>, String> + Send>;

/// What `nudge run` was asked for; the command line fills it in.
pub struct RunOptions {
    /// Builds the machine: the board, its seed, and what its flash holds.
    pub machine: MachineFactory,
    /// The panel and the columns of cups that the firmware draws on it.
    pub panel: Panel,
    /// `--record`: a file that does not exist yet.
    pub record: Option<PathBuf>,
    /// The recorded trace's header: what a replay needs to build the same machine.
    pub header: Vec<HeaderEntry>,
    /// The flash that the recording carries along, and the name of its file beside it.
    pub flash_beside: Option<(String, Vec<u8>)>,
    /// Where the flash is kept, whenever it has changed.
    pub flash: Option<PathBuf>,
    /// `--scale`; `None` = what fits on the screen.
    pub scale: Option<Scale>,
    /// `--speed`.
    pub speed: Speed,
    /// `--mute`.
    pub mute: bool,
    /// `--keymap`, or the default.
    pub keymap: Keymap,
}

/// Opens the window and returns when it has been closed. Without a sound device it says so
/// on the error stream and goes on.
///
/// # Errors
/// [`RunError::NoDisplay`] where no window can be; otherwise what kept the session from
/// starting, or from being kept at its end. Nothing is overwritten but the flash.
pub fn run(options: RunOptions) -> Result<(), RunError> {
    let RunOptions {
        machine,
        panel,
        record,
        mut header,
        flash_beside,
        flash,
        scale,
        speed,
        mute,
        keymap,
    } = options;
    if let Some(why) = no_display() {
        return Err(RunError::NoDisplay(why));
    }
    let sdl = sdl2::init().map_err(RunError::NoDisplay)?;
    let video = sdl.video().map_err(RunError::NoDisplay)?;
    // Without a display SDL draws where nobody looks, unless it was told to.
    let driver = video.current_video_driver();
    if std::env::var_os("SDL_VIDEODRIVER").is_none() && UNSEEN_DRIVERS.contains(&driver) {
        return Err(RunError::NoDisplay(format!("SDL found only its `{driver}` driver")));
    }
    // A click into the window that brings it to the front presses a button at once.
    sdl2::hint::set("SDL_MOUSE_FOCUS_CLICKTHROUGH", "1");
    let pump = sdl.event_pump().map_err(RunError::Window)?;

    let screen = video.display_usable_bounds(0).ok().map(|area| (area.width(), area.height()));
    let layout = Layout::new(panel, scale.unwrap_or_else(|| fitting_scale(panel, screen)));
    let mut title = "nudge - LCD board".to_owned();
    let recording = match &record {
        Some(path) => {
            title += &format!(" - recording {}", path.display());
            Recording::To(files::short_name(path))
        }
        None => Recording::Off,
    };
    let window = video
        .window(&title, layout.width(), layout.height())
        .position_centered()
        .build()
        .map_err(|error| RunError::Window(error.to_string()))?;
    let canvas = canvas(window, &layout).map_err(RunError::Window)?;
    let textures = canvas.texture_creator();
    let labels = Labels::with_names(&keymap, name_on_this_keyboard);
    let screen = Screen::new(canvas, &textures, Face::new(layout, labels), panel)
        .map_err(RunError::Window)?;
    let speaker = match Loudspeaker::open(&sdl) {
        Ok(speaker) => Some(speaker),
        Err(error) => {
            eprintln!("warning: no sound, there is no device for it ({error})");
            None
        }
    };

    let sink = record.as_deref().map(files::create_new).transpose()?;
    let flash_beside = match (record.as_deref(), flash_beside) {
        (Some(record), Some((name, image))) => {
            let path = record.with_file_name(&name);
            if let Err(error) =
                files::create_new(&path).and_then(|sink| files::fill(sink, &path, &image))
            {
                files::discard(Some(record));
                return Err(error);
            }
            header.insert(0, HeaderEntry::new("flash", name));
            Some(path)
        }
        _ => None,
    };
    let setup = Setup { speed, recording: sink.map(|sink| (sink, header)) };
    let live = match spawn(machine, setup) {
        Ok(live) => live,
        Err(error) => {
            // Nothing was played: the file made above would only be in the way.
            files::discard(record.as_deref());
            files::discard(flash_beside.as_deref());
            return Err(RunError::Live(error));
        }
    };
    let view = View {
        speed,
        recording,
        sound: if speaker.is_none() {
            Sound::Missing
        } else if mute {
            Sound::Muted
        } else {
            Sound::On
        },
        ..View::default()
    };
    let mut event_loop = EventLoop {
        live,
        screen,
        speaker,
        keymap,
        held: HeldButtons::default(),
        view,
        flash: flash.clone(),
    };
    event_loop.run(pump)?;
    let mouse = sdl.mouse();
    mouse.capture(false);
    let ended = event_loop.live.quit().map_err(RunError::Live)?;
    if let Some(path) = &flash {
        files::save_flash(path, &ended.flash)?;
    }
    if ended.violations > 0 {
        eprintln!(
            "warning: the firmware broke {} of the LCD's datasheet; a replay of a recording \
             names each",
            if ended.violations == 1 {
                "a rule".into()
            } else {
                format!("{} rules", ended.violations)
            }
        );
    }
    if let (Some(path), Some(error)) = (record, ended.recording_error) {
        return Err(RunError::RecordingLost { path, error });
    }
    ended.machine_error.map_or(Ok(()), |error| Err(RunError::Broken(error)))
}

/// The largest scale whose window fits on a screen of that size; 1 if none does.
fn fitting_scale(panel: Panel, screen: Option<(u32, u32)>) -> Scale {
    let (width, height) = screen.unwrap_or((u32::MAX, u32::MAX));
    let fits = |scale: &Scale| {
        let layout = Layout::new(panel, *scale);
        layout.width() <= width && layout.height() <= height
    };
    let mut scales = (1..=SCALE_UNASKED_MAX).rev().filter_map(Scale::new);
    scales.find(fits).or(Scale::new(1)).unwrap_or(Scale::MAX)
}

fn canvas(window: Window, layout: &Layout) -> Result<Canvas<Window>, String> {
    let mut canvas =
        window.into_canvas().present_vsync().build().map_err(|error| error.to_string())?;
    // Window managers that impose a size get the picture centred, and mouse positions
    // stay positions on the board.
    let size = (layout.width(), layout.height());
    canvas.set_logical_size(size.0, size.1).map_err(|error| error.to_string())?;
    canvas.set_draw_color(Color::RGB(0x22, 0x26, 0x2B));
    Ok(canvas)
}

/// What this user's keyboard has at a position.
fn name_on_this_keyboard(key: Key) -> Option<String> {
    let code = Keycode::from_scancode(Scancode::from_i32(key.usage().into())?)?;
    Some(code.name())
}

/// The session from the user's side: what is shown, heard and touched.
struct EventLoop<'a> {
    live: Live,
    screen: Screen<'a>,
    speaker: Option<Loudspeaker>,
    keymap: Keymap,
    held: HeldButtons,
    view: View,
    /// Where the flash is kept.
    flash: Option<PathBuf>,
}

/// What the loop does after an event.
#[derive(PartialEq, Eq)]
enum AfterEvent {
    Continue,
    Redraw,
    Quit,
}

impl EventLoop<'_> {
    /// Until the window is closed.
    fn run(&mut self, mut pump: EventPump) -> Result<(), RunError> {
        self.update_silence();
        loop {
            let mut next = pump.wait_event_timeout(LOOK_MS);
            while let Some(event) = next {
                match self.handle(event)? {
                    AfterEvent::Continue => {}
                    AfterEvent::Redraw => self.screen.needs_redraw = true,
                    AfterEvent::Quit => return Ok(()),
                }
                next = pump.poll_event();
            }
            self.live.flush().map_err(RunError::Live)?;
            if let Some(update) = self.live.update().map_err(RunError::Live)? {
                if let Some(speaker) = &mut self.speaker {
                    speaker.play(update.now, update.status.speed, &update.tones);
                }
                if let Some(tone) = update.tones.last() {
                    self.view.tone = tone.hz.is_some();
                }
                self.apply_status(&update.status);
                self.save_flash(update.flash.as_deref());
                self.screen.set_frame(update.frame);
                if update.status.off {
                    // Quit, from the board's own menu.
                    return Ok(());
                }
            }
            self.view.down = self.held.down();
            self.screen.show(&self.view).map_err(RunError::Window)?;
        }
    }

    /// Keeps the flash as soon as it has changed: a crash of this program loses no saved game.
    fn save_flash(&mut self, image: Option<&Vec<u8>>) {
        if let (Some(path), Some(image)) = (&self.flash, image)
            && let Err(error) = files::save_flash(path, image)
        {
            // It is tried again when the window closes, and then it is an error.
            eprintln!("{error}");
        }
    }

    fn apply_status(&mut self, status: &Status) {
        self.view.powered = status.powered;
        self.view.speed = status.speed;
        if let Some(why) = &status.broken
            && self.view.running != Running::Broken
        {
            eprintln!("the firmware stopped {why}");
            self.view.running = Running::Broken;
            self.update_silence();
        }
        if status.recording_failed {
            self.view.recording = Recording::Failed;
        }
    }

    fn handle(&mut self, event: Event) -> Result<AfterEvent, RunError> {
        match event {
            Event::Quit { .. } => return Ok(AfterEvent::Quit),
            Event::KeyDown { scancode: Some(scancode), repeat: false, .. } => {
                if let Some(action) = self.action(scancode) {
                    self.key_down(action)?;
                }
            }
            Event::KeyUp { scancode: Some(scancode), .. } => {
                if let Some(KeyAction::Press(button)) = self.action(scancode)
                    && self.held.release(button, Holder::Key)
                {
                    self.send(Command::Release(button))?;
                }
            }
            Event::MouseButtonDown { mouse_btn: MouseButton::Left, x, y, .. } => {
                if let Some(button) = self.screen.face.layout().hit(x, y)
                    && self.held.press(button, Holder::Mouse)
                {
                    self.send(Command::Press(button))?;
                }
            }
            // Wherever the mouse is by now, outside the window too (SDL captures it).
            Event::MouseButtonUp { mouse_btn: MouseButton::Left, .. } => {
                let released: Vec<_> = self.held.release_mouse().collect();
                for button in released {
                    self.send(Command::Release(button))?;
                }
            }
            Event::Window {
                win_event: WindowEvent::FocusLost | WindowEvent::Minimized, ..
            } => {
                let released: Vec<_> = self.held.release_all().collect();
                for button in released {
                    self.send(Command::Release(button))?;
                }
            }
            Event::Window { .. } | Event::RenderTargetsReset { .. } => {
                return Ok(AfterEvent::Redraw);
            }
            _ => {}
        }
        Ok(AfterEvent::Continue)
    }

    fn action(&self, scancode: Scancode) -> Option<KeyAction> {
        let usage = u16::try_from(scancode as i32).ok()?;
        self.keymap.action(Key::from_usage(usage)?)
    }

    fn key_down(&mut self, action: KeyAction) -> Result<(), RunError> {
        let broken = self.view.running == Running::Broken;
        match action {
            KeyAction::Press(button) => {
                if self.held.press(button, Holder::Key) {
                    self.send(Command::Press(button))?;
                }
            }
            KeyAction::Pause if !broken => {
                let pause = self.view.running == Running::Runs;
                self.view.running = if pause { Running::Paused } else { Running::Runs };
                self.update_silence();
                self.send(Command::Pause(pause))?;
            }
            KeyAction::SingleFrame if !broken => {
                self.view.running = Running::Paused;
                self.update_silence();
                self.send(Command::SingleFrame)?;
            }
            KeyAction::PowerCycle => self.send(Command::PowerCycle)?,
            KeyAction::Mute => {
                self.view.sound = match self.view.sound {
                    Sound::On => Sound::Muted,
                    Sound::Muted => Sound::On,
                    Sound::Missing => Sound::Missing,
                };
                self.update_silence();
            }
            KeyAction::Pause | KeyAction::SingleFrame => {}
        }
        Ok(())
    }

    /// Makes the loudspeaker as silent as the view says.
    fn update_silence(&mut self) {
        let silent = self.view.sound != Sound::On || self.view.running != Running::Runs;
        if let Some(speaker) = &mut self.speaker {
            speaker.set_silenced(silent);
        }
    }

    fn send(&mut self, command: Command) -> Result<(), RunError> {
        self.live.send(command).map_err(RunError::Live)
    }
}

/// The window's two pictures: the board, and the panel laid over it.
struct Screen<'a> {
    canvas: Canvas<Window>,
    face: Face,
    board: Texture<'a>,
    panel: Texture<'a>,
    needs_redraw: bool,
}

impl<'a> Screen<'a> {
    fn new(
        canvas: Canvas<Window>,
        textures: &'a TextureCreator<WindowContext>,
        face: Face,
        panel: Panel,
    ) -> Result<Self, String> {
        let texture = |width, height| {
            textures
                .create_texture_streaming(PixelFormatEnum::RGB888, width, height)
                .map_err(|error| error.to_string())
        };
        let board = texture(face.layout().width(), face.layout().height())?;
        let mut panel = texture(panel.width, panel.height)?;
        panel.set_scale_mode(sdl2::render::ScaleMode::Nearest);
        fill(&mut panel, None)?;
        Ok(Self { canvas, face, board, panel, needs_redraw: true })
    }

    /// Takes a new frame of the panel.
    fn set_frame(&mut self, frame: Arc<Frame>) {
        // A frame of another size than the panel's cannot be: the board has one panel.
        if fill(&mut self.panel, Some(&frame)).is_ok() {
            self.needs_redraw = true;
        }
    }

    /// Shows what changed, if anything did.
    fn show(&mut self, view: &View) -> Result<(), String> {
        if self.face.draw(view) {
            fill(&mut self.board, Some(self.face.picture()))?;
            self.needs_redraw = true;
        }
        if !std::mem::take(&mut self.needs_redraw) {
            return Ok(());
        }
        let place = self.face.layout().panel();
        let place = SdlRect::new(place.left as i32, place.top as i32, place.width, place.height);
        self.canvas.clear();
        self.canvas.copy(&self.board, None, None)?;
        self.canvas.copy(&self.panel, None, place)?;
        self.canvas.present();
        Ok(())
    }
}

/// Writes a picture into a texture of its size, pixel by pixel; black without one.
fn fill(texture: &mut Texture<'_>, picture: Option<&Frame>) -> Result<(), String> {
    const PIXEL_BYTES: usize = 4;
    let query = texture.query();
    let (width, height) = (query.width as usize, query.height as usize);
    if picture.is_some_and(|picture| (picture.width(), picture.height()) != (width, height)) {
        return Err("a picture of another size".into());
    }
    texture.with_lock(None, |bytes, pitch| {
        for (y, row) in bytes.chunks_exact_mut(pitch).take(height).enumerate() {
            let pixels = row.chunks_exact_mut(PIXEL_BYTES).take(width);
            for (x, bytes) in pixels.enumerate() {
                let rgb = picture.map_or(0, |picture| picture.pixels()[y * width + x]);
                bytes.copy_from_slice(&rgb.to_ne_bytes());
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_the_name_that_sdl_gives_its_scancode() {
        for key in Key::all() {
            let scancode = Scancode::from_i32(key.usage().into()).unwrap();
            assert_eq!(scancode.name(), key.name());
        }
    }

    #[test]
    fn the_window_is_as_large_as_the_screen_allows() {
        let panel = Panel { width: 320, height: 240, columns: [60, 100, 140, 180, 220, 260] };
        let scale = |screen| fitting_scale(panel, screen).get();
        assert_eq!(scale(None), 3);
        assert_eq!(scale(Some((1920, 1040))), 2);
        assert_eq!(scale(Some((1366, 728))), 1);
        assert_eq!(scale(Some((320, 240))), 1);
    }
}
