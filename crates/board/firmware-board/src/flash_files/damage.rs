//! The damaged parts of a flash, as data and as words.

use std::fmt;

use firmware_core::name::Name;
use firmware_core::storage::files::FileKind;
use firmware_core::storage::{Damage, RecordsDamage};

use super::kind::kind_name;

/// The parts of a flash that cannot be read as they were stored. `Display` lists them on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlashDamage {
    /// Damage of the settings and the total scores.
    pub records: RecordsDamage,
    /// Damaged saved games and logs.
    pub files: Vec<(FileKind, Name)>,
    /// Number of files without a readable header.
    pub unnamed: u8,
}

impl FlashDamage {
    /// Returns whether anything is damaged.
    pub fn is_any(&self) -> bool {
        self.records.is_any() || !self.files.is_empty() || self.unnamed > 0
    }
}

impl fmt::Display for FlashDamage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        for (record, damage) in
            [("settings", self.records.settings), ("scores", self.records.scores)]
        {
            match damage {
                None => {}
                Some(Damage::Older) => {
                    parts.push(format!("the last {record} (older ones are left)"));
                }
                Some(Damage::Lost(error)) => parts.push(format!("the {record} ({error})")),
            }
        }
        parts.extend(
            self.files.iter().map(|(kind, name)| format!("the {} {name}", kind_name(*kind))),
        );
        match self.unnamed {
            0 => {}
            1 => parts.push("a file whose name is lost".to_owned()),
            files => parts.push(format!("{files} files whose names are lost")),
        }
        out.write_str(&parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flash_files::name;
    use firmware_core::storage::StorageError;

    #[test]
    fn damage_is_listed_in_one_line() {
        let records = RecordsDamage {
            settings: Some(Damage::Lost(StorageError::Damaged)),
            scores: Some(Damage::Older),
        };
        let files = vec![(FileKind::Log, name("friday").expect("a name"))];
        let damage = FlashDamage { records, files, unnamed: 2 };
        assert!(damage.is_any());
        assert_eq!(
            damage.to_string(),
            "the settings (flash is damaged), the last scores (older ones are left), the log FRIDAY, \
             2 files whose names are lost"
        );
    }
}
