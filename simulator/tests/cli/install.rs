//! Tests `scripts/install.sh`, by itself and from `scripts/action.sh`, with a release in a folder.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A release, and the home of a user.
struct Release {
    folder: TempDir,
}

fn root() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap()
}

fn program(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A `nudge` that starts.
const STARTS: &str = "#!/bin/sh\necho \"nudge of $(basename \"$0\") $*\"\n";
/// A `nudge` that needs a library.
const FAILS: &str = "#!/bin/sh\necho 'libSDL2-2.0.so.0: no such file' >&2\nexit 127\n";

impl Release {
    fn new(window: &str, headless: &str) -> Self {
        let release = Self { folder: tempfile::tempdir().unwrap() };
        let machine = if cfg!(target_arch = "aarch64") { "arm64" } else { "x86_64" };
        for (suffix, text) in [("", window), ("-headless", headless)] {
            let name = format!("nudge-{}-linux-{machine}{suffix}", env!("CARGO_PKG_VERSION"));
            program(&release.path(&format!("release/{name}/nudge")), text);
        }
        let pack = "for each in nudge-*; do tar -czf \"$each.tar.gz\" \"$each\"; rm -r \"$each\"; done; \
                    sha256sum nudge-* >SHA256SUMS";
        let mut packer = Command::new("sh");
        packer.args(["-c", pack]).current_dir(release.path("release"));
        assert!(packer.status().unwrap().success());
        release
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn releases(&self) -> String {
        format!("file://{}", self.path("release").display())
    }

    /// Runs a script; returns its exit code and its output.
    fn run(&self, script: &str, arguments: &[&str], variables: &[(&str, &str)]) -> (i32, String) {
        let mut command = Command::new(root().join(script));
        command.args(arguments).stdin(Stdio::null());
        for name in
            ["NUDGE_REPOSITORY", "NUDGE_VERSION", "NUDGE_BIN", "NUDGE_HEADLESS", "GITHUB_OUTPUT"]
        {
            command.env_remove(name);
        }
        command.env("HOME", self.path("home")).env("NUDGE_RELEASES", self.releases());
        let output = command.envs(variables.iter().copied()).output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap(), String::from_utf8(text).unwrap())
    }

    fn install(&self, variables: &[(&str, &str)]) -> (i32, String) {
        let version = [("NUDGE_VERSION", env!("CARGO_PKG_VERSION"))];
        self.run("scripts/install.sh", &[], &[&version, variables].concat())
    }

    /// Changes an archive after its sum was taken.
    fn damage(&self) {
        for entry in fs::read_dir(self.path("release")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "gz") {
                fs::write(path, "not the release's").unwrap();
            }
        }
    }
}

#[test]
fn a_release_is_installed_after_its_sum_is_checked() {
    let release = Release::new(STARTS, FAILS);
    let (code, said) = release.install(&[]);
    assert_eq!(code, 0, "{said}");
    let bin = release.path("home/.local/bin");
    assert!(
        said.contains(&format!("installed {}/nudge: nudge of nudge --version", bin.display())),
        "{said}"
    );
    assert!(said.contains("is not in PATH") || said.contains("comes first in PATH"), "{said}");
    let installed: Vec<_> =
        fs::read_dir(&bin).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(installed, ["nudge"]);
}

#[test]
fn without_sdl_the_command_without_a_window_is_installed() {
    let release = Release::new(FAILS, STARTS);
    let (code, said) = release.install(&[]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("does not start: libSDL2-2.0.so.0: no such file"), "{said}");
    assert!(said.contains("install SDL2 (Debian, Ubuntu: libsdl2-2.0-0)"), "{said}");
}

