//! The display that the window opens on: whether there is one, and how large the window is on it.

use sdl2::pixels::Color;
use sdl2::render::Canvas;
use sdl2::video::Window;

use super::error::SdlError;
use crate::face::{Layout, Panel, Scale};

/// The scale without `--scale`: the largest that fits on the screen, at most this.
const SCALE_UNASKED_MAX: u32 = 3;

/// SDL's video drivers that show nothing.
pub(super) const INVISIBLE_DRIVERS: [&str; 3] = ["offscreen", "dummy", "evdev"];

/// Whether no display is named in the environment. It is asked before SDL is started, because SDL
/// would write complaints of its own.
pub(super) fn display_is_missing() -> bool {
    let unset = |name| std::env::var_os(name).is_none_or(|value| value.is_empty());
    let named = ["DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"];
    cfg!(target_os = "linux") && named.into_iter().all(unset)
}

/// The largest scale whose window fits on a screen of that size; 1 if none does.
pub(super) fn fitting_scale(panel: Panel, screen: Option<(u32, u32)>) -> Scale {
    let (width, height) = screen.unwrap_or((u32::MAX, u32::MAX));
    let fits = |scale: &Scale| {
        let layout = Layout::new(panel, *scale);
        layout.width() <= width && layout.height() <= height
    };
    let mut scales = (1..=SCALE_UNASKED_MAX).rev().filter_map(Scale::new);
    scales.find(fits).or(Scale::new(1)).unwrap_or(Scale::MAX)
}

pub(super) fn canvas(window: Window, layout: &Layout) -> Result<Canvas<Window>, SdlError> {
    let mut canvas = window.into_canvas().present_vsync().build()?;
    // Window managers that impose a size get the picture centred, and mouse positions
    // stay positions on the board.
    let size = (layout.width(), layout.height());
    canvas.set_logical_size(size.0, size.1)?;
    canvas.set_draw_color(Color::RGB(0x22, 0x26, 0x2B));
    Ok(canvas)
}

#[cfg(test)]
mod tests {
    use super::*;

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
