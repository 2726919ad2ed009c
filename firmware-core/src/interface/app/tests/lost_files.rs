//! Files whose headers are damaged.

use super::files::fill;
use super::*;
use crate::interface::page::{ListRow, Notice, Question};
use crate::storage::files;
use crate::storage::files::FileKind;

/// Its name and kind are lost, so that both lists show it, and none can load or read it.
#[test]
fn a_file_with_a_damaged_header_is_listed_and_can_be_deleted() {
    for (entry, kind, none) in [
        (Entry::LoadGame, FileKind::Game, Notice::NoGames),
        (Entry::Logs, FileKind::Log, Notice::NoLogs),
    ] {
        let mut scene = Scene::new();
        fill(&mut scene, kind, 2, 100);
        let listing = files::list(&mut scene.chip, None).expect("a list");
        let header = listing.files[1].addresses().next().expect("a sector") as usize;
        scene.chip.0[header + 8] = 0;
        scene.choose(entry);
        assert_eq!(scene.count("storage state=damaged files=1"), 1);
        let Page::Files { rows, .. } = scene.page() else { panic!("no list") };
        assert!(matches!(rows[..3], [Some(ListRow::File(_)), Some(ListRow::Lost(1)), None]));
        // Above the first row is the last. OK and VIEW explain, NO leaves everything as it is.
        for button in ["B5", "B2"] {
            scene.tap("B3");
            scene.tap(button);
            assert_eq!(scene.page(), Page::Notice(Notice::Lost(1)), "{button}");
            scene.tap("B5");
            scene.choose(entry);
        }
        scene.tap("B3");
        scene.tap("B1");
        assert_eq!(scene.page(), Page::Question(Question::DeleteLost(1)));
        scene.tap("B6");
        assert!(matches!(scene.page(), Page::Files { cursor: 1, .. }));
        scene.tap("B1");
        scene.tap("B1");
        assert_eq!(scene.count("deleted files=1"), 1);
        let Page::Files { rows, cursor: 0, .. } = scene.page() else { panic!("no list") };
        assert!(matches!(rows[..2], [Some(ListRow::File(_)), None]));
        // The last file of a list may be such a one, too.
        let header = listing.files[0].addresses().next().expect("a sector") as usize;
        scene.chip.0[header + 8] = 0;
        scene.tap("B6");
        scene.choose(entry);
        scene.tap("B1");
        scene.tap("B1");
        assert_eq!(scene.page(), Page::Notice(none));
    }
}