#[test]
fn what_cannot_be_installed_is_a_sentence_and_installs_nothing() {
    let release = Release::new(FAILS, FAILS);
    let (code, said) = release.install(&[]);
    assert_eq!(code, 4, "{said}");
    assert!(said.contains("does not start on this system"), "{said}");
    release.damage();
    let (code, said) = release.install(&[]);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("and SHA256SUMS says") && said.contains("Nothing was installed."),
        "{said}"
    );
    let (code, said) = release.install(&[("NUDGE_VERSION", "9.9.9")]);
    assert!(code == 3 && said.contains("for this system"), "{code} {said}");
    let (code, said) = release.install(&[("NUDGE_RELEASES", "file:///nowhere")]);
    assert!(code == 3 && said.contains("there is no such release, or no network"), "{code} {said}");
    let (code, said) = release.run("scripts/install.sh", &[], &[]);
    assert!(code == 2 && said.contains("set NUDGE_REPOSITORY"), "{code} {said}");
    assert!(!release.path("home/.local/bin/nudge").exists());
}

#[test]
fn a_folder_that_cannot_be_written_is_a_sentence() {
    let release = Release::new(STARTS, STARTS);
    let file = release.path("file");
    fs::write(&file, "").unwrap();
    let bin = file.join("bin");
    let (code, said) = release.install(&[("NUDGE_BIN", bin.to_str().unwrap())]);
    assert!(code == 1 && said.contains("NUDGE_BIN names another"), "{code} {said}");
}

#[test]
fn the_action_takes_the_release_of_its_tag() {
    let release = Release::new(FAILS, STARTS);
    let folder = release.path("nudge");
    let folder = folder.to_str().unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let minor = format!("v{}", version.rsplit_once('.').unwrap().0);
    let output = release.path("output");
    let variables = [
        ("NUDGE_ACTION_REPOSITORY", "someone/nudge"),
        ("NUDGE_ACTION_REF", &*minor),
        ("GITHUB_OUTPUT", output.to_str().unwrap()),
        // Nothing is built.
        ("CARGO", "/nonexistent"),
    ];
    let (code, said) = release.run("scripts/action.sh", &["build", folder], &variables);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("nudge of nudge --version"), "{said}");
    assert_eq!(fs::read_to_string(&output).unwrap(), "page=yes\n");

    release.damage();
    let (code, said) = release.run("scripts/action.sh", &["build", folder], &variables);
    assert_eq!(code, 0, "it is there for this key: {said}");
    fs::remove_file(release.path("nudge/key")).unwrap();
    let (code, said) = release.run("scripts/action.sh", &["build", folder], &variables);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("::error title=nudge::the release"), "{said}");
}

#[test]
fn the_action_builds_what_has_no_release() {
    let release = Release::new(STARTS, STARTS);
    let folder = release.path("nudge");
    let folder = folder.to_str().unwrap();
    // A `cargo` that builds nothing, so that each attempt to build is visible.
    program(&release.path("programs/cargo"), "#!/bin/sh\necho built by cargo\nexit 1\n");
    for name in ["node", "npm"] {
        program(&release.path(&format!("programs/{name}")), "#!/bin/sh\nexit 1\n");
    }
    let path = format!("{}:{}", release.path("programs").display(), std::env::var("PATH").unwrap());
    let tag = format!("v{}", env!("CARGO_PKG_VERSION"));
    for (repository, reference, releases) in [
        ("", &*tag, release.releases()),
        ("someone/nudge", "main", release.releases()),
        ("someone/nudge", "v0", release.releases()),
        ("someone/nudge", "0123456789abcdef0123456789abcdef01234567", release.releases()),
        ("someone/nudge", &tag, "file:///nowhere".to_owned()),
    ] {
        let variables = [
            ("PATH", &*path),
            ("NUDGE_ACTION_REPOSITORY", repository),
            ("NUDGE_ACTION_REF", reference),
            ("NUDGE_RELEASES", &releases),
        ];
        let (code, said) = release.run("scripts/action.sh", &["build", folder], &variables);
        assert!(code != 0 && said.contains("built by cargo"), "{reference}: {code} {said}");
        assert!(!Path::new(folder).join("bin/nudge").exists(), "{reference}");
    }
}

