//! The folder of cached replay results, and the identity of the engine that produced them: this
//! program and, on `pico`, the program of the board.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};

use boards::{Board, BoardFactory, identity};
use directories::BaseDirs;
use host::output_files::OutputError;
use runner::ResultCache;
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::environment::variable;

/// If this variable is set, results are neither stored nor used, unless `--cache` names a folder.
const OFF: &str = "NUDGE_NO_CACHE";

/// Why there is no cache.
#[derive(Debug, Error)]
pub enum CacheError {
    #[error(transparent)]
    Folder(#[from] OutputError),
    #[error("{what} cannot be read: {error}")]
    Engine {
        what: &'static str,
        #[source]
        error: io::Error,
    },
}

/// Opens the cache in `folder`, or in the user's folder. Returns `None` if the user has no such
/// folder or has disabled the cache, or if the board is real.
///
/// # Errors
/// If the folder cannot be created, or if the engine cannot be identified.
pub fn result_cache(
    folder: Option<PathBuf>,
    board: &Board,
    boards: &BoardFactory,
) -> Result<Option<ResultCache>, CacheError> {
    // A real board may run other firmware each time, and its wires may change. The program of the
    // emulated probe is not part of the key.
    if matches!(boards, BoardFactory::Probe(..) | BoardFactory::EmulatedProbe(..)) {
        return Ok(None);
    }
    let Some(folder) = folder.or_else(unless_off) else { return Ok(None) };
    let seed = RandomState::new().build_hasher().finish();
    let cache = ResultCache { folder, engine: engine(board, boards)?, seed };
    cache.open()?;
    Ok(Some(cache))
}

/// Returns the file that remembers which traces of the working folder failed, in the folder of the
/// cache; `None` if there is no such folder, or the cache is disabled.
pub fn last_failed(folder: Option<&Path>) -> Option<PathBuf> {
    let folder = folder.map(Path::to_owned).or_else(unless_off)?;
    let here = std::env::current_dir().ok()?;
    let name = digits(&Sha256::digest(here.as_os_str().as_encoded_bytes()));
    Some(folder.join("last-failed").join(name))
}

/// Returns the user's folder, unless the user has disabled the cache.
fn unless_off() -> Option<PathBuf> {
    if variable(OFF).is_some() { None } else { users() }
}

/// Returns `nudge/results` in the user's cache folder: `$XDG_CACHE_HOME` or `~/.cache` on Linux,
/// `~/Library/Caches` on macOS, `%LOCALAPPDATA%` on Windows. `None` if the user has none.
fn users() -> Option<PathBuf> {
    let folders = BaseDirs::new()?;
    let cache = Some(folders.cache_dir()).filter(|folder| folder.is_absolute())?;
    Some(cache.join("nudge").join("results"))
}

/// Returns the identity of the engine: this program, the board and the program on it.
fn engine(board: &Board, boards: &BoardFactory) -> Result<String, CacheError> {
    let nudge = host::own_program().and_then(|path| sha256(&path));
    let nudge = nudge.map_err(|error| CacheError::Engine { what: "this program", error })?;
    let program = match boards {
        BoardFactory::Pico(_, program) => program,
        BoardFactory::Described(board) => {
            return Ok(format!("described {nudge} {}", board.digest()));
        }
        BoardFactory::Native(..) | BoardFactory::Probe(..) | BoardFactory::EmulatedProbe(..) => {
            return Ok(format!("native {nudge}"));
        }
    };
    let file = match board {
        Board::Pico(Some(file)) => Some(file.clone()),
        _ => boards::pico::firmware::path(),
    };
    let file = file.ok_or_else(|| io::ErrorKind::NotFound.into()).and_then(|file| sha256(&file));
    let file = file.map_err(|error| CacheError::Engine { what: "the board's program", error })?;
    // Hashes the loaded program: the file may have been replaced since.
    let mut loaded = Sha256::new();
    for segment in &program.image().segments {
        loaded.update(segment.address.to_le_bytes());
        loaded.update((segment.bytes.len() as u64).to_le_bytes());
        loaded.update(&segment.bytes);
    }
    Ok(format!("pico {nudge} {file} {}", digits(&loaded.finalize())))
}

fn sha256(path: &Path) -> io::Result<String> {
    identity::sha256(&mut host::input_files::open(path)?)
}

fn digits(hash: &[u8]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}
