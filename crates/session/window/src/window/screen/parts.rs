//! The parts of the window, drawn for one size of it.

use ili9341_model::Region;
use sdl2::pixels::{Color, PixelFormatEnum};
use sdl2::rect::Rect;
use sdl2::render::{Canvas, ScaleMode, Texture, TextureCreator};
use sdl2::video::{Window, WindowContext};

use super::super::arrangement::{Arrangement, Shown};
use super::super::error::SdlError;
use super::textures::{empty, texture_of};
use crate::face::{self, BoardFace, Face, Footer, Labels, Shape, Theme};

/// Parts that are drawn for one size of the window.
pub(super) struct Parts<'a> {
    pub(super) arrangement: Arrangement,
    pub(super) face: Face,
    pub(super) footer: Footer,
    pub(super) board: Texture<'a>,
    pub(super) below: Texture<'a>,
    pub(super) beside: Option<Texture<'a>>,
    pub(super) over: Option<Texture<'a>>,
    /// A message over the bare panel, and its place.
    pub(super) note: Option<(String, Rect, Texture<'a>)>,
    pub(super) panel: Texture<'a>,
    /// The panel at the next larger whole scale, if the board's scale is not a whole number, so that
    /// pixels stay sharp, or if there is a gap between them.
    pub(super) larger: Option<Texture<'a>>,
    /// Scale of `larger`, the gap in its pixels, and the colour of the gap.
    pub(super) gap: (u32, u32, u32),
}

impl<'a> Parts<'a> {
    /// Returns whether each pixel of the panel covers a whole number of the window's pixels.
    pub(super) fn has_whole_pixels(&self) -> bool {
        self.larger.is_none() && self.scale_of_panel().is_some()
    }

    fn scale_of_panel(&self) -> Option<u32> {
        let glass = self.arrangement.glass;
        let panel = self.panel.query();
        let scale = glass.width() / panel.width.max(1);
        let is_whole =
            (panel.width * scale, panel.height * scale) == (glass.width(), glass.height());
        (is_whole && scale > 0).then_some(scale)
    }

    /// Returns the area of the window that shows `part` of the panel. Each pixel of the panel must
    /// cover a whole number of window pixels.
    pub(super) fn panel_part(&self, part: Region) -> Rect {
        let glass = self.arrangement.glass;
        let Some(scale) = self.scale_of_panel() else { return glass };
        let rect = rect_of(part);
        let (x, y) = ((rect.left * scale) as i32, (rect.top * scale) as i32);
        Rect::new(glass.x() + x, glass.y() + y, rect.width * scale, rect.height * scale)
    }

    /// Copies all parts to `canvas`, until it reports an error.
    pub(super) fn copy_to(&self, canvas: &mut Canvas<Window>) -> Result<(), SdlError> {
        let arrangement = &self.arrangement;
        if let Some(place) = arrangement.board {
            canvas.copy(&self.board, None, place)?;
        }
        let panel = self.larger.as_ref().unwrap_or(&self.panel);
        canvas.copy(panel, None, arrangement.glass)?;
        if let Some(place) = arrangement.footer {
            canvas.copy(&self.below, None, place)?;
        }
        if let (Some(place), Some(beside)) = (arrangement.pane, &self.beside) {
            canvas.copy(beside, None, place)?;
        }
        if let Some((_, place, note)) = &self.note {
            canvas.copy(note, None, *place)?;
        }
        if let Some(over) = &self.over {
            canvas.copy(over, None, None)?;
        }
        Ok(())
    }

    /// Copies the panel to its larger picture, if there is one, and draws the gaps between its pixels.
    pub(super) fn enlarge(&mut self, canvas: &mut Canvas<Window>) -> Result<(), SdlError> {
        let (panel, (scale, gap, colour)) = (&self.panel, self.gap);
        let Some(larger) = &mut self.larger else { return Ok(()) };
        let mut drawn = Ok(());
        let draw = |canvas: &mut Canvas<Window>| -> Result<(), String> {
            canvas.copy(panel, None, None)?;
            if gap == 0 {
                return Ok(());
            }
            let size = panel.query();
            let (width, height) = (size.width * scale, size.height * scale);
            let [_, red, green, blue] = colour.to_be_bytes();
            canvas.set_draw_color(Color::RGB(red, green, blue));
            let at = |pixel: u32| ((pixel + 1) * scale - gap) as i32;
            let columns = (0..size.width).map(|pixel| Rect::new(at(pixel), 0, gap, height));
            let rows = (0..size.height).map(|pixel| Rect::new(0, at(pixel), width, gap));
            canvas.fill_rects(&columns.chain(rows).collect::<Vec<_>>())
        };
        let on_texture = canvas.with_texture_canvas(larger, |canvas| drawn = draw(canvas));
        on_texture.map_err(|error| error.to_string())?;
        Ok(drawn?)
    }

    /// Draws the parts for a window of `size` pixels.
    pub(super) fn new(
        textures: &'a TextureCreator<WindowContext>,
        size: (u32, u32),
        board: &BoardFace,
        labels: &Labels,
        theme: Theme,
        shown: Shown,
    ) -> Result<Self, SdlError> {
        let arrangement = Arrangement::of(size, board, shown);
        // The board is not visible if only the panel is shown, so a small one suffices.
        let small = || board.layout(board.fitting(Shape::Upright, 640, 640), Shape::Upright);
        let layout = arrangement.layout.clone().unwrap_or_else(small);
        let panel = board.panel_size();
        let footer = Footer::new(layout.width(), layout.unit());
        let face = Face::on(layout, labels.clone(), theme);
        let glass = arrangement.glass;
        let whole = glass.width().is_multiple_of(panel.0) && glass.height().is_multiple_of(panel.1);
        let mut larger = None;
        let scale = glass.width().div_ceil(panel.0);
        let gap = (scale, board.glass().gap(scale), board.glass().unlit);
        if (!whole || gap.1 > 0) && glass.width() > panel.0 {
            let (width, height) = (panel.0 * scale, panel.1 * scale);
            let mut target =
                textures.create_texture_target(PixelFormatEnum::RGB888, width, height)?;
            target.set_scale_mode(ScaleMode::Linear);
            larger = Some(target);
        }
        let mut glass_texture = empty(textures, panel.0, panel.1)?;
        let smaller = glass.width() < panel.0;
        glass_texture.set_scale_mode(if smaller { ScaleMode::Linear } else { ScaleMode::Nearest });
        Ok(Self {
            board: texture_of(textures, face.picture())?,
            below: texture_of(textures, footer.picture())?,
            beside: None,
            over: None,
            note: None,
            panel: glass_texture,
            larger,
            gap,
            arrangement,
            face,
            footer,
        })
    }
}

/// Converts a region of the panel to a rectangle of its picture.
pub(super) fn rect_of(part: Region) -> face::Rect {
    let Region { x, y, width, height } = part;
    face::Rect { left: x.into(), top: y.into(), width: width.into(), height: height.into() }
}
