//! The drive RPI-RP2 of a Pico in its boot loader. The firmware is written nowhere else, and no
//! file on the drive is replaced.

use std::fs;
use std::path::{Path, PathBuf};

use host::output_files::{OutputError, write_new};

use super::firmware::ProbeFirmware;

/// The file that the RP2040's boot loader shows (RP2040 datasheet 2.8.4), and a line of it.
const INFO: &str = "INFO_UF2.TXT";
const BOARD: &str = "Board-ID: RPI-RP2";
/// Maximum size of the file in bytes; it has three lines.
const INFO_BYTES_MAX: u64 = 4096;
/// File name of the firmware on the drive.
const NAME: &str = "nudge-probe.uf2";

/// Reasons why no firmware can be written.
#[derive(Debug, thiserror::Error)]
pub enum BootDriveError {
    /// No drive of a Pico was found.
    #[error(
        "no Pico waits for a firmware: hold the probe's BOOTSEL button while you plug its USB cable in, mount the drive RPI-RP2 \
         that appears if the system does not, and run this again (--drive DIR names its folder)"
    )]
    None,
    /// The given folder is not the drive of a Pico.
    #[error(
        "{}: this is no drive of a Pico that waits for a firmware: there is no {INFO} of an RP2040 in it; hold the probe's BOOTSEL \
         button while you plug its USB cable in", .0.display()
    )]
    NoDrive(PathBuf),
    /// Several drives were found.
    #[error("several Picos wait for a firmware; name the probe's drive by --drive: {}", listed(.0))]
    BoardList(Vec<PathBuf>),
    /// Several probes could be restarted.
    #[error("several probes are plugged in; name the one by --port: {}", listed(.0))]
    SeveralProbes(Vec<PathBuf>),
    /// The drive has a file with the firmware's name.
    #[error("{}: there is such a file already, and it stays; remove it first", .0.display())]
    Taken(PathBuf),
    /// The firmware cannot be written.
    #[error(transparent)]
    Write(#[from] OutputError),
}

fn listed(paths: &[PathBuf]) -> String {
    let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    paths.join(", ")
}

/// The drive of a Pico that waits for firmware.
#[derive(Debug, PartialEq, Eq)]
pub struct BootDrive(PathBuf);

impl BootDrive {
    /// Returns the drive at `folder`, or the mounted one.
    ///
    /// # Errors
    /// If `folder` is not such a drive, or if the number of mounted drives is not one.
    pub fn find(folder: Option<&Path>) -> Result<Self, BootDriveError> {
        if let Some(folder) = folder {
            return match is_one(folder) {
                true => Ok(Self(folder.to_owned())),
                false => Err(BootDriveError::NoDrive(folder.to_owned())),
            };
        }
        Self::among(mounted())
    }

    fn among(folders: Vec<PathBuf>) -> Result<Self, BootDriveError> {
        let mut drives: Vec<PathBuf> = folders.into_iter().filter(|it| is_one(it)).collect();
        match drives.len() {
            0 => Err(BootDriveError::None),
            1 => Ok(Self(drives.remove(0))),
            _ => Err(BootDriveError::BoardList(drives)),
        }
    }

    /// Writes the firmware; returns its path.
    ///
    /// # Errors
    /// If the firmware cannot be written, or if a file with its name exists.
    pub fn write(&self, firmware: &ProbeFirmware) -> Result<PathBuf, BootDriveError> {
        let path = self.0.join(NAME);
        match write_new(&path, firmware.bytes()) {
            // The Pico restarts after the last block and removes the drive before the system has
            // closed the file.
            Err(OutputError::Io { .. }) if !is_one(&self.0) => Ok(path),
            Err(OutputError::Exists { path }) => Err(BootDriveError::Taken(path)),
            Err(error) => Err(error.into()),
            Ok(()) => Ok(path),
        }
    }
}

/// Returns whether a folder is the drive of an RP2040's boot loader.
fn is_one(folder: &Path) -> bool {
    let info = folder.join(INFO);
    let is_short = fs::metadata(&info).is_ok_and(|it| it.is_file() && it.len() <= INFO_BYTES_MAX);
    is_short
        && fs::read(&info).is_ok_and(|text| {
            String::from_utf8_lossy(&text).lines().any(|line| line.trim() == BOARD)
        })
}

