//! The root folder of the FAT volume in an image of a card, for people: nothing else depends on it.
//!
//! A volume begins at the first sector, or where the first partition of a FAT type does (Microsoft
//! FAT specification 1.03). Only names of 8.3 characters are read.

use std::fmt;

const SECTOR: u64 = 512;
/// Bytes of an entry of a folder.
const ENTRY: usize = 32;
/// Maximum number of entries that are listed; more are counted.
const LISTED_MAX: usize = 16;
/// Maximum number of entries that are counted.
const ENTRIES_MAX: usize = 65_536;

// Attributes of an entry.
const VOLUME_LABEL: u8 = 0x08;
const FOLDER: u8 = 0x10;
const LONG_NAME: u8 = 0x0F;

/// Types of partitions with FAT.
const PARTITION_TYPES: [u8; 6] = [0x01, 0x04, 0x06, 0x0B, 0x0C, 0x0E];

/// Size of the entries of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FatKind {
    Fat12,
    Fat16,
    Fat32,
}

impl fmt::Display for FatKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Fat12 => "FAT12",
            Self::Fat16 => "FAT16",
            Self::Fat32 => "FAT32",
        })
    }
}

/// A file or a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Name of at most 8.3 printable characters; others are `?`.
    pub name: String,
    /// Size in bytes; `None` for a folder.
    pub bytes: Option<u32>,
}

/// A FAT volume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Volume {
    pub kind: FatKind,
    /// Name of the volume, if it has one.
    pub label: Option<String>,
    /// Number of the byte after the volume in the image.
    pub end: u64,
    /// The first entries of the root folder, and the number of others.
    pub entries: Vec<Entry>,
    pub others: usize,
}

impl fmt::Display for Volume {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.kind)?;
        if let Some(label) = &self.label {
            write!(out, " {label}")?;
        }
        if self.entries.is_empty() {
            return out.write_str(", empty");
        }
        for (at, Entry { name, bytes }) in self.entries.iter().enumerate() {
            out.write_str(if at == 0 { ": " } else { ", " })?;
            match bytes {
                Some(bytes) => write!(out, "{name} ({bytes} bytes)")?,
                None => write!(out, "{name}/")?,
            }
        }
        if self.others > 0 {
            write!(out, " and {} more", self.others)?;
        }
        Ok(())
    }
}

/// Returns the first FAT volume of an image.
pub(super) fn read(image: &[u8]) -> Option<Volume> {
    if bytes::<2>(image, 510)? != [0x55, 0xAA] {
        return None;
    }
    let of_partition = |number: u64| {
        let entry = 446 + 16 * number;
        let [kind] = bytes::<1>(image, entry + 4)?;
        let begin = u64::from(u32::from_le_bytes(bytes(image, entry + 8)?)) * SECTOR;
        let is_fat = PARTITION_TYPES.contains(&kind) && begin > 0;
        is_fat.then(|| Layout::read(image, begin)).flatten()
    };
    let layout = Layout::read(image, 0).or_else(|| (0..4).find_map(of_partition))?;
    Some(layout.volume(image))
}

fn bytes<const N: usize>(image: &[u8], at: u64) -> Option<[u8; N]> {
    let at = usize::try_from(at).ok()?;
    image.get(at..at.checked_add(N)?)?.try_into().ok()
}

/// Places of the parts of a volume in the image, in bytes.
struct Layout {
    kind: FatKind,
    begin: u64,
    end: u64,
    table: u64,
    /// Root folder of FAT12 and FAT16, and its number of bytes.
    root: u64,
    root_bytes: u64,
    clusters: u64,
    cluster_bytes: u64,
    root_cluster: u32,
}

