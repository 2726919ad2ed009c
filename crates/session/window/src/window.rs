//! The board in an SDL2 window: `nudge run`.
//!
//! [`run`] opens the window, starts the firmware on its thread ([`live`]), passes keys and
//! mouse on to it, shows its frames inside the board's picture ([`crate::face`]) and plays its
//! buzzer. Times, order and recording are decided by the live session, the picture by the face. It
//! knows no firmware; the caller supplies the machine.

mod arrangement;
mod build;
mod controls;
mod display;
mod error;
mod event_loop;
mod fingers;
mod gamepad;
mod input;
mod options;
mod rebuilt;
mod screen;
mod sound;
mod sudden_end;
mod update_event;

use std::path::Path;

use host::clock::Stopwatch;
use sdl2::video::FullscreenType;

pub use display::display_is_missing;
pub use error::{NoDisplay, RunError, SdlError};
pub use options::RunOptions;

use crate::face::{Flash, FooterView, Labels, Recording, Sound, View};
use arrangement::{Arrangement, Shown, with_pane};
use build::Build;
use display::{INVISIBLE_DRIVERS, canvas, fitting_bare, fitting_unit};
use event_loop::{EventLoop, Messages, name_on_this_keyboard};
use fingers::Fingers;
use gamepad::Gamepads;
use live::held_buttons::HeldButtons;
use live::{
    Begun, Ending, Files, FlashChoice, Reel, SessionError, Setup, begin, finish, say, short_name,
};
use screen::Screen;
use sound::Loudspeaker;
use update_event::UpdateEvents;

