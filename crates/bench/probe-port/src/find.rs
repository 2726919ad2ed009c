//! Finds the ports that may have a probe by the description of their USB devices.
//!
//! Linux has the description in sysfs. On other systems all ports that look like those of a USB
//! device are listed; a greeting shows which of them is a probe.

use std::path::PathBuf;

/// A port that may have a probe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Path of the device; on Linux its link in /dev/serial/by-id, if there is one.
    pub path: PathBuf,
    /// Serial number of the USB device, where the system reports it.
    pub serial: Option<String>,
}

/// Returns the ports that may have a probe, sorted by name.
pub fn find() -> Vec<Found> {
    let mut found = system::find();
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs;
    use std::path::{Path, PathBuf};

    use probe_protocol::{USB_NAME, USB_PRODUCT, USB_VENDOR};

    use super::Found;

    pub(super) fn find() -> Vec<Found> {
        let mut found = below(Path::new("/sys/class/tty"), Path::new("/dev"));
        for found in &mut found {
            if let Some(link) = stable(&found.path, Path::new("/dev/serial/by-id")) {
                found.path = link;
            }
        }
        found
    }

    /// Returns the link in `links` to the device file at `path`. udev names it after the serial
    /// number, so it does not depend on the order in which devices are plugged in.
    pub(super) fn stable(path: &Path, links: &Path) -> Option<PathBuf> {
        let device = path.canonicalize().ok()?;
        let links = fs::read_dir(links).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
        links.filter(|link| link.canonicalize().is_ok_and(|it| it == device)).min()
    }

    /// Returns the probes among the terminals listed in `sys`; their device files are in `dev`.
    pub(super) fn below(sys: &Path, dev: &Path) -> Vec<Found> {
        let Ok(entries) = fs::read_dir(sys) else { return Vec::new() };
        let probe = |entry: fs::DirEntry| {
            // The terminal's device is a USB interface; the USB device is its parent directory.
            let interface = entry.path().join("device").canonicalize().ok()?;
            let device = interface.parent()?;
            let text = |name| Some(fs::read_to_string(device.join(name)).ok()?.trim().to_owned());
            let number = |name| u16::from_str_radix(&text(name)?, 16).ok();
            let is_probe = number("idVendor")? == USB_VENDOR
                && number("idProduct")? == USB_PRODUCT
                && text("product")? == USB_NAME;
            is_probe.then(|| Found { path: dev.join(entry.file_name()), serial: text("serial") })
        };
        entries.filter_map(|entry| probe(entry.ok()?)).collect()
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::Found;

    pub(super) fn find() -> Vec<Found> {
        let ports = serial2::SerialPort::available_ports().unwrap_or_default();
        let is_usb = |path: &std::path::PathBuf| {
            let name = path.to_string_lossy();
            name.contains("cu.usbmodem") || name.starts_with("COM")
        };
        ports.into_iter().filter(is_usb).map(|path| Found { path, serial: None }).collect()
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