/// Returns the folders at which removable drives may be mounted.
fn mounted() -> Vec<PathBuf> {
    system::mounted()
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs;
    use std::path::PathBuf;

    /// The file systems as which a FAT drive is mounted.
    const FAT: [&str; 4] = ["vfat", "msdos", "exfat", "fuseblk"];

    pub(super) fn mounted() -> Vec<PathBuf> {
        below(&fs::read_to_string("/proc/self/mounts").unwrap_or_default())
    }

    /// Returns the folders of the FAT drives in a mount table with the columns device, folder,
    /// kind.
    pub(super) fn below(table: &str) -> Vec<PathBuf> {
        let folder = |line: &str| {
            let mut words = line.split(' ').skip(1);
            let (folder, kind) = (words.next()?, words.next()?);
            FAT.contains(&kind).then(|| unescaped(folder).into())
        };
        table.lines().filter_map(folder).collect()
    }

    /// Replaces `\040` and other escapes of three octal digits.
    fn unescaped(text: &str) -> String {
        let mut parts = text.split('\\');
        let mut whole = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let code = part.get(..3).and_then(|digits| u8::from_str_radix(digits, 8).ok());
            match code {
                Some(code) => {
                    whole.push(char::from(code));
                    whole += &part[3..];
                }
                None => {
                    whole.push('\\');
                    whole += part;
                }
            }
        }
        whole
    }
}

#[cfg(target_os = "macos")]
mod system {
    use std::path::PathBuf;

    pub(super) fn mounted() -> Vec<PathBuf> {
        let Ok(entries) = std::fs::read_dir("/Volumes") else { return Vec::new() };
        entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
    }
}

#[cfg(windows)]
mod system {
    use std::path::PathBuf;

    pub(super) fn mounted() -> Vec<PathBuf> {
        ('D'..='Z').map(|letter| PathBuf::from(format!("{letter}:\\"))).collect()
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
mod system {
    use std::path::PathBuf;

    /// Returns nothing: on this system `--drive` must name the folder.
    pub(super) fn mounted() -> Vec<PathBuf> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RP2: &str = "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n";

    fn drive(folder: &Path, name: &str, info: &str) -> PathBuf {
        let drive = folder.join(name);
        fs::create_dir(&drive).unwrap();
        fs::write(drive.join(INFO), info).unwrap();
        drive
    }

    #[test]
    fn only_the_drive_of_an_rp2040_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let plain = folder.path().join("plain");
        fs::create_dir(&plain).unwrap();
        let newer = drive(folder.path(), "newer", "Model: RP2350\r\nBoard-ID: RP2350\r\n");
        let others = vec![plain.clone(), newer.clone(), folder.path().join("none")];
        assert!(matches!(BootDrive::among(others.clone()), Err(BootDriveError::None)));
        let one = drive(folder.path(), "one", RP2);
        let found = BootDrive::among([others.clone(), vec![one.clone()]].concat()).unwrap();
        assert_eq!(found, BootDrive(one.clone()));
        let other = drive(folder.path(), "other", RP2);
        let both = BootDrive::among(vec![one.clone(), other.clone()]);
        assert!(matches!(both, Err(BootDriveError::BoardList(found)) if found == [one, other]));
        for named in [plain, newer] {
            let refused = BootDrive::find(Some(&named));
            assert!(matches!(refused, Err(BootDriveError::NoDrive(it)) if it == named));
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn fat_drives_are_read_from_the_mount_table() {
        let table = "/dev/sda2 / ext4 rw 0 0\nproc /proc proc rw 0 0\n\
                     /dev/sdb1 /media/me/RPI-RP2 vfat rw 0 0\n/dev/sdc1 /media/my\\040disk vfat rw 0 0\n";
        let expected = ["/media/me/RPI-RP2", "/media/my disk"].map(PathBuf::from);
        assert_eq!(system::below(table), expected);
    }
}