/// Opens the window and returns when it has been closed. Without a sound device it writes a warning
/// to the error stream and continues.
///
/// # Errors
/// [`RunError::NoDisplay`] where no window can be; otherwise what kept the session from
/// starting, or from being saved at its end. No file is overwritten but the flash.
pub fn run(options: RunOptions) -> Result<(), RunError> {
    let RunOptions {
        start,
        host,
        rebuilds,
        panel,
        record,
        flash_beside,
        flash,
        captures,
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
    } = options;
    if display_is_missing() {
        return Err(RunError::NoDisplay(NoDisplay::NotSet));
    }
    let no_sdl = |message: String| RunError::NoDisplay(NoDisplay::Sdl(message.into()));
    let sdl = sdl2::init().map_err(no_sdl)?;
    let video = sdl.video().map_err(no_sdl)?;
    // Without a display SDL falls back to a driver that shows nothing. That is an error unless the
    // user asked for the driver.
    let driver = video.current_video_driver();
    if std::env::var_os("SDL_VIDEODRIVER").is_none() && INVISIBLE_DRIVERS.contains(&driver) {
        return Err(RunError::NoDisplay(NoDisplay::InvisibleDriver(driver)));
    }
    // A click that brings the window to the front also presses the button under it.
    sdl2::hint::set("SDL_MOUSE_FOCUS_CLICKTHROUGH", "1");
    let mut pump = sdl.event_pump().map_err(|message| RunError::Window(message.into()))?;

    let (unit, narrow) = if bare {
        let whole = fitting_bare(panel, display::screen(&video), scale);
        (whole as f32, (panel.width * whole, panel.height * whole))
    } else {
        let unit = fitting_unit(panel, display::screen(&video), scale);
        (unit, Arrangement::window(panel, unit))
    };
    let mut size = narrow;
    if console {
        let most = display::screen(&video).map_or(u32::MAX, |((width, _), _)| width);
        size.0 = with_pane(narrow.0).min(most);
    }
    let title = format!("nudge - {}", start.identity[0]);
    let window = display::window(&video, &title, panel, size).map_err(RunError::Window)?;
    let canvas = canvas(window).map_err(RunError::Window)?;
    let textures = canvas.texture_creator();
    let labels = Labels::with_names(&keymap, name_on_this_keyboard);
    let shown = Shown { bare, pane: console };
    let mut screen =
        Screen::new(canvas, &textures, labels, panel, theme, shown).map_err(RunError::Window)?;
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
    let flash_shown = match &flash {
        FlashChoice::Keep(_) => Flash::Kept,
        FlashChoice::Discard => Flash::Discarded,
        FlashChoice::Copy => Flash::Copy,
    };
    let recording = match &record {
        Some(path) => Recording::To(short_name(path)),
        None => Recording::Off,
    };
    let sound = match &speaker {
        None => Sound::Missing,
        Some(_) if mute => Sound::Muted,
        Some(_) => Sound::On,
    };
    let setup = Setup { speed, ..Setup::default() };
    let files = Files { record: record.clone(), flash_beside, captures: captures.clone() };
    let Begun { live, tape, title, identity } = begin(start, setup, files)?;
    screen.set_title(&title);
    let events = sdl.event().map_err(|message| RunError::Window(message.into()))?;
    let update_events = UpdateEvents::new(events).map_err(RunError::Window)?;
    update_events.watch(&live);
    let build = rebuilds.map(|mut rebuilds| {
        rebuilds.begun(&tape);
        Build::new(rebuilds)
    });
    let mut event_loop = EventLoop {
        live,
        update_events,
        tearing,
        screen,
        video,
        speaker,
        gamepads: Gamepads::new(&sdl),
        keymap,
        held: HeldButtons::default(),
        fingers: Fingers::default(),
        chords,
        view: View { flash: flash_shown, speed, recording, sound, ..View::default() },
        footer: FooterView { identity, theme, ..FooterView::default() },
        flash: match flash {
            FlashChoice::Keep(kept) => Some(kept),
            FlashChoice::Discard | FlashChoice::Copy => None,
        },
        quit,
        title,
        messages: Messages::default(),
        host,
        tape,
        reel: Reel::default(),
        is_filmed: true,
        clock: Stopwatch::start(),
        drags: false,
        narrow: console.then_some(narrow),
        dropped: None,
        build,
    };
    if let Some(scale) = scale
        && scale.get() as f32 > unit
    {
        event_loop
            .say(format!("scale {} does not fit on this screen; it is {unit:.1}", scale.get()));
    }
    let mut record = record;
    loop {
        let armed = {
            let (ending, record) = (event_loop.live.ending(), record.clone());
            sudden_end::arm(move || tell_of_sudden_end(ending, record.as_deref()))
        };
        event_loop.show_tearing()?;
        event_loop.run(&mut pump)?;
        sdl.mouse().capture(false);
        drop(armed);
        if event_loop.build.as_mut().is_some_and(|build| std::mem::take(&mut build.has_taken_over))
        {
            // Its end is armed for the session that goes on.
            continue;
        }
        let Some(path) = event_loop.dropped.take() else {
            let EventLoop { live, mut flash, .. } = event_loop;
            let ended = live.quit().map_err(RunError::Live)?;
            return Ok(finish(ended, flash.as_mut(), record)?);
        };
        let start = match event_loop.host.open(&path) {
            Ok(start) => start,
            Err(error) => {
                event_loop.refuse(&path, &error.to_string());
                continue;
            }
        };
        let setup = Setup { speed: event_loop.view.speed, ..Setup::default() };
        let files = Files { record: None, flash_beside: None, captures: captures.clone() };
        let begun = match begin(start, setup, files) {
            Ok(begun) => begun,
            Err(error) => {
                event_loop.refuse(&path, &error.to_string());
                continue;
            }
        };
        // The session that ran is over only now that the other one runs.
        let before = std::mem::replace(&mut event_loop.live, begun.live);
        event_loop.update_events.watch(&event_loop.live);
        let ended = before.quit().map_err(RunError::Live)?;
        if let Err(error) = finish(ended, event_loop.flash.as_mut(), record.take()) {
            say(format_args!("nudge: {error}"));
            event_loop.say(error.to_string());
        } else {
            event_loop
                .say(format!("{} runs; it is not recorded, its flash is not kept", path.display()));
        }
        event_loop.flash = None;
        // What was dropped is built by somebody else.
        event_loop.build = None;
        event_loop.messages.build = None;
        event_loop.tape = begun.tape;
        event_loop.title = begun.title;
        event_loop.footer.identity = begun.identity;
        event_loop.messages.lasting = None;
        event_loop.messages.stopped = None;
        let View { speed, sound, .. } = event_loop.view;
        event_loop.view = View { flash: Flash::Copy, speed, sound, ..View::default() };
        event_loop.screen.set_title(&event_loop.title);
        event_loop.held = HeldButtons::default();
    }
}

/// Ends the session whose window is gone, and says what has become of its recording.
fn tell_of_sudden_end(ending: Ending, record: Option<&Path>) {
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
