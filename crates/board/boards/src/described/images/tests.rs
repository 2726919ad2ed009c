use std::fs;

use proptest::prelude::*;

use super::*;

const HEAD: &str = "board = 1\nname = \"x\"\nchip = \"rp2040\"\n[[display]]\npanel = \"st7735\"\n\
                    bus = \"spi4\"\nsck = \"GP18\"\nmosi = \"GP19\"\ndc = \"GP20\"\n";
const PINS: &str = "sck = \"GP2\"\nmosi = \"GP3\"\nmiso = \"GP4\"\ncs = \"GP5\"\n";

fn board(part: &str, keys: &str) -> BoardFile {
    board_file::parse("x", &format!("{HEAD}[[{part}]]\n{PINS}{keys}\n")).unwrap()
}

/// Checks the error of a part with an image of these bytes.
#[track_caller]
fn check(part: &str, keys: &str, bytes: &[u8], expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.img"), bytes).unwrap();
    let board = board(part, &format!("image = \"x.img\"\n{keys}"));
    let error = images(&board, folder.path()).unwrap_err().to_string();
    let path = folder.path().display().to_string() + "/";
    assert_eq!(error.replace(&path, ""), expected);
    let of_machine = memories(&board, folder.path(), &mut DiskFiles, &mut |_| {});
    assert_eq!(of_machine.unwrap_err().to_string(), error, "the machine has the same rules");
}

/// Returns the beginning of a FAT16 volume of 2 MiB + 512 KiB with two files and a folder, at this
/// sector, with a partition table if that is not the first one.
fn volume(first: u32) -> Vec<u8> {
    let mut image = vec![0; (first as usize + 50) * SECTOR];
    let begin = first as usize * SECTOR;
    if first > 0 {
        image[446 + 4] = 0x06;
        image[446 + 8..446 + 12].copy_from_slice(&first.to_le_bytes());
        image[510..512].copy_from_slice(&[0x55, 0xAA]);
    }
    let boot = &mut image[begin..begin + SECTOR];
    boot[0] = 0xEB;
    boot[11..14].copy_from_slice(&[0, 2, 1]);
    // A reserved sector, two tables of 17 sectors, 32 entries in the root folder, 5,120 sectors.
    boot[14..19].copy_from_slice(&[1, 0, 2, 32, 0]);
    boot[19..21].copy_from_slice(&5_120_u16.to_le_bytes());
    boot[22] = 20;
    boot[43..54].copy_from_slice(b"NO NAME    ");
    boot[510..512].copy_from_slice(&[0x55, 0xAA]);
    let entries: [(&[u8; 11], u8, u32); 5] = [
        (b"PICTURES   ", 0x08, 0),
        (b"\xE5LD     TXT", 0x20, 5),
        (b"A\x1Bb     BMP", 0x20, 1_000),
        (b"long       ", 0x0F, 0),
        (b"MORE       ", 0x10, 0),
    ];
    let root = begin + 41 * SECTOR;
    for (at, (name, attributes, bytes)) in entries.into_iter().enumerate() {
        let entry = &mut image[root + 32 * at..root + 32 * (at + 1)];
        entry[..11].copy_from_slice(name);
        entry[11] = attributes;
        entry[28..].copy_from_slice(&bytes.to_le_bytes());
    }
    image
}

#[test]
fn a_card_that_is_cut_is_named_with_its_place() {
    check(
        "sd_card",
        "",
        &[0; 1_000],
        "the image x.img is cut at byte 1000, in the middle of sector 1: it has 488 of 512 bytes; copy \
         the card again, or fill the image with zeros up to 1024 bytes",
    );
    check(
        "sd_card",
        "",
        &volume(0),
        "the image x.img is cut: its FAT16 volume ends at byte 2621440, and the card at byte 25600; \
         copy the whole card, or write a `size` of at least 2621440 B, and the rest reads as zeros",
    );
    check(
        "sd_card",
        "",
        &[],
        "the image x.img has no bytes; for an empty card write a `size` and no `image`",
    );
}

#[test]
fn an_image_that_is_too_large_is_named_with_its_limit() {
    check(
        "spi_flash",
        "size = \"4 KiB\"",
        &[0; 5_000],
        "the image x.img has 5000 bytes, and the `size` of its part is 4096: write a `size` of at \
         least 5000 B, or name another image",
    );
    check(
        "sd_card",
        "size = \"4 KiB\"",
        &[0; 8_192],
        "the image x.img has 8192 bytes, and the `size` of its part is 4096: write a `size` of at \
         least 8192 B, or name another image",
    );
    check(
        "sd_card",
        "size = \"4 GiB\"",
        &vec![0; IMAGE_MAX + 1],
        "the image x.img has more than 32 MiB, the limit of an image: cut it after the part that is \
         used, and give the card its `size`",
    );
    let board = board("sd_card", "image = \"none.img\"");
    let error = images(&board, Path::new("nowhere")).unwrap_err().to_string();
    assert!(error.starts_with("the image nowhere/none.img cannot be read: "), "{error}");
}

#[test]
fn the_fat_of_a_card_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    for (first, size, text) in [
        (0, "4 MiB", "SD: x.img, 25600 of 4194304 bytes, SDSC"),
        (63, "4 GiB", "SD: x.img, 57856 of 4294967296 bytes, SDHC"),
    ] {
        fs::write(folder.path().join("x.img"), volume(first)).unwrap();
        let board = board("sd_card", &format!("image = \"x.img\"\nsize = \"{size}\""));
        let reports = images(&board, folder.path()).unwrap();
        let list = "; FAT16 PICTURES: A?b.BMP (1000 bytes), MORE/";
        assert_eq!(reports[0].to_string(), format!("{text}{list}"));
    }
    fs::write(folder.path().join("x.img"), [0; 512]).unwrap();
    let board = board("sd_card", "image = \"x.img\"");
    let text = images(&board, folder.path()).unwrap()[0].to_string();
    assert_eq!(text, "SD: x.img, 512 of 2048 bytes, SDSC; no FAT volume");
}

#[test]
fn a_slot_is_empty_without_image_and_size() {
    let of = |part, keys| {
        memories(&board(part, keys), Path::new(""), &mut DiskFiles, &mut |_| {}).unwrap().remove(0)
    };
    assert!(matches!(of("sd_card", ""), MemoryPart::EmptySlot));
    match of("sd_card", "size = \"32 GiB\"") {
        MemoryPart::Card(content) => assert_eq!(content.size(), 32 << 30),
        other => panic!("{other:?}"),
    }
    match of("spi_flash", "size = \"1 MiB\"") {
        MemoryPart::Flash(content) => assert_eq!(content.size(), 1 << 20),
        other => panic!("{other:?}"),
    }
}

proptest! {
    /// A volume, or a partition table with a volume, with random bytes in its first sectors, cut.
    #[test]
    fn a_damaged_volume_is_read_without_harm(
        changes in prop::collection::vec((0..64 * SECTOR, any::<u8>()), 0..40),
        boot in prop::collection::vec((0..90_usize, any::<u8>()), 0..12),
        is_partitioned: bool,
        keeps: u16,
    ) {
        let first = if is_partitioned { 3 } else { 0 };
        let mut image = volume(first);
        for (at, byte) in changes {
            if let Some(place) = image.get_mut(at) {
                *place = byte;
            }
        }
        for (at, byte) in boot {
            image[first as usize * SECTOR + at] = byte;
        }
        image.truncate(usize::from(keeps));
        if let Some(volume) = fat::read(&image) {
            let text = volume.to_string();
            prop_assert!(text.len() < 1_000 && !text.contains(char::is_control), "{text}");
        }
    }
}
