//! Hashes of frames, and incremental hashing and comparison of changed tiles.

use core::hash::Hasher as _;

use proptest::collection::vec;
use proptest::prelude::*;
use twox_hash::XxHash3_64;

use crate::golden::chain::{FrameHash, Link, TileHashes};
use ili9341_model::{Tiles, frame::Frame};
use virtual_time::Instant;

const SIZES: [(usize, usize); 9] =
    [(0, 0), (1, 1), (3, 5), (8, 8), (9, 17), (320, 240), (1_024, 3), (1_023, 1), (7, 40)];

fn coloured(width: usize, height: usize) -> Frame {
    let pixels = (0..width * height).map(|at| (at as u32).wrapping_mul(0x0001_0305)).collect();
    Frame::from_pixels(width, height, pixels)
}

#[test]
fn the_first_format_does_not_depend_on_the_block_size() {
    for (width, height) in SIZES {
        let frame = coloured(width, height);
        let words = [width as u32, height as u32].into_iter().chain(frame.pixels().iter().copied());
        let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
        let mut hasher = siphasher::sip::SipHasher13::new();
        hasher.write(&bytes);
        let hash = FrameHash(hasher.finish());
        assert_eq!(FrameHash::of_first_format(&frame), hash, "{width}x{height}");
    }
}

/// XXH3-64 of no bytes, as its specification gives it.
#[test]
fn the_hash_function_is_the_published_one() {
    assert_eq!(XxHash3_64::oneshot(&[]), 0x2d06_8005_38d3_94c2);
}

#[test]
fn a_hash_is_that_of_the_tiles_hashes() {
    for (width, height) in SIZES {
        let frame = coloured(width, height);
        let mut bytes: Vec<u8> =
            [width as u32, height as u32].into_iter().flat_map(u32::to_le_bytes).collect();
        for top in (0..height).step_by(8) {
            for left in (0..width).step_by(8) {
                let lines = top..height.min(top + 8);
                let tile: Vec<u8> = lines
                    .flat_map(|y| (left..width.min(left + 8)).map(move |x| (x, y)))
                    .flat_map(|(x, y)| frame.pixel(x, y).unwrap().to_le_bytes())
                    .collect();
                bytes.extend(XxHash3_64::oneshot(&tile).to_le_bytes());
            }
        }
        let hash = FrameHash(XxHash3_64::oneshot(&bytes));
        assert_eq!(FrameHash::of(&frame), hash, "{width}x{height}");
    }
}

#[test]
fn each_pixel_and_each_bit_of_it_is_in_the_hash() {
    let frame = coloured(21, 18);
    let hash = FrameHash::of(&frame);
    let mut hashes = vec![hash.0];
    for at in 0..frame.pixels().len() {
        for bit in 0..24 {
            let mut other = frame.clone();
            other.pixels_mut()[at] ^= 1 << bit;
            hashes.push(FrameHash::of(&other).0);
        }
    }
    let all = hashes.len();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), all, "no two are equal");
}

proptest! {
    #[test]
    fn incremental_hash_and_link_equal_those_of_the_whole_frame(
        (width, height) in (1..90_usize, 1..50_usize),
        steps in vec(vec((any::<[usize; 4]>(), 0..3_u32), 0..4), 1..6),
        more in any::<bool>(),
    ) {
        let mut frame = coloured(width, height);
        let mut hashes = TileHashes::of(&frame);
        for rectangles in steps {
            let before = frame.clone();
            for ([x, y, columns, rows], colour) in rectangles {
                let (x, y) = (x % width, y % height);
                for row in y..height.min(y + rows % 20 + 1) {
                    let end = width.min(x + columns % 20 + 1);
                    frame.pixels_mut()[row * width..][x..end].fill(colour);
                }
            }
            let mut changed = Tiles::changed(&before, &frame).unwrap();
            if more {
                changed = changed.grown(8, 8);
            }
            hashes.update(&frame, &changed);
            prop_assert_eq!(hashes.hash(), FrameHash::of(&frame));
            let link = Link::of_changed(&before, &frame, &changed, &hashes, Instant::START);
            prop_assert_eq!(link, Link::between(&before, &frame, Instant::START));
            let mut copied = before.clone();
            changed.copy(&frame, &mut copied);
            prop_assert!(copied == frame);
        }
    }
}
