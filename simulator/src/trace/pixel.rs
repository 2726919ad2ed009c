//! Parses a pixel of the LCD on the command line.

/// The error for a text that is not two whole numbers with a comma.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no pixel; a pixel is X,Y from the top left, like 160,120")]
pub struct PixelError(String);

/// Parses two whole numbers with a comma.
pub fn pixel(text: &str) -> Result<(usize, usize), PixelError> {
    let number = |text: &str| text.trim().parse::<u16>().ok().map(usize::from);
    text.split_once(',')
        .and_then(|(x, y)| Some((number(x)?, number(y)?)))
        .ok_or_else(|| PixelError(text.to_owned()))
}
