//! The board in an SDL2 window: `nudge run`.
//!
//! [`run`] opens the window, starts the firmware on its thread ([`crate::live`]), passes keys and
//! mouse on to it, shows its frames inside the board's picture ([`crate::face`]) and plays its
//! buzzer. Times, order and recording are decided by the live session, the picture by the face. It
//! knows no firmware; the caller supplies the machine.

mod display;
mod error;
mod event_loop;
mod files;
mod kept_flash;
mod options;
mod screen;
mod sound;
mod stderr;
mod sudden_end;

use std::path::Path;

use hal_mock::trace::HeaderEntry;

pub use error::{NoDisplay, RunError, SdlError};
pub use kept_flash::{KeepError, KeptFlash};
pub use options::{Chords, FlashChoice, MachineFactory, RunOptions};

use crate::face::{Face, Flash, Labels, Layout, Recording, Sound, View};
use crate::held_buttons::HeldButtons;
use crate::live::{Ending, Setup, spawn};
use display::{INVISIBLE_DRIVERS, canvas, display_is_missing, fitting_scale};
use event_loop::{EventLoop, name_on_this_keyboard};
use screen::Screen;
use sound::Loudspeaker;
use stderr::say;

/// Opens the window and returns when it has been closed. Without a sound device it writes a warning
/// to the error stream and continues.
///
/// # Errors
/// [`RunError::NoDisplay`] where no window can be; otherwise what kept the session from
/// starting, or from being saved at its end. No file is overwritten but the flash.
pub fn run(options: RunOptions) -> Result<(), RunError> {
    let RunOptions {
        machine,
        panel,
        record,
        mut header,
        flash_beside,
        flash,
        quit,
        scale,
        speed,
        mute,
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
    let pump = sdl.event_pump().map_err(|message| RunError::Window(message.into()))?;

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
        .map_err(|error| RunError::Window(error.into()))?;
    let canvas = canvas(window, &layout).map_err(RunError::Window)?;
    let textures = canvas.texture_creator();
    let labels = Labels::with_names(&keymap, name_on_this_keyboard);
    let screen = Screen::new(canvas, &textures, Face::new(layout, labels), panel)
        .map_err(RunError::Window)?;
    let speaker = match Loudspeaker::open(&sdl) {
        Ok(speaker) => Some(speaker),
        Err(error) => {
            say(format_args!("warning: no sound, there is no device for it ({error})"));
            None
        }
    };

    let sink = record.as_deref().map(files::create_new).transpose()?;
    let flash_beside = match (record.as_deref(), flash_beside) {
        (Some(record), Some((name, image))) => {
            let path = record.with_file_name(&name);
            let filled = files::create_new(&path).and_then(|sink| {
                files::fill(sink, &path, &image).inspect_err(|_| files::discard(Some(&path)))
            });
            if let Err(error) = filled {
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
            // Nothing was recorded: the new files are removed.
            files::discard(record.as_deref());
            files::discard(flash_beside.as_deref());
            return Err(RunError::Live(error));
        }
    };
    let (flash, flash_shown) = match flash {
        FlashChoice::Keep(kept) => (Some(kept), Flash::Kept),
        FlashChoice::Discard => (None, Flash::Discarded),
        FlashChoice::Copy => (None, Flash::Copy),
    };
    let view = View {
        flash: flash_shown,
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
        chords,
        view,
        flash,
        quit,
        title,
        told: None,
    };
    let armed = {
        let (ending, record) = (event_loop.live.ending(), record.clone());
        sudden_end::arm(move || tell_of_sudden_end(ending, record.as_deref()))
    };
    event_loop.run(pump)?;
    let mouse = sdl.mouse();
    mouse.capture(false);
    drop(armed);
    let ended = event_loop.live.quit().map_err(RunError::Live)?;
    let kept = match &mut event_loop.flash {
        Some(kept) => kept.finish(&ended.flash, ended.flash_changed),
        None => Ok(()),
    };
    if ended.violations > 0 {
        say(format_args!(
            "warning: the firmware broke {} of the LCD's datasheet; a replay of a recording \
             names each",
            if ended.violations == 1 {
                "a rule".into()
            } else {
                format!("{} rules", ended.violations)
            }
        ));
    }
    if let (Err(error), Some(_)) = (&kept, &ended.recording_error) {
        // One error is returned, and both are told.
        say(format_args!("nudge: {error}"));
    } else {
        kept?;
    }
    if let (Some(path), Some(error)) = (record, ended.recording_error) {
        return Err(RunError::RecordingLost { path, error });
    }
    ended.machine_error.map_or(Ok(()), |error| Err(RunError::Broken(error)))
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
            say(format_args!("{LOST}; {}", RunError::RecordingLost { path, error }));
        }
        (_, Err(error)) => say(format_args!("{LOST}; {error}")),
    }
}
