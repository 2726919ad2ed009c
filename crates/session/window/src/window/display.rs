//! Detects the display, and chooses the size of the window on it.

use sdl2::VideoSubsystem;
use sdl2::pixels::PixelFormatEnum;
use sdl2::render::Canvas;
use sdl2::surface::Surface;
use sdl2::video::{Window, WindowBuilder};

use super::arrangement::Arrangement;
use super::error::{NoDisplay, SdlError};
use crate::face::{Panel, Scale, icon};

/// Maximum scale without `--scale`, for each dot of a screen of 96 dots per inch. The scale is the
/// largest that fits on the screen.
const SCALE_UNASKED_MAX: f32 = 3.0;
/// Share of the screen that a window takes; the rest is for its frame and its title.
const SCREEN_SHARE: f32 = 0.96;
/// Step that the scale is rounded down to.
const STEP: f32 = 0.1;
/// Dots per inch of a screen that is not scaled.
const PLAIN_DPI: f32 = 96.0;
/// Smallest scale: letters of the board are just legible, and the list of keys has room.
const UNIT_MIN: f32 = 0.9;
/// Width and height of the icon in pixels.
const ICON: usize = 64;

/// SDL's video drivers that show nothing.
pub(super) const INVISIBLE_DRIVERS: [&str; 3] = ["offscreen", "dummy", "evdev"];

/// Returns whether no display is named in the environment. This is checked before SDL is started,
/// because SDL would write errors of its own.
pub fn display_is_missing() -> bool {
    let unset = |name| std::env::var_os(name).is_none_or(|value| value.is_empty());
    let named = ["DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"];
    cfg!(target_os = "linux") && named.into_iter().all(unset)
}

/// A screen: its usable width and height, and its dots per inch.
pub(super) type ScreenSize = ((u32, u32), f32);

/// Returns the first screen, if the system knows its size.
pub(super) fn screen(video: &VideoSubsystem) -> Option<ScreenSize> {
    let area = video.display_usable_bounds(0).ok()?;
    let dpi = video.display_dpi(0).map_or(PLAIN_DPI, |(_, horizontal, _)| horizontal);
    Some(((area.width(), area.height()), dpi))
}

/// Returns the number of window pixels for each of the panel's: the requested one, if the window
/// then fits on the screen, otherwise the largest that fits.
pub(super) fn fitting_unit(panel: Panel, screen: Option<ScreenSize>, asked: Option<Scale>) -> f32 {
    let Some((size, dpi)) = screen else {
        return asked.map_or(SCALE_UNASKED_MAX, |scale| scale.get() as f32);
    };
    let fits = |unit: f32, share: f32| {
        let window = Arrangement::window(panel, unit);
        let room = |length: u32| (length as f32 * share) as u32;
        window.0 <= room(size.0) && window.1 <= room(size.1)
    };
    let most = match asked {
        Some(scale) if fits(scale.get() as f32, 1.0) => return scale.get() as f32,
        Some(scale) => scale.get() as f32,
        None => SCALE_UNASKED_MAX * dense(dpi),
    };
    let mut steps = (most / STEP).round();
    while steps > (UNIT_MIN / STEP).round() && !fits(steps * STEP, SCREEN_SHARE) {
        steps -= 1.0;
    }
    steps * STEP
}

/// Returns the whole number of window pixels for each of the panel's, without the board: the
/// requested one, or the largest that fits.
pub(super) fn fitting_bare(panel: Panel, screen: Option<ScreenSize>, asked: Option<Scale>) -> u32 {
    let (size, dpi) = screen.unwrap_or(((u32::MAX, u32::MAX), PLAIN_DPI));
    let most = asked.map_or((SCALE_UNASKED_MAX * dense(dpi)) as u32, Scale::get);
    let share = if asked.is_some() { 1.0 } else { SCREEN_SHARE };
    let room = |length: u32| (length as f32 * share) as u32;
    let fits =
        |scale: &u32| panel.width * scale <= room(size.0) && panel.height * scale <= room(size.1);
    (1..=most).rev().find(fits).unwrap_or(1)
}

