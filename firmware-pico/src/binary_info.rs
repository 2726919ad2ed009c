//! Name and version of the program for `picotool info`: the SDK's binary information
//! (pico_binary_info, `defs.h` and `structure.h`). The probe's binary uses this module, too.
#![expect(unsafe_code, reason = "picotool finds the structures by their sections and addresses")]

use core::ptr;

/// `BINARY_INFO_MARKER_START` and `BINARY_INFO_MARKER_END`.
const MARKERS: [u32; 2] = [0x7188_EBF2, 0xE71A_A390];
/// `BINARY_INFO_TYPE_ID_AND_STRING`.
const ID_AND_STRING: u16 = 6;
/// `BINARY_INFO_TAG_RASPBERRY_PI`.
const TAG: u16 = u16::from_le_bytes(*b"RP");
/// `BINARY_INFO_ID_RP_PROGRAM_NAME` and `BINARY_INFO_ID_RP_PROGRAM_VERSION_STRING`.
const NAME: u32 = 0x0203_1C86;
const VERSION: u32 = 0x11A9_BC3A;

/// The header, which picotool expects in the first 256 bytes after the second boot stage.
#[repr(C)]
struct Header {
    begin: u32,
    first: *const Pointer,
    end: *const Pointer,
    /// Table of the parts that are copied to RAM, ended by a zero. The strings stay in the flash.
    copied: *const u32,
    marker: u32,
}

#[repr(C)]
struct Text {
    kind: u16,
    tag: u16,
    id: u32,
    text: *const u8,
}

#[repr(transparent)]
struct Pointer(*const Text);

// SAFETY: they are constants.
unsafe impl Sync for Header {}
// SAFETY: as above.
unsafe impl Sync for Text {}
// SAFETY: as above.
unsafe impl Sync for Pointer {}

unsafe extern "C" {
    static __bi_entries_start: Pointer;
    static __bi_entries_end: Pointer;
}

#[used]
#[unsafe(link_section = ".boot_info")]
static HEADER: Header = Header {
    begin: MARKERS[0],
    first: &raw const __bi_entries_start,
    end: &raw const __bi_entries_end,
    copied: &raw const NOTHING_IS_COPIED,
    marker: MARKERS[1],
};

#[unsafe(link_section = ".bi_data")]
static NOTHING_IS_COPIED: u32 = 0;

const NAME_TEXT: &str = concat!(env!("CARGO_BIN_NAME"), "\0");
const VERSION_TEXT: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");

#[unsafe(link_section = ".bi_data")]
static NAME_BYTES: [u8; NAME_TEXT.len()] = bytes(NAME_TEXT);
#[unsafe(link_section = ".bi_data")]
static VERSION_BYTES: [u8; VERSION_TEXT.len()] = bytes(VERSION_TEXT);

#[unsafe(link_section = ".bi_data")]
static OF_NAME: Text =
    Text { kind: ID_AND_STRING, tag: TAG, id: NAME, text: ptr::from_ref(&NAME_BYTES).cast() };
#[unsafe(link_section = ".bi_data")]
static OF_VERSION: Text =
    Text { kind: ID_AND_STRING, tag: TAG, id: VERSION, text: ptr::from_ref(&VERSION_BYTES).cast() };

#[used]
#[unsafe(link_section = ".bi_entries")]
static ENTRIES: [Pointer; 2] = [Pointer(&raw const OF_NAME), Pointer(&raw const OF_VERSION)];

const fn bytes<const LENGTH: usize>(text: &str) -> [u8; LENGTH] {
    let mut bytes = [0; LENGTH];
    bytes.copy_from_slice(text.as_bytes());
    bytes
}
