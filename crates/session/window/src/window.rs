//! The board in an SDL2 window: `nudge run`.
//!
//! [`run`] opens the window, starts the firmware on its thread ([`live`]), sends keys and mouse
//! events to it, shows its frames inside the board's picture ([`crate::face`]) and plays its
//! buzzer. The live session decides times, order and recording; the face draws the picture. This
//! module knows no firmware: the caller supplies the machine.

mod arrangement;
mod build;
mod console;
mod controls;
mod display;
mod error;
mod event_loop;
mod fingers;
mod gamepad;
mod held_part;
mod input;
mod list;
mod lists;
mod options;
mod part_pointers;
mod part_states;
mod rebuilt;
mod remap;
mod remembered;
mod screen;
mod session_view;
mod sound;
mod sudden_end;
mod update_event;

use std::path::Path;

use sdl2::video::{FullscreenType, WindowPos};

pub use display::display_is_missing;
pub use error::{NoDisplay, RunError, SdlError};
pub use options::{KeepKeymap, RunOptions};
pub use remembered::Remembered;

use crate::face::{Labels, Sound, Theme, View};
use arrangement::{Arrangement, Shown, with_pane};
use display::{INVISIBLE_DRIVERS, fitting_bare, fitting_unit};
use event_loop::{EventLoop, LoopEnd, name_on_this_keyboard};
use gamepad::{Gamepads, PadMap};
use live::{Ending, Files, FlashChoice, OpenSession, SessionError, Setup, begin, say};
use screen::Screen;
use session_view::SessionView;
use sound::Loudspeaker;
use update_event::UpdateEvents;