/// Returns the number of dots of this screen per dot of a screen that is not scaled.
fn dense(dpi: f32) -> f32 {
    (dpi / PLAIN_DPI).round().clamp(1.0, 4.0)
}

/// Returns why there is no display: the variable of the environment that names one which does not
/// answer, or SDL's own message.
pub(super) fn unreachable(error: SdlError) -> NoDisplay {
    let value = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    // SDL prefers X, and the user's choice of a driver to both.
    let named = ["SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"];
    let found = named.into_iter().find_map(|name| Some((name, value(name)?)));
    match found {
        Some((variable, value)) if variable != "SDL_VIDEODRIVER" => {
            NoDisplay::Unreachable { variable, value, error }
        }
        _ => NoDisplay::Sdl(error),
    }
}

/// A way to draw on a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Renderer {
    /// A graphics processor, or the renderer that the environment names.
    Accelerated,
    /// SDL's software renderer, which hands its pixels to the display directly.
    Direct,
    /// SDL's software renderer, which hands its pixels to the display through a texture: on Wayland
    /// there is no other way.
    Textured,
}

/// Returns the canvas of a new window. If a renderer does not work here, the next one is tried.
///
/// Without a graphics processor OpenGL is emulated by a program (Mesa's llvmpipe), which computes
/// each pixel of the window for each picture. SDL's software renderer copies the pixels in a fifth of
/// the time.
///
/// # Errors
/// The error of the first renderer, if none works.
pub(super) fn canvas(
    video: &VideoSubsystem,
    title: &str,
    panel: Panel,
    size: (u32, u32),
) -> Result<Canvas<Window>, SdlError> {
    use Renderer::{Accelerated, Direct, Textured};

    let is_accelerated = chosen_by_the_user() || has_graphics_processor();
    let renderers = match is_accelerated {
        true => [Accelerated, Textured, Direct],
        false => [Direct, Textured, Accelerated],
    };
    let [best, others @ ..] = renderers;
    let mut canvas = canvas_of(best, video, title, panel, size).or_else(|error| {
        let mut others = others.into_iter();
        others.find_map(|next| canvas_of(next, video, title, panel, size).ok()).ok_or(error)
    })?;
    // Shown once it can be drawn on, so that it does not appear twice.
    canvas.window_mut().show();
    Ok(canvas)
}

fn canvas_of(
    renderer: Renderer,
    video: &VideoSubsystem,
    title: &str,
    panel: Panel,
    size: (u32, u32),
) -> Result<Canvas<Window>, SdlError> {
    let is_accelerated = renderer == Renderer::Accelerated;
    let opengl = cfg!(target_os = "linux") && is_accelerated && !chosen_by_the_user();
    let window = window(video, title, panel, size, opengl)?;
    // Whether the software renderer presents its picture through a texture.
    let is_direct = if renderer == Renderer::Direct { "0" } else { "1" };
    sdl2::hint::set("SDL_FRAMEBUFFER_ACCELERATION", is_direct);
    let builder = window.into_canvas();
    Ok(match renderer {
        Renderer::Accelerated => builder.present_vsync().build()?,
        Renderer::Direct | Renderer::Textured => builder.software().build()?,
    })
}

/// Returns the window, still hidden.
fn window(
    video: &VideoSubsystem,
    title: &str,
    panel: Panel,
    (width, height): (u32, u32),
    opengl: bool,
) -> Result<Window, SdlError> {
    let build = |opengl: bool| {
        let mut builder: WindowBuilder = video.window(title, width, height);
        builder.position_centered().resizable().allow_highdpi().hidden();
        if opengl {
            // SDL's renderer requests this version. With another one it would create the window
            // again.
            video.gl_attr().set_context_version(2, 1);
            builder.opengl();
        }
        builder.build()
    };
    let mut window = match build(opengl) {
        Ok(window) => window,
        Err(_) => build(false)?,
    };
    let (width, height) = Arrangement::window(panel, UNIT_MIN);
    window.set_minimum_size(width, height)?;
    set_icon(&mut window)?;
    Ok(window)
}

