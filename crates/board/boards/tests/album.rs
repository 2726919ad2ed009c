//! The card of `examples/own-boards/album.board.toml`: this test makes its image, of pictures that
//! are computed here. `NUDGE_BLESS=1 cargo test -p boards --test album` writes it.

use std::path::{Path, PathBuf};
use std::{env, fs};

const SECTOR: usize = 512;
/// Sectors up to the end of the volume, 4 MiB; the image has only the used ones.
const SECTORS: u32 = 8_192;
/// Sectors of the volume's table, and entries of its root folder.
const TABLE: usize = 32;
const ROOT_ENTRIES: usize = 16;
/// Sector of the volume, of its table, its root folder and its first cluster.
const VOLUME: usize = 1;
const TABLE_AT: usize = VOLUME + 1;
const ROOT_AT: usize = TABLE_AT + TABLE;
const CLUSTERS_AT: usize = ROOT_AT + 1;

const WIDTH: i32 = 120;
const HEIGHT: i32 = 90;

type Colour = [u8; 3];

/// Returns a value between two, at `at` of `of`.
fn between(from: Colour, to: Colour, at: i32, of: i32) -> Colour {
    core::array::from_fn(|channel| {
        let (from, to) = (i32::from(from[channel]), i32::from(to[channel]));
        (from + (to - from) * at / of) as u8
    })
}

/// A disc in an evening sky over the sea.
fn sun(x: i32, y: i32) -> Colour {
    let (across, down) = (x - 60, y - 46);
    if y >= 56 {
        let is_glitter = across.abs() < 8 + (y - 56) / 2 && (y / 2 + x / 5) % 3 == 0;
        return if is_glitter { [0xFC, 0xC0, 0x50] } else { [0x10, 0x28 + y as u8 / 4, 0x60] };
    }
    if across * across + down * down < 18 * 18 {
        return [0xFC, 0xD0, 0x40];
    }
    between([0x40, 0x30, 0x80], [0xFC, 0x80, 0x40], y, 56)
}

/// Three rows of hills; the nearest one is the darkest.
fn hills(x: i32, y: i32) -> Colour {
    let wave = |period: i32, height: i32, shift: i32| {
        let at = (x + shift) % period;
        (at - period / 2).abs() * height / period
    };
    if y > 58 + wave(70, 30, 5) {
        [0x18, 0x48, 0x20]
    } else if y > 40 + wave(90, 34, 40) {
        [0x40, 0x80, 0x38]
    } else if y > 26 + wave(56, 22, 20) {
        [0x80, 0xB0, 0x80]
    } else {
        between([0x50, 0x90, 0xE0], [0xD0, 0xE8, 0xFC], y, 50)
    }
}

/// Rings in all colours.
fn rings(x: i32, y: i32) -> Colour {
    let (across, down) = (x - 60, y - 45);
    let ring = (across * across + down * down) / 160 % 6;
    let colours = [
        [0xFC, 0x00, 0x00],
        [0xFC, 0xFC, 0x00],
        [0x00, 0xFC, 0x00],
        [0x00, 0xFC, 0xFC],
        [0x00, 0x00, 0xFC],
        [0xFC, 0x00, 0xFC],
    ];
    colours[ring as usize]
}

/// Returns a BMP file of 24 bits a pixel.
fn picture(pixel: fn(i32, i32) -> Colour) -> Vec<u8> {
    let bytes = (54 + 3 * WIDTH * HEIGHT) as u32;
    let mut file = b"BM".to_vec();
    for word in [bytes, 0, 54, 40, WIDTH as u32, HEIGHT as u32, 1 | 24 << 16, 0, bytes - 54] {
        file.extend(word.to_le_bytes());
    }
    file.resize(54, 0);
    for y in (0..HEIGHT).rev() {
        for x in 0..WIDTH {
            let [red, green, blue] = pixel(x, y);
            file.extend([blue, green, red]);
        }
    }
    file
}

/// Returns the image: a partition table, and a FAT16 volume with these files.
fn image(files: &[(&[u8; 11], Vec<u8>)]) -> Vec<u8> {
    let mut image = vec![0; CLUSTERS_AT * SECTOR];
    let volume_sectors = SECTORS - VOLUME as u32;
    image[446 + 4] = 0x06;
    image[446 + 8..446 + 12].copy_from_slice(&(VOLUME as u32).to_le_bytes());
    image[446 + 12..446 + 16].copy_from_slice(&volume_sectors.to_le_bytes());
    image[510..512].copy_from_slice(&[0x55, 0xAA]);
    let boot = &mut image[VOLUME * SECTOR..TABLE_AT * SECTOR];
    boot[..11].copy_from_slice(b"\xEB\x3C\x90NUDGE   ");
    // 512 bytes a sector, a sector a cluster, one reserved sector, one table.
    boot[11..17].copy_from_slice(&[0, 2, 1, 1, 0, 1]);
    boot[17..19].copy_from_slice(&(ROOT_ENTRIES as u16).to_le_bytes());
    boot[19..21].copy_from_slice(&(volume_sectors as u16).to_le_bytes());
    boot[21] = 0xF8;
    boot[22..24].copy_from_slice(&(TABLE as u16).to_le_bytes());
    boot[38] = 0x29;
    boot[43..62].copy_from_slice(b"ALBUM      FAT16   ");
    boot[510..512].copy_from_slice(&[0x55, 0xAA]);
    let mut table = vec![0xFFF8_u16, 0xFFFF];
    let mut folder = Vec::new();
    for (name, bytes) in files {
        let first = table.len() as u16;
        let clusters = bytes.len().div_ceil(SECTOR) as u16;
        table.extend((1..clusters).map(|at| first + at));
        table.push(0xFFFF);
        folder.extend_from_slice(*name);
        folder.push(0x20);
        folder.extend([0; 14]);
        folder.extend(first.to_le_bytes());
        folder.extend((bytes.len() as u32).to_le_bytes());
        image.extend(bytes);
        image.resize(image.len().next_multiple_of(SECTOR), 0);
    }
    let at = TABLE_AT * SECTOR;
    for (place, entry) in image[at..].chunks_exact_mut(2).zip(&table) {
        place.copy_from_slice(&entry.to_le_bytes());
    }
    let at = ROOT_AT * SECTOR;
    image[at..at + folder.len()].copy_from_slice(&folder);
    image
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/own-boards/album.img")
}

#[test]
fn the_card_of_the_album_has_these_pictures() {
    let image = image(&[
        (b"SUN     BMP", picture(sun)),
        (b"HILLS   BMP", picture(hills)),
        (b"NOTE    TXT", b"Pictures of 120x90 pixels with 24 bits.\n".to_vec()),
        (b"RINGS   BMP", picture(rings)),
    ]);
    if env::var_os("NUDGE_BLESS").is_some() {
        fs::write(path(), &image).unwrap();
    }
    let stored = fs::read(path()).unwrap();
    assert!(stored == image, "album.img has other bytes; NUDGE_BLESS=1 writes them");
}

#[test]
fn nudge_lists_the_pictures_of_the_card() {
    let folder = path().parent().unwrap().to_owned();
    let board = board_file::load(&folder.join("album.board.toml")).unwrap();
    let reports = boards::described::images::images(&board, &folder).unwrap();
    let text: Vec<String> = reports.iter().map(ToString::to_string).collect();
    assert_eq!(
        text,
        ["SD: album.img, 116736 of 4294967296 bytes, SDHC; FAT16 ALBUM: SUN.BMP (32454 bytes), \
          HILLS.BMP (32454 bytes), NOTE.TXT (40 bytes), RINGS.BMP (32454 bytes)"]
    );
}
