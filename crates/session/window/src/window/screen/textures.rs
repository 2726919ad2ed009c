//! Pictures as SDL textures.

use ili9341_model::Frame;
use sdl2::pixels::PixelFormatEnum;
use sdl2::rect::Rect;
use sdl2::render::{Texture, TextureCreator};
use sdl2::video::WindowContext;

use super::super::error::SdlError;
use crate::face;

/// Creates a texture of this size for [`fill`].
pub(super) fn empty(
    textures: &TextureCreator<WindowContext>,
    width: u32,
    height: u32,
) -> Result<Texture<'_>, SdlError> {
    Ok(textures.create_texture_streaming(PixelFormatEnum::RGB888, width, height)?)
}

/// Creates a texture with a picture.
pub(super) fn texture_of<'a>(
    textures: &'a TextureCreator<WindowContext>,
    picture: &Frame,
) -> Result<Texture<'a>, SdlError> {
    let mut texture = empty(textures, picture.width() as u32, picture.height() as u32)?;
    fill(&mut texture, picture)?;
    Ok(texture)
}

/// Bytes of a texture's pixel.
const PIXEL_BYTES: usize = 4;

/// Writes a picture into a texture of its size.
pub(super) fn fill(texture: &mut Texture<'_>, picture: &Frame) -> Result<(), SdlError> {
    let width = checked_width(texture, picture)?;
    let written = texture.with_lock(None, |bytes, pitch| {
        let rows = bytes.chunks_exact_mut(pitch).zip(picture.pixels().chunks_exact(width));
        for (row, pixels) in rows {
            for (bytes, rgb) in row.chunks_exact_mut(PIXEL_BYTES).zip(pixels) {
                bytes.copy_from_slice(&rgb.to_ne_bytes());
            }
        }
    });
    Ok(written?)
}

/// Writes one part of a picture into a texture of the picture's size.
pub(super) fn fill_part(
    texture: &mut Texture<'_>,
    picture: &Frame,
    part: face::Rect,
) -> Result<(), SdlError> {
    let width = checked_width(texture, picture)?;
    let columns = part.left as usize..(part.left + part.width) as usize;
    let rows = picture.pixels().chunks_exact(width).skip(part.top as usize);
    let mut bytes = Vec::with_capacity((part.width * part.height) as usize * PIXEL_BYTES);
    for row in rows.take(part.height as usize) {
        let pixels = row.get(columns.clone()).ok_or(SdlError::PictureSize)?;
        bytes.extend(pixels.iter().flat_map(|rgb| rgb.to_ne_bytes()));
    }
    let place = Rect::new(part.left as i32, part.top as i32, part.width, part.height);
    let updated = texture.update(place, &bytes, part.width as usize * PIXEL_BYTES);
    updated.map_err(|error| SdlError::from(error.to_string()))
}

/// Returns the width of `picture`, which must have the size of `texture`.
fn checked_width(texture: &Texture<'_>, picture: &Frame) -> Result<usize, SdlError> {
    let query = texture.query();
    let size = (query.width as usize, query.height as usize);
    if (picture.width(), picture.height()) == size {
        Ok(size.0)
    } else {
        Err(SdlError::PictureSize)
    }
}