/// Opens the window and returns when it has been closed. Without a sound device it writes a warning
/// to the error stream and continues.
///
/// Returns [`RunError::NoDisplay`] if no window can be opened; otherwise the error that prevented
/// the session from starting, or from being saved at its end. No file is overwritten except the
/// flash.
pub fn run(options: RunOptions) -> Result<(), RunError> {
    let RunOptions {
        start,
        services,
        rebuilds,
        board,
        files,
        quit,
        scale,
        speed,
        mute,
        bare,
        full_screen,
        console,
        angle,
        tearing,
        theme,
        chords,
        keymap,
        keep_keymap,
        remembered,
        remember,
    } = options;
    let mute = mute || remembered.muted;
    let theme = if remembered.light { Theme::Light } else { theme };
    if display_is_missing() {
        return Err(RunError::NoDisplay(NoDisplay::NotSet));
    }
    let no_sdl = |message: String| RunError::NoDisplay(display::unreachable(message.into()));
    let sdl = sdl2::init().map_err(no_sdl)?;
    let video = sdl.video().map_err(no_sdl)?;
    // Without a display SDL falls back to a driver that shows nothing. That is an error unless the
    // user has chosen the driver.
    let driver = video.current_video_driver();
    if std::env::var_os("SDL_VIDEODRIVER").is_none() && INVISIBLE_DRIVERS.contains(&driver) {
        let why = NoDisplay::InvisibleDriver(driver).to_string();
        let named = display::unreachable(why.into());
        return Err(RunError::NoDisplay(match named {
            NoDisplay::Unreachable { .. } => named,
            _ => NoDisplay::InvisibleDriver(driver),
        }));
    }
    // Letters are keys until the user types on the console.
    video.text_input().stop();
    // A click that brings the window to the front also presses the button under it.
    sdl2::hint::set("SDL_MOUSE_FOCUS_CLICKTHROUGH", "1");
    let mut pump = sdl.event_pump().map_err(|message| RunError::Window(message.into()))?;

    // Window pixels for each of the panel's.
    let (pixel, narrow) = if bare {
        let (width, height) = board.panel_size();
        let whole = fitting_bare((width, height), display::screen(&video), scale);
        (whole as f32, (width * whole, height * whole))
    } else {
        let unit = fitting_unit(&board, display::screen(&video), scale);
        (unit * board.units_per_pixel(), Arrangement::window(&board, unit))
    };
    let is_usual = scale.is_none() && !bare && !console && !full_screen;
    let mut size = narrow;
    if is_usual
        && let Some(last) = remembered.size_on(display::screen(&video), display::least(&board))
    {
        size = last;
    }
    if console {
        let most = display::screen(&video).map_or(u32::MAX, |((width, _), _)| width);
        size.0 = with_pane(narrow.0).min(most);
    }
    let title = format!("nudge - {}", start.identity[0]);
    let canvas = display::canvas(&video, &title, &board, size).map_err(RunError::Window)?;
    let mut canvas = canvas;
    let place = remembered.place.and_then(|place| display::place_on(&video, place, size));
    if let Some((x, y)) = place {
        let window = canvas.window_mut();
        window.set_position(WindowPos::Positioned(x), WindowPos::Positioned(y));
    }
    let textures = canvas.texture_creator();
    let labels = Labels::with_names(&keymap, name_on_this_keyboard);
    let shown = Shown { bare, pane: console };
    let mut screen =
        Screen::new(canvas, &textures, labels, board, theme, shown).map_err(RunError::Window)?;
    screen.look_from(angle);
    if full_screen && let Err(error) = screen.window().set_fullscreen(FullscreenType::Desktop) {
        say(format_args!("warning: the window cannot fill the screen ({error})"));
    }
    let speaker = match Loudspeaker::open(&sdl) {
        Ok(speaker) => Some(speaker),
        Err(error) => {
            say(format_args!("warning: no sound, there is no device for it ({error})"));
            None
        }
    };
    let sound = match &speaker {
        None => Sound::Missing,
        Some(_) if mute => Sound::Muted,
        Some(_) => Sound::On,
    };
    let captures = files.captures.clone();
    let is_plain = files.record.is_none() && start.before.is_none() && rebuilds.is_none();
    let open = begin(start, Setup { speed, ..Setup::default() }, files)?;
    let events = sdl.event().map_err(|message| RunError::Window(message.into()))?;
    let update_events = UpdateEvents::new(events).map_err(RunError::Window)?;
    update_events.watch(&open.live);
    let mut event_loop = EventLoop {
        session: SessionView::new(open, (speed, sound), rebuilds),
        update_events,
        tearing,
        screen,
        video,
        speaker,
        gamepads: Gamepads::new(&sdl),
        pads: PadMap::of(&keymap.buttons()),
        keymap,
        keep_keymap,
        chords,
        quit,
        services,
        narrow: console.then_some(narrow),
        whole: None,
        dropped: None,
    };
    if let Some(scale) = scale
        && scale.get() as f32 > pixel + 0.01
    {
        let open = &mut event_loop.session.open;
        open.say(format!("scale {} does not fit on this screen; it is {pixel:.1}", scale.get()));
    }
    if is_plain {
        event_loop.say_last_session();
    }
    event_loop.session.view.volume = remembered.volume.unwrap_or(100);
    event_loop.apply_volume();
    loop {
        let armed = {
            let OpenSession { live, recording_files, .. } = &event_loop.session.open;
            let (ending, record) = (live.ending(), recording_files.record.clone());
            sudden_end::arm(move || report_sudden_end(ending, record.as_deref()))
        };
        event_loop.show_tearing()?;
        let ended = event_loop.run(&mut pump)?;
        sdl.mouse().capture(false);
        drop(armed);
        let (path, start) = match ended {
            LoopEnd::Quit => {
                let look = event_loop.look(is_usual, &remembered);
                if look != remembered {
                    remember(&look);
                }
                return Ok(event_loop.session.open.end()?);
            }
            // Its end is armed for the session that continues.
            LoopEnd::TakenOver => continue,
            LoopEnd::Dropped(path, start) => (path, start),
        };
        let View { speed, sound, volume, .. } = event_loop.session.view;
        let setup = Setup { speed, ..Setup::default() };
        let captures = captures.clone();
        let files = Files { record: None, flash_beside: None, flash: FlashChoice::Copy, captures };
        let open = match begin(*start, setup, files) {
            Ok(open) => open,
            Err(error) => {
                event_loop.refuse(&path, &error.to_string());
                continue;
            }
        };
        event_loop.update_events.watch(&open.live);
        event_loop.screen.set_over(None).map_err(RunError::Window)?;
        // The keyboard presses the buttons of the next session.
        event_loop.video.text_input().stop();
        let mut next = SessionView::new(open, (speed, sound), None);
        next.view.volume = volume;
        // The previous session ends only when the next one runs.
        let before = std::mem::replace(&mut event_loop.session, next);
        let what = match before.open.end() {
            Err(error) => {
                say(format_args!("nudge: {error}"));
                error.to_string()
            }
            Ok(()) => format!("{} runs; it is not recorded, its flash is not kept", path.display()),
        };
        event_loop.session.open.say(what);
    }
}

/// Ends the session whose window is gone, and reports the state of its recording.
fn report_sudden_end(ending: Ending, record: Option<&Path>) {
    const LOST: &str = "nudge: the connection to the display is lost";
    match (record, ending.quit().map(|ended| ended.recording_error)) {
        (None, Ok(_)) => say(format_args!("{LOST}; the session has ended")),
        (Some(path), Ok(None)) => {
            say(format_args!("{LOST}; the recording in {} is complete up to now", path.display()));
        }
        (Some(path), Ok(Some(error))) => {
            let path = path.to_owned();
            say(format_args!("{LOST}; {}", SessionError::RecordingLost { path, error }));
        }
        (_, Err(error)) => say(format_args!("{LOST}; {error}")),
    }
}
