//! The options of `nudge atlas`.

use std::num::NonZero;
use std::path::PathBuf;

use boards::Board;
use clap::Args;
use embedded_graphics::geometry::Size;
use virtual_time::Nanos;

use super::output;
use crate::jobs::jobs;
use crate::number::whole;
use crate::trace::arguments::positive_time;

/// Allowed width and height of a panel in pixels. On smaller panels the firmware's pages have no
/// room between title and keys, so their screens fail: on 128x128 none of 93 fails, on 320x80 43
/// fail, on 96x240 one.
const SIDES: core::ops::RangeInclusive<u32> = 128..=1_024;

#[derive(Debug, Args)]
pub struct AtlasArgs {
    /// Write the page to FILE.html
    #[arg(long, short, value_name = "FILE", default_value = "atlas.html", value_parser = output::page)]
    pub output: PathBuf,
    /// Stop once N screens are known [default: 2000, on a described board 100]
    #[arg(long, value_name = "N", value_parser = whole(1_u32..=100_000))]
    pub screens: Option<u32>,
    /// Stop once the boards have run for this virtual time, all together, like 600h
    #[arg(long, value_name = "TIME", value_parser = positive_time)]
    pub time: Option<Nanos>,
    /// The seed of the board's chance
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0..=u64::MAX))]
    pub seed: u64,
    /// Show and check every screen on a panel of this size as well, like 480x320; may be repeated
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub panel: Vec<Size>,
    /// Traces, or folders of traces: mark the screens that none of them sees; may be repeated
    #[arg(long, value_name = "PATH")]
    pub seen_by: Vec<PathBuf>,
    /// Write the shortest presses to each screen as a trace into DIR
    #[arg(long, value_name = "DIR")]
    pub traces: Option<PathBuf>,
    /// How many boards run at once [default: one for each core]
    #[arg(long, short, value_name = "N", value_parser = jobs)]
    pub jobs: Option<NonZero<usize>>,
    /// `native`, or the board file of a described board, whose pictures are the screens
    #[arg(long, default_value_t, value_name = "BOARD")]
    pub board: Board,
    /// Replace files that exist
    #[arg(long)]
    pub force: bool,
}

/// The error for a text that is not a panel size.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{}` is no panel; give columns x rows, each from {} to {}, like 480x320",
    .0, SIDES.start(), SIDES.end()
)]
struct NotSize(String);

fn size(text: &str) -> Result<Size, NotSize> {
    let side = |text: &str| text.parse().ok().filter(|side| SIDES.contains(side));
    let parsed = text
        .split_once('x')
        .and_then(|(width, height)| Some(Size::new(side(width)?, side(height)?)));
    parsed.ok_or_else(|| NotSize(text.to_owned()))
}
