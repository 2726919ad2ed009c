//! Detects the display, and chooses the size of the window on it.

use sdl2::VideoSubsystem;
use sdl2::pixels::PixelFormatEnum;
use sdl2::rect::Rect;
use sdl2::render::Canvas;
use sdl2::surface::Surface;
use sdl2::video::{Window, WindowBuilder};

use super::arrangement::Arrangement;
use super::error::{NoDisplay, SdlError};
use crate::face::{BoardFace, Scale, Shape, icon};

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
/// Largest width and height of the face in the smallest window.
const LEAST_MAX: (u32, u32) = (800, 520);
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

/// Returns the number of window pixels for each unit of the board: the requested one, if the window
/// then fits on the screen, otherwise the largest that fits.
pub(super) fn fitting_unit(
    board: &BoardFace,
    screen: Option<ScreenSize>,
    asked: Option<Scale>,
) -> f32 {
    let asked = asked.map(|scale| scale.get() as f32 / board.units_per_pixel());
    let Some((size, dpi)) = screen else {
        return asked.unwrap_or(SCALE_UNASKED_MAX);
    };
    let fits = |unit: f32, share: f32| {
        let window = Arrangement::window(board, unit);
        let room = |length: u32| (length as f32 * share) as u32;
        window.0 <= room(size.0) && window.1 <= room(size.1)
    };
    let most = match asked {
        Some(unit) if fits(unit, 1.0) => return unit,
        Some(unit) => unit,
        None => SCALE_UNASKED_MAX * dense(dpi),
    };
    let mut steps = (most / STEP).round();
    let least = unit_min(board);
    while steps > (least / STEP).round() && !fits(steps * STEP, SCREEN_SHARE) {
        steps -= 1.0;
    }
    (steps * STEP).max(least)
}

/// Returns the smallest number of window pixels for a unit: [`UNIT_MIN`], or less if a large face
/// would not fit on a small screen then.
fn unit_min(board: &BoardFace) -> f32 {
    UNIT_MIN.min(board.fitting(Shape::Upright, LEAST_MAX.0, LEAST_MAX.1))
}

