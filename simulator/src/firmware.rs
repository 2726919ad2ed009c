//! Names for reports: the firmware, the board, and project files on another machine.

use std::collections::BTreeMap;
use std::env;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use boards::described::path_of_header;
use boards::identity::FirmwareIdentity;
use boards::{Board, BoardFactory};
use runner::{FirmwareId, FirmwareNamer, Project, open_trace};

use crate::environment::variable;

/// Maximum number of firmwares that one line names.
const NAMED_MAX: usize = 4;

/// Returns the project of the traces; GitHub's and GitLab's variables name its root.
pub fn project() -> Project {
    let root = variable("CI_PROJECT_DIR").or_else(|| variable("GITHUB_WORKSPACE"));
    Project { here: env::current_dir().unwrap_or_default(), ci_root: root.map(Into::into) }
}

/// Returns the firmware that runs the traces; `None` if its file no longer exists.
pub fn firmware_id(board: &Board, boards: &BoardFactory, project: &Project) -> Option<FirmwareId> {
    let identity = FirmwareIdentity::of(board, boards).ok()?;
    let named = |file: &Path| project.named(&without_ways_back(file));
    Some(FirmwareId { name: identity.name(named), note: identity.note(named) })
}

/// Returns `pad.board.toml` for `traces/../pad.board.toml`, the form in which headers name files,
/// if both are the same file.
fn without_ways_back(path: &Path) -> PathBuf {
    let mut short = PathBuf::new();
    for component in path.components() {
        let ends_in_a_folder = matches!(short.components().next_back(), Some(Component::Normal(_)));
        match component {
            Component::ParentDir if ends_in_a_folder => {
                short.pop();
            }
            Component::CurDir => {}
            component => short.push(component),
        }
    }
    // A folder may be a symbolic link, and then its `..` is elsewhere.
    match (path.canonicalize(), short.canonicalize()) {
        (Ok(one), Ok(other)) if one == other => short,
        _ => path.to_owned(),
    }
}

/// Returns the namer of the firmware of traces whose headers name a board file. Their boards are
/// those of the headers only if the command line names no other board than `native`.
pub fn firmware_namer(boards: &BoardFactory, project: &Project) -> Option<FirmwareNamer> {
    if !matches!(boards, BoardFactory::Native(..)) {
        return None;
    }
    let (boards, project) = (boards.clone(), project.clone());
    let known: Mutex<BTreeMap<PathBuf, Option<FirmwareId>>> = Mutex::default();
    Some(FirmwareNamer::new(move |trace| {
        let path = path_of_header(trace)?;
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        let named = known.entry(path).or_insert_with(|| {
            let boards = boards.for_trace(trace).ok()?;
            firmware_id(&Board::Native, &boards, &project)
        });
        named.clone()
    }))
}

/// Returns the name of the firmware that a board runs.
pub fn firmware_name(board: &Board, boards: &BoardFactory) -> String {
    firmware_id(board, boards, &project()).map_or_else(|| board.to_string(), |id| id.name)
}

/// Returns the names of the firmwares that run the traces at `paths`, each once: that of the board,
/// and those of the boards that headers name.
pub fn firmware_of_traces<'a>(
    board: &Board,
    boards: &BoardFactory,
    paths: impl Iterator<Item = &'a Path>,
) -> String {
    let namer = firmware_namer(boards, &project());
    let mut names: Vec<String> = Vec::new();
    for path in paths {
        let own = namer.as_ref().and_then(|namer| namer.of(&open_trace(path).ok()?));
        let name = own.map_or_else(|| firmware_name(board, boards), |firmware| firmware.name);
        if !names.contains(&name) {
            names.push(name);
        }
        // Without a namer all traces have the same firmware.
        if namer.is_none() {
            break;
        }
    }
    if names.is_empty() {
        return firmware_name(board, boards);
    }
    let more = names.len().saturating_sub(NAMED_MAX);
    names.truncate(NAMED_MAX);
    let more = if more == 0 { String::new() } else { format!("; and {more} more") };
    names.join("; ") + &more
}

/// Returns the board's name for a command on another machine; `None` for the default board.
pub fn board_named(board: &Board, project: &Project) -> Option<String> {
    match board {
        Board::Native => None,
        Board::Pico(Some(file)) => Some(format!("pico={}", project.named(file))),
        Board::Described(file) => Some(project.named(file)),
        board => Some(board.to_string()),
    }
}
