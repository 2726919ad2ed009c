//! The file of a chain of frames.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::Instant;
use crate::frame::{Frame, Region};
use crate::golden::chain::{Chain, ChainError, ChainFaultKind, FRAMES_MAX, FrameHash, Link};

fn dotted(x: usize, y: usize) -> Frame {
    let mut frame = Frame::filled(320, 240, 0);
    frame.pixels_mut()[y * 320 + x] = 0x00FF_FFFF;
    frame
}

fn two() -> Chain {
    let (dark, first, second) = (Frame::filled(320, 240, 0), dotted(3, 4), dotted(5, 9));
    let links = [
        Link::between(&dark, &first, Instant::from_millis(1_302)),
        Link::between(&first, &second, Instant(2_000_000_017)),
    ];
    Chain { links: links.map(Option::unwrap).to_vec() }
}

/// The hashes must be the same on every computer.
#[test]
fn a_chain_is_written_for_people_to_review() {
    assert_eq!(
        two().to_string(),
        "frames 1\n\
         6971ede87cac33fc  1.302s         1 pixel in 3,4,1,1\n\
         a89997343206e7d1  2.000000017s   2 pixels in 3,4,3,6\n\
         all 2 c53ab3dcb86c5022\n"
    );
    assert_eq!(Chain::default().to_string().lines().count(), 2);
}

#[test]
fn a_chain_of_more_bytes_than_allowed_is_named_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.frames");
    std::fs::File::create(&path).unwrap().set_len(64 << 20).unwrap();
    assert!(matches!(Chain::load(&path), Err(ChainError::Parse { .. })), "as many as allowed");
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len((64 << 20) + 1).unwrap();
    assert!(matches!(Chain::load(&path), Err(ChainError::TooLarge { .. })), "one more");
}

#[test]
fn a_frame_with_the_same_pixels_is_no_new_frame() {
    assert_eq!(Link::between(&dotted(1, 1), &dotted(1, 1), Instant::START), None);
    assert_ne!(FrameHash::of(&dotted(1, 1)), FrameHash::of(&dotted(1, 2)));
    assert_ne!(
        FrameHash::of(&Frame::filled(2, 3, 0)),
        FrameHash::of(&Frame::filled(3, 2, 0)),
        "the size is in it"
    );
}

#[test]
fn a_file_that_is_not_whole_is_refused_with_its_line() {
    let whole = two().to_string();
    let lines: Vec<&str> = whole.lines().collect();
    for (text, expected) in [
        (String::new(), "1: is no chain of frames; one begins with `frames 1`"),
        ("frames 2\n".into(), "1: is no chain of frames; one begins with `frames 1`"),
        (lines[..3].join("\n"), "4: the last line, `all …`, is missing: the file is not whole"),
        ([lines[0], lines[1], lines[3]].join("\n"), "3: says `all 2 "),
        ([lines[0], lines[2], lines[1], lines[3]].join("\n"), "4: says `all 2 "),
        (format!("{whole}{}\n", lines[1]), "5: nothing may follow the last line"),
        (whole.replace(" in ", " at "), "2: is no frame; one is a hash of 16 digits"),
        (format!("<<<<<<< ours\n{whole}"), "1: is no chain of frames"),
    ] {
        let error = Chain::parse(&text).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}\n{text}");
    }
}

#[test]
fn a_hash_has_sixteen_hexadecimal_digits_and_nothing_else() {
    let whole = two().to_string();
    let hash = "6971ede87cac33fc";
    for other in ["6971ede87cac33f", "06971ede87cac33fc", "+971ede87cac33fc", "g971ede87cac33fc"] {
        let error = Chain::parse(&whole.replace(hash, other)).unwrap_err().to_string();
        assert!(error.starts_with("2: is no frame"), "{other}: {error}");
    }
}

#[test]
fn a_chain_has_so_many_frames_at_most() {
    let link = two().links[0];
    let mut chain = Chain { links: vec![link; FRAMES_MAX] };
    assert_eq!(Chain::parse(&chain.to_string()).map(|chain| chain.links.len()), Ok(FRAMES_MAX));
    chain.links.push(link);
    let fault = Chain::parse(&chain.to_string()).unwrap_err();
    assert_eq!((fault.line, fault.kind), (FRAMES_MAX + 2, ChainFaultKind::TooManyFrames));
}

#[test]
fn a_file_says_its_name_and_what_keeps_it_from_being_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.frames");
    let missing = Chain::load(&path).unwrap_err();
    assert!(
        missing.to_string().starts_with(&format!("{}: cannot be read: ", path.display())),
        "{missing}"
    );
    two().save(&path).unwrap();
    assert_eq!(Chain::load(&path).unwrap(), two());
    std::fs::write(&path, [0xFF, 0, 0xFE]).unwrap();
    assert!(Chain::load(&path).unwrap_err().to_string().ends_with("one is plain text"));
    std::fs::write(&path, "frames 1\nx\n").unwrap();
    assert!(
        Chain::load(&path)
            .unwrap_err()
            .to_string()
            .starts_with(&format!("{}:2: is no", path.display()))
    );
}

#[test]
fn a_hash_is_that_of_all_bytes_whatever_is_handed_over_at_once() {
    use core::hash::Hasher as _;
    for (width, height) in [(0, 0), (1, 1), (3, 5), (320, 240), (1_024, 3), (1_023, 1)] {
        let pixels = (0..width * height).map(|at| (at as u32).wrapping_mul(0x0001_0305)).collect();
        let frame = Frame::from_pixels(width, height, pixels);
        let words = [width as u32, height as u32].into_iter().chain(frame.pixels().iter().copied());
        let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
        let mut hasher = siphasher::sip::SipHasher13::new();
        hasher.write(&bytes);
        assert_eq!(FrameHash::of(&frame), FrameHash(hasher.finish()), "{width}x{height}");
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        drawn in vec((any::<u64>(), 0..u64::MAX / 2, 1..76_801_usize, any::<[u16; 4]>()), 0..20)
    ) {
        let links = drawn.into_iter().map(|(hash, at, changed, [x, y, width, height])| {
            let region = Region { x, y, width, height };
            Link { hash: FrameHash(hash), at: Instant(at), changed, region }
        });
        let chain = Chain { links: links.collect() };
        prop_assert_eq!(Chain::parse(&chain.to_string()), Ok(chain));
    }

    #[test]
    fn damaged_files_never_panic(at in 0..200_usize, with in any::<char>()) {
        let mut text: Vec<char> = two().to_string().chars().collect();
        let at = at % text.len();
        text[at] = with;
        let _ = Chain::parse(&text.into_iter().collect::<String>());
    }
}