/// Returns the whole number of window pixels for each of the panel's, without the board: the
/// requested one, or the largest that fits.
pub(super) fn fitting_bare(
    (width, height): (u32, u32),
    screen: Option<ScreenSize>,
    asked: Option<Scale>,
) -> u32 {
    let (size, dpi) = screen.unwrap_or(((u32::MAX, u32::MAX), PLAIN_DPI));
    let most = asked.map_or((SCALE_UNASKED_MAX * dense(dpi)) as u32, Scale::get);
    let share = if asked.is_some() { 1.0 } else { SCREEN_SHARE };
    let room = |length: u32| (length as f32 * share) as u32;
    let fits = |scale: &u32| width * scale <= room(size.0) && height * scale <= room(size.1);
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
/// each pixel of the window for each picture. SDL's software renderer copies the pixels in a fifth
/// of the time.
///
/// # Errors
/// The error of the first renderer, if none works.
pub(super) fn canvas(
    video: &VideoSubsystem,
    title: &str,
    board: &BoardFace,
    size: (u32, u32),
) -> Result<Canvas<Window>, SdlError> {
    use Renderer::{Accelerated, Direct, Textured};

    let is_accelerated = chosen_by_the_user() || has_graphics_processor();
    let renderers = match is_accelerated {
        true => [Accelerated, Textured, Direct],
        false => [Direct, Textured, Accelerated],
    };
    let [best, others @ ..] = renderers;
    let mut canvas = canvas_of(best, video, title, board, size).or_else(|error| {
        let mut others = others.into_iter();
        others.find_map(|next| canvas_of(next, video, title, board, size).ok()).ok_or(error)
    })?;
    // Shown once it can be drawn on, so that it does not appear twice.
    canvas.window_mut().show();
    Ok(canvas)
}

fn canvas_of(
    renderer: Renderer,
    video: &VideoSubsystem,
    title: &str,
    board: &BoardFace,
    size: (u32, u32),
) -> Result<Canvas<Window>, SdlError> {
    let is_accelerated = renderer == Renderer::Accelerated;
    let opengl = cfg!(target_os = "linux") && is_accelerated && !chosen_by_the_user();
    let window = window(video, title, board, size, opengl)?;
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
    board: &BoardFace,
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
    let (width, height) = least(board);
    window.set_minimum_size(width, height)?;
    set_icon(&mut window)?;
    Ok(window)
}

/// Returns the smallest size of a window.
pub(super) fn least(board: &BoardFace) -> (u32, u32) {
    Arrangement::window(board, unit_min(board))
}

/// Part of a window that must be on a screen for its place to be used, in points.
const PART: i32 = 64;

/// Returns the place for the corner of a window of `size` that was at `place` when it was closed:
/// the whole window is on the screen that its corner was on. `None` if no screen has that corner
/// any more.
pub(super) fn place_on(
    video: &VideoSubsystem,
    place: (i32, i32),
    size: (u32, u32),
) -> Option<(i32, i32)> {
    let count = video.num_video_displays().unwrap_or(0);
    let areas = (0..count).filter_map(|at| video.display_usable_bounds(at).ok());
    place_within(areas, place, size)
}

fn place_within(
    areas: impl IntoIterator<Item = Rect>,
    (x, y): (i32, i32),
    (width, height): (u32, u32),
) -> Option<(i32, i32)> {
    let has_corner = |area: &Rect| {
        // A corner may be a little outside: the frame of a window that was at the edge.
        let across = area.x().saturating_sub(PART)..area.right().saturating_sub(PART);
        let down = area.y().saturating_sub(PART)..area.bottom().saturating_sub(PART);
        across.contains(&x) && down.contains(&y)
    };
    let area = areas.into_iter().find(has_corner)?;
    let within = |at: i32, length: u32, from: i32, room: u32| {
        let last = from.saturating_add_unsigned(room.saturating_sub(length));
        at.clamp(from, last)
    };
    let x = within(x, width, area.x(), area.width());
    Some((x, within(y, height, area.y(), area.height())))
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
    use crate::face::Panel;

    const PANEL: BoardFace = BoardFace::Reference(Panel {
        width: 320,
        height: 240,
        columns: [60, 100, 140, 180, 220, 260],
    });

    #[track_caller]
    fn check(screen: Option<ScreenSize>, asked: Option<u32>, expected: f32) {
        let unit = fitting_unit(&PANEL, screen, asked.and_then(Scale::new));
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
    fn a_window_that_is_larger_than_before_is_whole_on_its_screen() {
        let screens = [Rect::new(0, 0, 1_920, 1_040), Rect::new(1_920, 100, 1_280, 900)];
        let place = |at, size| place_within(screens, at, size);
        // It was at the lower right corner with 402 x 515 points, and is twice as large.
        assert_eq!(place((1_500, 510), (402, 515)), Some((1_500, 510)));
        assert_eq!(place((1_500, 510), (804, 1_030)), Some((1_116, 10)));
        assert_eq!(place((-20, -5), (402, 515)), Some((0, 0)));
        // A window that is larger than its screen begins at its corner.
        assert_eq!(place((2_000, 300), (1_400, 1_000)), Some((1_920, 100)));
        assert_eq!(place((2_900, 300), (402, 515)), Some((2_798, 300)));
        // The screen that it was on is gone.
        assert_eq!(place((5_000, 300), (402, 515)), None);
        assert_eq!(place_within([], (10, 10), (402, 515)), None);
    }

    #[test]
    fn the_bare_panel_has_a_window_of_a_whole_scale() {
        let bare = |screen, asked: Option<u32>| {
            fitting_bare((320, 240), screen, asked.and_then(Scale::new))
        };
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
