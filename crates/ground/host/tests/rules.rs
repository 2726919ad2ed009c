//! The rules for all writers of this project.

use std::fs;
use std::io::Write;
use std::path::Path;

use host::output_files::{Log, Output, OutputError, check_folder, create_folder, demand_extension};

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_file_appears_completely_when_it_is_committed() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("a.vcd");
    let mut file = Output::new(&path).create().unwrap();
    file.write_all(b"half").unwrap();
    assert!(!path.exists());
    file.write_all(b" and half").unwrap();
    file.commit().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"half and half");
    assert_eq!(names(root.path()), ["a.vcd"]);
}

#[test]
fn a_second_writer_writes_into_the_same_file() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("a.gif");
    let file = Output::new(&path).create().unwrap();
    let mut writer = file.writer().unwrap();
    writer.write_all(b"frames").unwrap();
    writer.flush().unwrap();
    drop(writer);
    file.commit().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"frames");
}

#[test]
fn a_dropped_output_leaves_neither_file_nor_folder() {
    let root = tempfile::tempdir().unwrap();
    let mut file = Output::new(root.path().join("new/deep/a.vcd")).create().unwrap();
    file.write_all(b"half").unwrap();
    assert_eq!(names(root.path()), ["new"]);
    drop(file);
    assert_eq!(names(root.path()), [""; 0]);
}

#[test]
fn missing_folders_are_created_and_stay_with_the_file() {
    let root = tempfile::tempdir().unwrap();
    Output::new(root.path().join("new/deep/a.vcd")).durable().write(b"x").unwrap();
    assert_eq!(names(&root.path().join("new/deep")), ["a.vcd"]);
}

#[test]
fn a_file_that_exists_is_replaced_only_on_request() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("a.png");
    fs::write(&path, "old").unwrap();
    let error = Output::new(&path).write(b"new").unwrap_err();
    assert!(matches!(error, OutputError::Exists { .. }), "{error}");
    assert!(error.to_string().ends_with("a.png is there already; `--force` replaces it"));
    assert_eq!(fs::read(&path).unwrap(), b"old");
    Output::new(&path).replace(true).write(b"new").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(names(root.path()), ["a.png"]);
}

#[test]
fn unchanged_content_is_not_written_again() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("flash.bin");
    let output = Output::new(&path).replace(true);
    output.write_if_changed(b"a").unwrap();
    let written = fs::metadata(&path).unwrap().modified().unwrap();
    output.write_if_changed(b"a").unwrap();
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), written);
    output.write_if_changed(b"b").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"b");
}

#[test]
fn a_file_that_appears_meanwhile_is_not_replaced() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("a.png");
    let file = Output::new(&path).create().unwrap();
    fs::write(&path, "of another program").unwrap();
    assert!(matches!(file.commit(), Err(OutputError::Exists { .. })));
    assert_eq!(fs::read(&path).unwrap(), b"of another program");
    assert_eq!(names(root.path()), ["a.png"]);
}

#[test]
fn a_report_replaces_only_reports() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("a.xml");
    let write = |bytes: &[u8]| {
        Output::new(&path).replace_like(|head| head.starts_with(b"<testsuites")).write(bytes)
    };
    write(b"<testsuites/>").unwrap();
    write(b"<testsuites></testsuites>").unwrap();
    fs::write(&path, "<project/>").unwrap();
    let error = write(b"<testsuites/>").unwrap_err();
    assert!(matches!(error, OutputError::OtherKind { .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"<project/>");
    fs::write(&path, "").unwrap();
    write(b"<testsuites/>").unwrap();
}

#[test]
fn only_a_trace_is_named_like_one() {
    let root = tempfile::tempdir().unwrap();
    for name in ["a.trace", "a.TRACE"] {
        let path = root.path().join(name);
        let error = Output::new(&path).replace(true).write(b"x").unwrap_err();
        assert!(matches!(error, OutputError::IsTrace { .. }), "{error}");
        assert!(Output::golden(&path).write(b"x").is_err());
        Output::trace(&path).write(b"trace 1\n").unwrap();
    }
}

#[test]
fn only_goldens_are_written_into_their_folder() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("boot");
    fs::write(root.path().join("boot.trace"), "trace 1\n").unwrap();
    for create in [false, true] {
        if create {
            fs::create_dir(&folder).unwrap();
        }
        let path = folder.join("start.png");
        let error = Output::new(&path).replace(true).write(b"x").unwrap_err();
        assert!(matches!(error, OutputError::InGoldens { .. }), "{error}");
        assert!(matches!(create_folder(&folder), Err(OutputError::InGoldens { .. })));
        let inside = folder.join("out");
        assert!(matches!(create_folder(&inside), Err(OutputError::InGoldens { .. })));
        assert_eq!(folder.exists(), create);
    }
    Output::golden(folder.join("start.png")).write(b"x").unwrap();
    let new = root.path().join("out/boot");
    check_folder(&new).unwrap();
    assert!(!new.exists());
    create_folder(&new).unwrap();
    fs::write(root.path().join("file"), "x").unwrap();
    assert!(matches!(check_folder(&root.path().join("file/a/b")), Err(OutputError::Io { .. })));
}