/// Returns the smallest size of a window.
pub(super) fn least(panel: Panel) -> (u32, u32) {
    Arrangement::window(panel, UNIT_MIN)
}

/// Returns whether a window with its corner at `place` can be reached by the user.
pub(super) fn is_visible(video: &VideoSubsystem, place: (i32, i32)) -> bool {
    /// Part of the window that must be on a screen, in points.
    const PART: i32 = 64;
    let count = video.num_video_displays().unwrap_or(0);
    (0..count).any(|at| {
        video.display_usable_bounds(at).is_ok_and(|area| {
            let across = area.x()..area.right().saturating_sub(PART);
            let down = area.y()..area.bottom().saturating_sub(PART);
            across.contains(&place.0) && down.contains(&place.1)
        })
    })
}

fn set_icon(window: &mut Window) -> Result<(), SdlError> {
    let picture = icon(ICON);
    let mut bytes: Vec<u8> = picture.pixels().iter().flat_map(|rgb| rgb.to_ne_bytes()).collect();
    let size = ICON as u32;
    let surface = Surface::from_data(&mut bytes, size, size, size * 4, PixelFormatEnum::RGB888)?;
    window.set_icon(&surface);
    Ok(())
}

/// Returns whether the environment names SDL's renderer.
fn chosen_by_the_user() -> bool {
    std::env::var_os("SDL_RENDER_DRIVER").is_some()
}

/// Returns whether there may be a graphics processor. Linux has a file for each in `/dev`; other
/// systems are assumed to have one.
fn has_graphics_processor() -> bool {
    const OTHERS: [&str; 4] = ["/dev/nvidiactl", "/dev/dxg", "/dev/mali0", "/dev/kgsl-3d0"];
    let renders = |entry: std::fs::DirEntry| {
        entry.file_name().to_str().is_some_and(|name| name.starts_with("renderD"))
    };
    !cfg!(target_os = "linux")
        || OTHERS.iter().any(|file| std::path::Path::new(file).exists())
        || std::fs::read_dir("/dev/dri").is_ok_and(|found| found.flatten().any(renders))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PANEL: Panel = Panel { width: 320, height: 240, columns: [60, 100, 140, 180, 220, 260] };

    #[track_caller]
    fn check(screen: Option<ScreenSize>, asked: Option<u32>, expected: f32) {
        let unit = fitting_unit(PANEL, screen, asked.and_then(Scale::new));
        assert!((unit - expected).abs() < 0.01, "{unit}");
    }

    #[test]
    fn the_window_is_as_large_as_the_screen_allows() {
        check(None, None, 3.0);
        check(Some(((1_920, 1_040), 96.0)), None, 1.9);
        check(Some(((1_366, 728), 96.0)), None, 1.3);
        check(Some(((3_840, 2_100), 96.0)), None, 3.0);
        check(Some(((3_840, 2_100), 192.0)), None, 3.9);
        check(Some(((100, 100), 96.0)), None, 0.9);
    }

    #[test]
    fn the_bare_panel_has_a_window_of_a_whole_scale() {
        let bare =
            |screen, asked: Option<u32>| fitting_bare(PANEL, screen, asked.and_then(Scale::new));
        assert_eq!(bare(None, None), 3);
        assert_eq!(bare(Some(((1_366, 728), 96.0)), None), 2);
        assert_eq!(bare(Some(((1_366, 728), 96.0)), Some(3)), 3);
        assert_eq!(bare(Some(((1_366, 728), 96.0)), Some(8)), 3);
        assert_eq!(bare(Some(((1_366, 728), 96.0)), Some(1)), 1);
        assert_eq!(bare(Some(((3_840, 2_100), 192.0)), None), 6);
        assert_eq!(bare(Some(((100, 100), 96.0)), None), 1);
    }

    #[test]
    fn a_scale_that_does_not_fit_becomes_the_largest_that_does() {
        check(Some(((1_366, 728), 96.0)), Some(8), 1.3);
        check(Some(((1_366, 728), 96.0)), Some(1), 1.0);
        check(Some(((1_920, 1_080), 96.0)), Some(2), 2.0);
        check(None, Some(8), 8.0);
    }
}