#[test]
fn the_files_of_a_release_install_as_they_are_packed() {
    let folder = tempfile::tempdir().unwrap();
    let machine =
        if cfg!(target_arch = "aarch64") { ["arm64", "arm64"] } else { ["x86_64", "amd64"] };
    let built = folder.path().join("nudge");
    program(&built, STARTS);
    let package = |arguments: &[&str]| {
        let mut command = Command::new(root().join("scripts/package.sh"));
        command.args(arguments).env("CARGO_TARGET_DIR", folder.path()).env("NUDGE_BUILT", &built);
        let output = command.output().unwrap();
        (
            output.status.code().unwrap(),
            String::from_utf8([output.stdout, output.stderr].concat()).unwrap(),
        )
    };
    let system = format!("linux-{}", machine[0]);
    for arguments in [
        &["command", &system][..],
        &["image", machine[1]],
        &["installer", "someone/nudge"],
        &["sums"],
    ] {
        let (code, said) = package(arguments);
        assert_eq!(code, 0, "{arguments:?}: {said}");
    }
    let (code, said) = package(&["installer", "nudge"]);
    assert!(code == 1 && said.contains("the repository is OWNER/nudge"), "{said}");

    let files = folder.path().join("package");
    let sums = fs::read_to_string(files.join("SHA256SUMS")).unwrap();
    assert_eq!(sums.lines().count(), 3, "{sums}");
    let install = |variables: &[(&str, &str)]| {
        let mut command = Command::new(files.join("install.sh"));
        command.env("HOME", folder.path()).env_remove("NUDGE_BIN").env_remove("NUDGE_HEADLESS");
        command
            .env_remove("NUDGE_REPOSITORY")
            .env_remove("NUDGE_VERSION")
            .env_remove("NUDGE_RELEASES");
        let output = command.envs(variables.iter().copied()).output().unwrap();
        (
            output.status.code().unwrap(),
            String::from_utf8([output.stdout, output.stderr].concat()).unwrap(),
        )
    };
    let releases = format!("file://{}", files.display());
    let (code, said) = install(&[("NUDGE_RELEASES", &releases)]);
    assert!(code == 0 && said.contains(".local/bin/nudge: nudge of nudge"), "{code} {said}");
    // Its own copy names the release; a proxy that does not exist keeps the test off the network.
    let (code, said) = install(&[("https_proxy", "http://127.0.0.1:9")]);
    let address = format!(
        "github.com/someone/nudge/releases/download/v{}/SHA256SUMS",
        env!("CARGO_PKG_VERSION")
    );
    assert!(code == 3 && said.contains(&address), "{code} {said}");
}

#[test]
fn a_replay_of_the_action_writes_its_badge() {
    let release = Release::new(STARTS, STARTS);
    let nudge = "#!/bin/sh\nwhile [ $# -gt 0 ]; do\n\
                 [ \"$1\" != --junit ] || printf '<x/>\\n<testsuites name=\"a\" tests=\"5\" failures=\"%s\" errors=\"0\" time=\"1\">\\n' \"$BAD\" >\"$2\"\n\
                 shift\ndone\nexit \"$BAD\"\n";
    program(&release.path("nudge/bin/nudge"), nudge);
    let (folder, report) = (release.path("nudge"), release.path("report"));
    let replay = |bad: &str| {
        let variables = [("NUDGE_REPORT", report.to_str().unwrap()), ("BAD", bad)];
        let (code, said) =
            release.run("scripts/action.sh", &["replay", folder.to_str().unwrap()], &variables);
        assert_eq!(code.to_string(), bad, "{said}");
        fs::read_to_string(report.join("badge.json")).unwrap()
    };
    let badge = |message: &str, color: &str| {
        format!(
            "{{\"schemaVersion\":1,\"label\":\"nudge\",\"message\":\"{message}\",\"color\":\"{color}\"}}\n"
        )
    };
    assert_eq!(replay("0"), badge("5 traces", "brightgreen"));
    assert_eq!(replay("1"), badge("1 of 5 traces failed", "red"));
}