#[cfg(target_os = "linux")]
#[test]
fn an_unwritable_folder_is_refused_before_it_is_needed() {
    let refused = check_folder(std::path::Path::new("/proc/self/task/out"));
    assert!(matches!(refused, Err(OutputError::Io { .. })), "{refused:?}");
    check_folder(std::path::Path::new("a-folder-beside-the-test")).unwrap();
    assert!(!std::path::Path::new("a-folder-beside-the-test").exists());
}

#[test]
fn folders_and_devices_are_not_replaced() {
    let root = tempfile::tempdir().unwrap();
    let error = Output::new(root.path()).replace(true).write(b"x").unwrap_err();
    assert!(matches!(error, OutputError::IsFolder { .. }), "{error}");
    #[cfg(unix)]
    {
        let error = Output::new("/dev/null").replace(true).write(b"x").unwrap_err();
        assert!(matches!(error, OutputError::NotRegular { .. }), "{error}");
    }
    let below_a_file = root.path().join("file/below");
    fs::write(root.path().join("file"), "x").unwrap();
    assert!(Output::new(below_a_file).write(b"x").is_err());
    assert_eq!(names(root.path()), ["file"]);
}

#[cfg(unix)]
#[test]
fn a_link_stays_and_its_target_is_replaced_with_its_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let root = tempfile::tempdir().unwrap();
    let (target, link) = (root.path().join("real.bin"), root.path().join("link.bin"));
    fs::write(&target, "old").unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&target, &link).unwrap();
    Output::new(&link).replace(true).write(b"new").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&target).unwrap(), b"new");
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o600);
}

#[cfg(unix)]
#[test]
fn a_link_leads_neither_to_a_trace_nor_among_goldens() {
    use std::os::unix::fs::symlink;
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    fs::create_dir(root.join("win")).unwrap();
    for (target, link) in [("win.trace", "a.vcd"), ("win/start.png", "b.png")] {
        fs::write(root.join(target), "precious").unwrap();
        symlink(root.join(target), root.join(link)).unwrap();
        let error = Output::new(root.join(link)).replace(true).write(b"new").unwrap_err();
        assert!(matches!(error, OutputError::IsTrace { .. } | OutputError::InGoldens { .. }));
        assert_eq!(fs::read(root.join(target)).unwrap(), b"precious");
    }
    Output::golden(root.join("b.png")).replace(true).write(b"blessed").unwrap();
}

#[test]
fn a_log_overwrites_nothing_and_loses_no_line() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("new/win.trace");
    let mut log = Log::create(&path).unwrap();
    log.add(b"trace 1\n").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"trace 1\n", "written at once");
    assert!(matches!(Log::create(&path), Err(OutputError::Exists { .. })));
    Log::append(&path).unwrap().add(b"0ms end\n").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"trace 1\n0ms end\n");
}

#[test]
fn a_wrong_extension_is_refused_with_the_allowed_ones() {
    demand_extension(Path::new("a.PNG"), &["png"]).unwrap();
    let error = demand_extension(Path::new("boot.trace"), &["xml"]).unwrap_err().to_string();
    assert_eq!(error, "boot.trace: the file to write must be named *.xml");
    let error = demand_extension(Path::new("x"), &["svg", "folded", "txt"]).unwrap_err();
    assert!(error.to_string().ends_with("must be named *.svg, *.folded or *.txt"), "{error}");
}
