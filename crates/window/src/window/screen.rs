//! The window's picture: the board, and the panel laid over it, as SDL textures.

use std::sync::Arc;

use hal_mock::Frame;
use sdl2::pixels::PixelFormatEnum;
use sdl2::rect::Rect as SdlRect;
use sdl2::render::{Canvas, Texture, TextureCreator};
use sdl2::video::{Window, WindowContext};

use super::error::SdlError;
use crate::face::{Face, Panel, View};

/// The window's two pictures: the board, and the panel laid over it.
pub(super) struct Screen<'a> {
    canvas: Canvas<Window>,
    pub(super) face: Face,
    board: Texture<'a>,
    panel: Texture<'a>,
    pub(super) needs_redraw: bool,
}

impl<'a> Screen<'a> {
    pub(super) fn new(
        canvas: Canvas<Window>,
        textures: &'a TextureCreator<WindowContext>,
        face: Face,
        panel: Panel,
    ) -> Result<Self, SdlError> {
        let texture = |width, height| {
            textures.create_texture_streaming(PixelFormatEnum::RGB888, width, height)
        };
        let board = texture(face.layout().width(), face.layout().height())?;
        let mut panel = texture(panel.width, panel.height)?;
        panel.set_scale_mode(sdl2::render::ScaleMode::Nearest);
        fill(&mut panel, None)?;
        Ok(Self { canvas, face, board, panel, needs_redraw: true })
    }

    /// Sets the title of the window.
    pub(super) fn set_title(&mut self, title: &str) {
        // A title with a NUL byte, which a file's name cannot have either, is not shown.
        let _ = self.canvas.window_mut().set_title(title);
    }

    /// Takes a new frame of the panel.
    pub(super) fn set_frame(&mut self, frame: Arc<Frame>) {
        // The board has one panel, so a frame of another size cannot occur.
        if fill(&mut self.panel, Some(&frame)).is_ok() {
            self.needs_redraw = true;
        }
    }

    /// Shows what changed, if anything did.
    pub(super) fn show(&mut self, view: &View) -> Result<(), SdlError> {
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
fn fill(texture: &mut Texture<'_>, picture: Option<&Frame>) -> Result<(), SdlError> {
    const PIXEL_BYTES: usize = 4;
    let query = texture.query();
    let (width, height) = (query.width as usize, query.height as usize);
    if picture.is_some_and(|picture| (picture.width(), picture.height()) != (width, height)) {
        return Err(SdlError::PictureSize);
    }
    let written = texture.with_lock(None, |bytes, pitch| {
        for (y, row) in bytes.chunks_exact_mut(pitch).take(height).enumerate() {
            let pixels = row.chunks_exact_mut(PIXEL_BYTES).take(width);
            for (x, bytes) in pixels.enumerate() {
                let rgb = picture.map_or(0, |picture| picture.pixels()[y * width + x]);
                bytes.copy_from_slice(&rgb.to_ne_bytes());
            }
        }
    });
    Ok(written?)
}
