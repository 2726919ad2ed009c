//! Files of chains of frames.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::golden::chain::{
    Chain, ChainError, ChainFaultKind, ChainFormat, FRAMES_MAX, FrameHash, Link,
};
use ili9341_model::frame::{Frame, Region};
use virtual_time::Instant;

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
    links.map(Option::unwrap).to_vec().into()
}

/// The hashes must be the same on every computer.
#[test]
fn a_chain_is_written_for_people_to_review() {
    assert_eq!(
        two().to_string(),
        "frames 2\n\
         20209a8b1ce05046  1.302s         1 pixel in 3,4,1,1\n\
         801e1d80b65a0c14  2.000000017s   2 pixels in 3,4,3,6\n\
         all 2 61cce929c4924d9d\n"
    );
    assert_eq!(Chain::default().to_string().lines().count(), 2);
}

/// Chains of the first version stay valid.
#[test]
fn a_chain_of_the_first_format_is_read() {
    const FIRST: &str = "frames 1\n\
         6971ede87cac33fc  1.302s         1 pixel in 3,4,1,1\n\
         a89997343206e7d1  2.000000017s   2 pixels in 3,4,3,6\n\
         all 2 c53ab3dcb86c5022\n";
    let chain = Chain::parse(FIRST).unwrap();
    assert_eq!(chain.format, ChainFormat::First);
    assert_eq!(chain.to_string(), FIRST);
    let frames = [dotted(3, 4), dotted(5, 9)];
    for ((is, expected), frame) in two().links.iter().zip(&chain.links).zip(&frames) {
        assert_eq!(chain.format.hash_of(is, frame), expected.hash);
        assert_eq!(Link { hash: expected.hash, ..*is }, *expected);
        assert_eq!(ChainFormat::Second.hash_of(is, frame), is.hash);
    }
    let mixed = FIRST.replace("frames 1", "frames 2");
    assert!(Chain::parse(&mixed).unwrap_err().to_string().starts_with("4: says `all 2 "));
}

#[test]
fn a_chain_that_is_too_large_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.frames");
    std::fs::File::create(&path).unwrap().set_len(64 << 20).unwrap();
    assert!(matches!(Chain::load(&path), Err(ChainError::Parse { .. })), "as many as allowed");
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len((64 << 20) + 1).unwrap();
    assert!(matches!(Chain::load(&path), Err(ChainError::TooLarge { .. })), "one more");
}

#[test]
fn a_frame_with_the_same_pixels_is_not_a_new_frame() {
    assert_eq!(Link::between(&dotted(1, 1), &dotted(1, 1), Instant::START), None);
    assert_ne!(FrameHash::of(&dotted(1, 1)), FrameHash::of(&dotted(1, 2)));
    assert_ne!(
        FrameHash::of(&Frame::filled(2, 3, 0)),
        FrameHash::of(&Frame::filled(3, 2, 0)),
        "the size is in it"
    );
}

#[test]
fn an_incomplete_file_is_refused_with_its_line() {
    let whole = two().to_string();
    let lines: Vec<&str> = whole.lines().collect();
    for (text, expected) in [
        (String::new(), "1: is no chain of frames; one begins with `frames 2`"),
        ("frames 3\n".into(), "1: is no chain of frames; one begins with `frames 2`"),
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
    let hash = two().links[0].hash.to_string();
    let rest = &hash[1..];
    for other in [rest.to_owned(), format!("0{hash}"), format!("+{rest}"), format!("g{rest}")] {
        let error = Chain::parse(&whole.replace(&hash, &other)).unwrap_err().to_string();
        assert!(error.starts_with("2: is no frame"), "{other}: {error}");
    }
}

#[test]
fn the_number_of_frames_in_a_chain_is_limited() {
    let link = two().links[0];
    let mut chain = Chain::from(vec![link; FRAMES_MAX]);
    assert_eq!(Chain::parse(&chain.to_string()).map(|chain| chain.links.len()), Ok(FRAMES_MAX));
    chain.links.push(link);
    let fault = Chain::parse(&chain.to_string()).unwrap_err();
    assert_eq!((fault.line, fault.kind), (FRAMES_MAX + 2, ChainFaultKind::TooManyFrames));
}

#[test]
fn an_unreadable_file_is_reported_with_name_and_reason() {
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

proptest! {
    #[test]
    fn a_written_chain_is_read_back(
        drawn in vec((any::<u64>(), 0..u64::MAX / 2, 1..76_801_usize, any::<[u16; 4]>()), 0..20)
    ) {
        let links = drawn.into_iter().map(|(hash, at, changed, [x, y, width, height])| {
            let region = Region { x, y, width, height };
            Link { hash: FrameHash(hash), at: Instant(at), changed, region }
        });
        let chain = Chain::from(links.collect::<Vec<_>>());
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
