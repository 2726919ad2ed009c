//! Tests the firmware's storage on the virtual board's flash. All tests are one program, because
//! linking one for each file takes longer than most of them, and because the cores stay busy until
//! the last test ends.
//!
//! | file | claims |
//! |---|---|
//! | `files` | listings, free space and the cost of each call |
//! | `damage` | content that the firmware did not write is reported, and the store stays usable |
//! | `thousand` | the same for 1000 images with random damage, on the board and on the computer |
//! | `records_power_cut`, `files_power_cut`, `import_power_cut`, `progress_power_cut`, `repair_power_cut` | a power cut leaves the old or the new content, whole |
//!
//! `cut`, `watched`, `player`, `random_damage` and `stored_files` are shared by them.

mod cut;
mod player;
mod random_damage;
mod stored_files;
mod watched;

mod damage;
mod files;
mod files_power_cut;
mod import_power_cut;
mod progress_power_cut;
mod records_power_cut;
mod repair_power_cut;
mod thousand;