impl Layout {
    /// Reads the boot sector at `begin`.
    fn read(image: &[u8], begin: u64) -> Option<Self> {
        let byte = |at: u64| bytes::<1>(image, begin + at).map(|[byte]| u64::from(byte));
        let short =
            |at: u64| bytes(image, begin + at).map(|two| u64::from(u16::from_le_bytes(two)));
        let long = |at: u64| bytes(image, begin + at).map(u32::from_le_bytes);
        let is_boot_sector = matches!(byte(0)?, 0xEB | 0xE9) && short(510)? == 0xAA55;
        let (sector, per_cluster, fats) = (short(11)?, byte(13)?, byte(16)?);
        let is_sane = (512..=4_096).contains(&sector)
            && sector.is_power_of_two()
            && per_cluster.is_power_of_two()
            && (1..=2).contains(&fats);
        if !is_boot_sector || !is_sane {
            return None;
        }
        let either = |first: u64, second: u32| if first == 0 { u64::from(second) } else { first };
        let (reserved, root_entries) = (short(14)?, short(17)?);
        let total = either(short(19)?, long(32)?);
        let of_fat = either(short(22)?, long(36)?);
        let root_sectors = (root_entries * ENTRY as u64).div_ceil(sector);
        let root = reserved + fats * of_fat;
        let data = root + root_sectors;
        let count = total.checked_sub(data).filter(|_| reserved > 0 && of_fat > 0)? / per_cluster;
        let kind = match count {
            0..4_085 => FatKind::Fat12,
            4_085..65_525 => FatKind::Fat16,
            _ => FatKind::Fat32,
        };
        Some(Self {
            kind,
            begin,
            end: begin + total * sector,
            table: begin + reserved * sector,
            root: begin + root * sector,
            root_bytes: root_entries * ENTRY as u64,
            clusters: begin + data * sector,
            cluster_bytes: per_cluster * sector,
            root_cluster: long(44)?,
        })
    }

    /// Returns the places of the parts of the root folder, and their numbers of bytes. They are at
    /// most as many as `ENTRIES_MAX` entries need.
    fn root_parts(&self, image: &[u8]) -> Vec<(u64, u64)> {
        if self.kind != FatKind::Fat32 {
            return vec![(self.root, self.root_bytes)];
        }
        let parts_max = (ENTRIES_MAX * ENTRY) as u64 / self.cluster_bytes + 1;
        let mut parts = Vec::new();
        let mut cluster = self.root_cluster & 0x0FFF_FFFF;
        while (2..0x0FFF_FFF7).contains(&cluster) && (parts.len() as u64) < parts_max {
            let begin = self.clusters + u64::from(cluster - 2) * self.cluster_bytes;
            parts.push((begin, self.cluster_bytes));
            let next = bytes(image, self.table + 4 * u64::from(cluster));
            cluster = next.map_or(0, |next| u32::from_le_bytes(next) & 0x0FFF_FFFF);
        }
        parts
    }

    fn volume(&self, image: &[u8]) -> Volume {
        // The label of the boot sector follows its signature.
        let label = self.begin + if self.kind == FatKind::Fat32 { 71 } else { 43 };
        let label = bytes::<11>(image, label).and_then(|label| name(&label));
        let mut volume = Volume {
            kind: self.kind,
            label: label.filter(|label| label != "NO NAME"),
            end: self.end,
            entries: Vec::new(),
            others: 0,
        };
        let mut count = 0;
        for (begin, length) in self.root_parts(image) {
            for at in (begin..begin.saturating_add(length)).step_by(ENTRY) {
                let Some(entry) = bytes::<ENTRY>(image, at) else { return volume };
                count += 1;
                if entry[0] == 0 || count > ENTRIES_MAX {
                    return volume;
                }
                volume.add(&entry);
            }
        }
        volume
    }
}

impl Volume {
    fn add(&mut self, entry: &[u8; ENTRY]) {
        let attributes = entry[11];
        // Deleted, or a part of a long name.
        if entry[0] == 0xE5 || attributes & LONG_NAME == LONG_NAME {
            return;
        }
        let (base, extension) = (name(&entry[..8]), name(&entry[8..11]));
        if attributes & VOLUME_LABEL != 0 {
            self.label = name(&entry[..11]);
            return;
        }
        if self.entries.len() >= LISTED_MAX {
            self.others += 1;
            return;
        }
        let mut full = base.unwrap_or_default();
        if let Some(extension) = extension {
            full = format!("{full}.{extension}");
        }
        let size = u32::from_le_bytes([entry[28], entry[29], entry[30], entry[31]]);
        let bytes = (attributes & FOLDER == 0).then_some(size);
        self.entries.push(Entry { name: full, bytes });
    }
}

/// Returns a name without the spaces at its end; `None` if nothing remains.
fn name(bytes: &[u8]) -> Option<String> {
    let shown =
        |byte: &u8| if byte.is_ascii_graphic() || *byte == b' ' { *byte as char } else { '?' };
    let text: String = bytes.iter().map(shown).collect();
    let text = text.trim_end();
    (!text.is_empty()).then(|| text.to_owned())
}
