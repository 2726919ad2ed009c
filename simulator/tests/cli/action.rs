//! Tests the GitHub action: `scripts/action.sh` as `action.yml` calls it, with a `cargo` that
//! compiles nothing, and the statements of `docs/ci.md` about releases.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::command::NUDGE;

/// A `cargo` that writes its arguments to `called`, and a `nudge` that prints its arguments.
const CARGO: &str = r#"#!/bin/sh
echo "$PWD: $*" >>"$CALLED"
env | grep -E '^(RUSTFLAGS|CARGO_BUILD_|CARGO_ENCODED_|RUSTDOCFLAGS)' >>"$CALLED-flags"
while [ $# -gt 0 ]; do
    case $1 in
        --root) root=$2 ;;
        --target-dir) mkdir -p "$2/debris" ;;
    esac
    shift
done
mkdir -p "$root/bin"
printf '#!/bin/sh\nprintf "%%s\\n" "$@"\n' >"$root/bin/nudge"
chmod +x "$root/bin/nudge"
"#;

/// Returns the root of the repository.
fn root() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap()
}

fn program(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A repository that uses the action, on a machine with the stand-in for `cargo`.
struct Scene {
    folder: TempDir,
}

impl Scene {
    fn new() -> Self {
        let scene = Self { folder: tempfile::tempdir().unwrap() };
        program(&scene.path("programs/cargo"), CARGO);
        // Without these programs only the command is built, not the page.
        for name in ["node", "npm"] {
            program(&scene.path(&format!("programs/{name}")), "#!/bin/sh\nexit 1\n");
        }
        fs::create_dir(scene.path("repository")).unwrap();
        scene
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn bash(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
        let path =
            format!("{}:{}", self.path("programs").display(), std::env::var("PATH").unwrap());
        Command::new("bash")
            .args(arguments)
            .current_dir(self.path("repository"))
            .env("PATH", path)
            .env("CALLED", self.path("called"))
            .env_remove("NUDGE_TRACES")
            .env_remove("NUDGE_OPTIONS")
            .env_remove("NUDGE_SHARD")
            .env_remove("NUDGE_REPORT")
            .env_remove("NUDGE_BOARD")
            .env_remove("GITHUB_OUTPUT")
            .env_remove("RUNNER_TEMP")
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// Runs `scripts/action.sh` with `arguments`; returns its standard output.
    #[track_caller]
    fn action(&self, arguments: &[&str], variables: &[(&str, &str)]) -> String {
        let script = root().join("scripts/action.sh");
        let output = self.bash(&[&[script.to_str().unwrap()], arguments].concat(), variables);
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}\n{err}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Returns the recorded calls of `cargo`: folder and arguments.
    fn calls(&self) -> Vec<String> {
        let text = fs::read_to_string(self.path("called")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Returns the arguments that `nudge replay` gets for the input `options`.
    #[track_caller]
    fn options(&self, options: &str) -> Vec<String> {
        let folder = self.path("nudge");
        let folder = folder.to_str().unwrap();
        let variables = [("NUDGE_OPTIONS", options), ("NUDGE_REPORT", "report")];
        let arguments = self.action(&["replay", folder], &variables);
        let mut arguments =
            arguments.lines().map(str::to_owned).skip_while(|word| word != "report/artifacts");
        assert!(arguments.next().is_some());
        arguments.collect()
    }
}

#[test]
fn a_second_run_uses_the_cached_command_in_any_folder() {
    sampled!();
    let scene = Scene::new();
    let key = scene.action(&["key"], &[]);
    let temporary = scene.path("one/_temp/nudge");
    let said = scene.action(&["build", temporary.to_str().unwrap()], &[]);
    assert_eq!(said, "--version\n");
    let calls = scene.calls();
    assert_eq!(calls.len(), 1, "{calls:?}");
    // The build must not run in the caller's folder, whose rust-toolchain.toml rustup would obey.
    assert!(calls[0].starts_with(&format!("{}: install ", root().display())), "{calls:?}");
    assert!(!temporary.join("build").exists(), "the cache would keep it");

    // Another runner: the cache restores the folder at another path, with another Rust or none.
    fs::create_dir_all(scene.path("two/_temp")).unwrap();
    fs::rename(&temporary, scene.path("two/_temp/nudge")).unwrap();
    program(&scene.path("programs/rustc"), "#!/bin/sh\necho rustc 1.99.0\n");
    program(&scene.path("programs/cargo"), "#!/bin/sh\necho none >>\"$CALLED\"; exit 1\n");
    assert_eq!(scene.action(&["key"], &[]), key);
    let temporary = scene.path("two/_temp/nudge");
    scene.action(&["build", temporary.to_str().unwrap()], &[]);
    scene.action(&["replay", temporary.to_str().unwrap()], &[]);
    assert_eq!(scene.calls().len(), 1, "{:?}", scene.calls());
}

#[test]
fn a_cached_command_of_other_sources_is_rebuilt() {
    sampled!();
    let scene = Scene::new();
    let folder = scene.path("nudge");
    scene.action(&["build", folder.to_str().unwrap()], &[]);
    fs::write(folder.join("key"), "of other sources").unwrap();
    scene.action(&["build", folder.to_str().unwrap()], &[]);
    assert_eq!(scene.calls().len(), 2);
    scene.action(&["build", folder.to_str().unwrap()], &[]);
    assert_eq!(scene.calls().len(), 2);
}

#[test]
fn several_options_may_be_on_one_line_and_quotes_keep_blanks() {
    let scene = Scene::new();
    scene.action(&["build", scene.path("nudge").to_str().unwrap()], &[]);
    for (options, expected) in [
        ("", &[][..]),
        ("--allow-violations --repeat 2", &["--allow-violations", "--repeat", "2"]),
        ("--repeat\n  2\n\n--quiet\n", &["--repeat", "2", "--quiet"]),
        ("--filter 'free turn' -q", &["--filter", "free turn", "-q"]),
        (r#"--filter="it's $HOME \ *" "" "#, &[r"--filter=it's $HOME \ *", ""]),
    ] {
        assert_eq!(scene.options(options), expected, "{options:?}");
    }
    let script = root().join("scripts/action.sh");
    let folder = scene.path("nudge");
    let arguments = [script.to_str().unwrap(), "replay", folder.to_str().unwrap()];
    let output = scene.bash(&arguments, &[("NUDGE_OPTIONS", "--filter 'free turn")]);
    assert_eq!(output.status.code(), Some(2));
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.starts_with("::error title=nudge::the input `options` has a quote"), "{err}");
}

#[test]
fn differences_are_computed_for_the_same_traces_without_options() {
    let scene = Scene::new();
    let folder = scene.path("nudge");
    let folder = folder.to_str().unwrap();
    scene.action(&["build", folder], &[]);
    let variables = [
        ("NUDGE_TRACES", "a b.trace\nc"),
        ("NUDGE_BOARD", "pico=new.elf"),
        ("NUDGE_AGAINST", "pico=old one.elf"),
        ("NUDGE_SHARD", "1/2"),
        ("NUDGE_OPTIONS", "--repeat 2"),
        ("NUDGE_REPORT", "report"),
    ];
    let said = scene.action(&["changes", folder], &variables);
    let expected = "replay|a b.trace|c|--board|pico=new.elf|--against|pico=old one.elf|--html|\
                    report/changes|--markdown|report/changes.md|--shard|1/2|";
    assert_eq!(said.replace('\n', "|"), expected);
}

#[test]
fn flags_of_the_job_do_not_reach_the_build_and_a_command_without_its_page_is_not_cached() {
    let scene = Scene::new();
    let (folder, output) = (scene.path("nudge"), scene.path("output"));
    let variables = [
        ("RUSTFLAGS", "-D warnings"),
        ("CARGO_ENCODED_RUSTFLAGS", "-Dwarnings"),
        ("CARGO_BUILD_TARGET", "thumbv6m-none-eabi"),
        ("GITHUB_OUTPUT", output.to_str().unwrap()),
    ];
    scene.action(&["build", folder.to_str().unwrap()], &variables);
    assert_eq!(fs::read_to_string(scene.path("called-flags")).unwrap(), "");
    // There is no node here.
    assert_eq!(fs::read_to_string(&output).unwrap(), "page=no\n");
    let action = fs::read_to_string(root().join("action.yml")).unwrap();
    let saves = action.split("\n    - ").find(|step| step.contains("actions/cache/save@")).unwrap();
    assert!(saves.contains("steps.build.outputs.page == 'yes'"), "{saves}");
}

#[test]
fn a_push_is_compared_with_the_commit_before_it_if_there_is_one() {
    let scene = Scene::new();
    let folder = scene.path("nudge");
    let folder = folder.to_str().unwrap();
    scene.action(&["build", folder], &[]);
    let temporary = scene.path("temporary");
    let temporary = temporary.to_str().unwrap();
    for none in ["git=", "git=0000000000000000000000000000000000000000"] {
        let said = scene.action(&["changes", folder], &[("NUDGE_AGAINST", none)]);
        assert!(said.starts_with("::notice title=nudge::There is no commit before"), "{said}");
    }
    let git = |arguments: &str| {
        let mut command = Command::new("git");
        command.args([
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b.c",
            "-c",
            "init.defaultBranch=main",
        ]);
        command.args(arguments.split(' ')).current_dir(scene.path("repository"));
        assert!(command.output().unwrap().status.success(), "git {arguments}");
    };
    git("init -q");
    git("commit -q --allow-empty -m first");
    let variables = [("NUDGE_AGAINST", "git=HEAD"), ("RUNNER_TEMP", temporary)];
    let said = scene.action(&["changes", folder], &variables);
    assert!(said.contains("--against\ngit=HEAD\n"), "{said}");
    assert!(said.contains(&format!("--target\n{temporary}/nudge-against\n")), "{said}");
    let script = root().join("scripts/action.sh");
    let missing = "git=0123456789012345678901234567890123456789";
    let arguments = [script.to_str().unwrap(), "changes", folder];
    let output = scene.bash(&arguments, &[("NUDGE_AGAINST", missing)]);
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && err.contains("`fetch-depth: 0`"), "{err}");
}

#[test]
fn the_name_of_the_artifact_is_one_that_an_upload_takes() {
    let scene = Scene::new();
    let named = |name: &str| scene.action(&["artifact", name], &[]);
    assert_eq!(named("nudge-report"), "nudge-report\n");
    assert_eq!(named("report of feature/x: 1"), "report of feature-x- 1\n");
    assert_eq!(named("a\\b\"c<d>|*?"), "a-b-c-d----\n");
}

/// The comment is written also after a replay that failed, and replaces an earlier one; a push has a base too.
#[test]
fn the_recipe_of_the_comment_runs_when_it_matters() {
    let page = fs::read_to_string(root().join("docs/ci.md")).unwrap();
    let step = page.split("      - ").find(|step| step.contains("gh pr comment")).unwrap();
    for part in ["if: ${{ !cancelled() &&", "outputs.changes != ''", "--edit-last --create-if-none"]
    {
        assert!(step.contains(part), "no `{part}` in:\n{step}");
    }
    assert!(page.contains("github.event.pull_request.base.sha || github.event.before"));
}

/// The versions that run on Node 24; GitHub has removed the Node of the versions before.
#[test]
fn actions_have_versions_that_github_supports() {
    let supported = [
        "actions/checkout@v6",
        "actions/cache@v5",
        "actions/cache/restore@v5",
        "actions/cache/save@v5",
        "actions/upload-artifact@v6",
        "actions/download-artifact@v7",
    ];
    let mut files =
        vec![root().join("action.yml"), root().join("docs/ci.md"), root().join("docs/hil.md")];
    let workflows = fs::read_dir(root().join(".github/workflows")).unwrap();
    files.extend(workflows.map(|file| file.unwrap().path()));
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for (at, _) in text.match_indices("uses: actions/") {
            let used = text[at + "uses: ".len()..].split_whitespace().next().unwrap();
            assert!(supported.contains(&used), "{}: {used}", file.display());
        }
    }
}

/// Returns the script of the step `id` in `action.yml`.
fn step(id: &str) -> String {
    let action = fs::read_to_string(root().join("action.yml")).unwrap();
    let step = action.split("\n    - ").find(|step| step.starts_with(&format!("id: {id}\n")));
    let script = step.unwrap().split_once("      run: |\n").unwrap().1;
    script.lines().map(|line| line.trim_start().to_owned() + "\n").collect()
}

#[test]
fn a_key_that_cannot_be_computed_fails_the_step() {
    let scene = Scene::new();
    // The same flags as GitHub's for `shell: bash`.
    let step = step("source");
    let run = ["--noprofile", "--norc", "-eo", "pipefail", "-c", &step];
    let output = scene.path("output");
    let variables = |action: &Path| {
        [("ACTION", action.to_owned()), ("GITHUB_OUTPUT", output.clone())]
            .map(|(name, path)| (name, path.to_str().unwrap().to_owned()))
    };
    let code = |action: &Path| {
        let variables = variables(action);
        let variables = variables.each_ref().map(|(name, value)| (*name, value.as_str()));
        scene.bash(&run, &variables).status.code()
    };
    assert_eq!(code(&root()), Some(0));
    let key = fs::read_to_string(&output).unwrap();
    assert_eq!(key, format!("key=nudge-{}", scene.action(&["key"], &[])));
    // An action without its sources.
    let script = fs::read_to_string(root().join("scripts/action.sh")).unwrap();
    program(&scene.path("empty/scripts/action.sh"), &script);
    assert_ne!(code(&scene.path("empty")), Some(0));
    assert_eq!(fs::read_to_string(&output).unwrap(), key, "no key is said");
}

#[test]
fn the_recipes_name_the_release_of_this_version() {
    let page = fs::read_to_string(root().join("docs/ci.md")).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let (line, _) = version.rsplit_once('.').unwrap();
    let known = [format!("v{line}"), format!("v{version}")];
    let mut count = 0;
    for marker in ["OWNER/nudge@", "OWNER/nudge:", "NUDGE_VERSION: "] {
        for (at, _) in page.match_indices(marker) {
            let tag = page[at + marker.len()..]
                .split(|letter: char| !(letter.is_alphanumeric() || letter == '.'));
            let tag = tag.into_iter().next().unwrap().trim_end_matches('.');
            assert!(known.iter().any(|known| known == tag), "{marker}{tag}: not {known:?}");
            count += 1;
        }
    }
    assert!(count >= 4, "{count} recipes were found");
}

/// Runs the line of `docs/ci.md` that joins the reports of a matrix.
#[test]
fn the_last_job_of_the_document_joins_the_uploaded_reports() {
    let scene = Scene::new();
    let command = scene.path("command/bin/nudge");
    fs::create_dir_all(command.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(NUDGE, &command).unwrap();
    fs::create_dir_all(scene.path("repository/tests/traces")).unwrap();
    for name in ["a", "b", "c"] {
        let trace = scene.path(&format!("repository/tests/traces/{name}.trace"));
        fs::write(trace, "trace 1\n0ms power on\n+1s end\n").unwrap();
    }
    let folder = scene.path("command").display().to_string();
    for part in 1..=2 {
        // An artifact has the content of the folder, and is downloaded into a folder with the
        // artifact's name.
        let report = scene.path(&format!("repository/parts/nudge-report-{part}"));
        let shard = format!("{part}/2");
        let variables = [
            ("NUDGE_REPORT", report.to_str().unwrap()),
            ("NUDGE_SHARD", &shard),
            ("NUDGE_NO_CACHE", "1"),
        ];
        scene.action(&["replay", &folder], &variables);
    }
    let page = fs::read_to_string(root().join("docs/ci.md")).unwrap();
    let line = page.lines().find_map(|line| line.trim().strip_prefix("- run: nudge report merge"));
    let line = format!("PATH='{folder}/bin':$PATH; nudge report merge{}", line.unwrap());
    let output = scene.bash(&["-euc", &line], &[]);
    assert!(output.status.success(), "{output:?}");
    let page = fs::read_to_string(scene.path("repository/report/index.html")).unwrap();
    assert_eq!(page.matches("<span class=name>").count(), 3);
    assert!(
        fs::read_to_string(scene.path("repository/junit.xml")).unwrap().contains("tests=\"3\"")
    );
}
