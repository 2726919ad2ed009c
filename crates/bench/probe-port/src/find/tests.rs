//! Tests with devices as sysfs presents them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::*;

fn device(root: &Path, name: &str, [vendor, product, text, serial]: [&str; 4]) {
    let device = root.join("devices").join(name);
    let interface = device.join("1-1:1.0");
    fs::create_dir_all(&interface).unwrap();
    for (file, content) in
        [("idVendor", vendor), ("idProduct", product), ("product", text), ("serial", serial)]
    {
        fs::write(device.join(file), format!("{content}\n")).unwrap();
    }
    let tty = root.join("tty").join(name);
    fs::create_dir_all(&tty).unwrap();
    symlink(&interface, tty.join("device")).unwrap();
}

#[test]
fn a_probe_is_recognized_by_its_usb_ids_and_name() {
    let root = tempfile::tempdir().unwrap();
    device(root.path(), "ttyACM1", ["1209", "0001", "nudge probe", "E66058"]);
    device(root.path(), "ttyACM0", ["1209", "0001", "a keyboard", "7"]);
    device(root.path(), "ttyACM2", ["2e8a", "000a", "nudge probe", "8"]);
    fs::create_dir_all(root.path().join("tty/tty0")).unwrap();
    let found = system::below(&root.path().join("tty"), Path::new("/dev"));
    let probe = Found { path: "/dev/ttyACM1".into(), serial: Some("E66058".into()) };
    assert_eq!(found, [probe]);
    assert_eq!(system::below(&root.path().join("none"), Path::new("/dev")), []);
}

#[test]
fn a_probe_is_named_by_its_link_that_stays_the_same() {
    let root = tempfile::tempdir().unwrap();
    let (dev, links) = (root.path().join("dev"), root.path().join("by-id"));
    fs::create_dir_all(&dev).unwrap();
    fs::write(dev.join("ttyACM0"), "").unwrap();
    fs::write(dev.join("ttyACM1"), "").unwrap();
    assert_eq!(system::stable(&dev.join("ttyACM1"), &links), None, "without udev");
    fs::create_dir_all(&links).unwrap();
    let link = links.join("usb-nudge_nudge_probe_E66058-if00");
    symlink(dev.join("ttyACM1"), &link).unwrap();
    assert_eq!(system::stable(&dev.join("ttyACM1"), &links), Some(link));
    assert_eq!(system::stable(&dev.join("ttyACM0"), &links), None);
}
