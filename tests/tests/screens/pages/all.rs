//! Every page, with its shortest and its longest text. A new kind of page does not compile here
//! until it is added.

use super::*;

/// A game in which the computer just does not agree to abandon play, and one in which it does.
const QUIETS: [Quiet; 2] = [
    Quiet { moves_since_capture: QUIET_MOVES - 1, repetitions: REPETITIONS - 1 },
    Quiet { moves_since_capture: QUIET_MOVES, repetitions: 1 },
];

pub(super) fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

pub(super) fn entries(nth: impl IntoIterator<Item = usize>) -> Entries {
    nth.into_iter().fold(Entries::default(), Entries::with)
}

/// Returns every page, with its shortest and its longest text.
pub(super) fn pages() -> Vec<Page> {
    let (short, long) = (name("A"), name("WWWWWWWW"));
    let mut all = Vec::new();
    for menu in Menu::ALL {
        for (cursor, volume) in (0..menu.len()).zip(Volume::ALL.into_iter().cycle()) {
            let (checked, dim) = (entries((0..menu.len()).step_by(2)), entries([]));
            all.push(Page::Menu { menu, cursor: cursor as u8, checked, dim, volume });
            let (checked, dim) = (entries([]), entries(0..menu.len()));
            all.push(Page::Menu { menu, cursor: cursor as u8, checked, dim, volume });
        }
    }
    all.extend(questions().into_iter().map(Page::Question));
    all.extend(notices().into_iter().map(Page::Notice));
    for system in SYSTEMS {
        for totals in [[0, 0], [48, 7], [12_345, 4_000_000_000]] {
            all.push(Page::Scores { game: system.game, totals });
        }
    }
    for kind in [FileKind::Game, FileKind::Log] {
        for (name, letter) in [(Name::default(), 0), (short, 12), (long, 13), (short, 36)] {
            all.push(Page::Name { kind, name, letter });
        }
    }
    let games = [Game::TopBottom, Game::Board, Game::Wari].map(FileContent::Game);
    let logs = [255, 1, 20].map(FileContent::Log);
    let lists = [(List::LoadGame, games), (List::SaveGame, games), (List::Logs, logs)];
    for (list, [first, second, third]) in lists {
        for (count, cursor, above, below) in
            [(1, 0, false, false), (5, 4, false, false), (8, 3, true, true), (8, 7, true, false)]
        {
            let mut rows = [None; FILE_ROWS];
            for (nth, row) in rows.iter_mut().enumerate().take(count) {
                let content = [first, FileContent::Damaged, second, third][nth % 4];
                let name = if nth % 2 == 0 { long } else { short };
                *row = Some(ListRow::File(FileRow { name, content }));
            }
            if list != List::SaveGame && !below && count > 1 {
                rows[count - 1] = Some(ListRow::Lost(if above { 48 } else { 1 }));
            }
            if list == List::SaveGame && !above {
                rows[0] = Some(ListRow::NewName);
            }
            all.push(Page::Files { list, rows, cursor, above, below });
        }
    }
    for (top, below, per_cent) in [(0, false, 100), (0, true, 7), (99, true, 50), (99, false, 100)]
    {
        all.push(Page::Log { name: if below { long } else { short }, top, below, per_cent });
    }
    for (system, at) in SYSTEMS.into_iter().zip([0, 1, 41, 2_000]) {
        let (game, of) = (system.game, if at == 0 { 30 } else { at.max(41) });
        let sown = (at > 0).then_some((12, if at == 1 { 12 } else { 2 }));
        let stones = [0, 1, 12, 4, 60, 5, 48, 3, 9, 10, 11, 1, 2, 24];
        let name = if at > 1 { long } else { short };
        for kind in [FileKind::Game, FileKind::Log] {
            all.push(Page::Review { kind, name, game, at, of, stones, sown });
        }
    }
    for system in SYSTEMS {
        let of = how_to_play::count(system.game);
        all.extend((0..of).map(|nth| Page::HowToPlay { game: system.game, nth, of }));
    }
    all.extend([0, 1, 42, 100].map(Page::Logging));
    for turn in Player::BOTH {
        all.extend([true, false].map(|holding| Page::Edit { turn, holding }));
    }
    all
}

fn questions() -> Vec<Question> {
    let mut all = vec![
        Question::Quit { waits: true },
        Question::Quit { waits: false },
        Question::Restart,
        Question::Demo,
    ];
    all.extend([true, false].map(|waits| Question::LeaveDemo { waits, players: Players::Two }));
    all.push(Question::Introduction);
    all.extend([1, 48].map(Question::DeleteLost));
    all.extend([true, false].map(|in_progress| Question::NewBoard { in_progress }));
    all.extend([3, 4, 5].map(Question::Stones));
    all.extend(SYSTEMS.map(|system| Question::System(system.game)));
    let [far, near] = QUIETS;
    let certain =
        [GameResult::Draw, GameResult::Winner(Player::Bottom), GameResult::Winner(Player::Top)];
    let agreements = [Agreement::Person, Agreement::Computer(far), Agreement::Computer(near)];
    for other in agreements.into_iter().chain(certain.map(Agreement::ComputerAtResult)) {
        all.extend(Player::BOTH.map(|player| Question::Abandon(player, other)));
    }
    all.extend(Player::BOTH.map(Question::Resign));
    let totals = [TotalsAfter::Zero, TotalsAfter::Game([60, 60]), TotalsAfter::GameUncounted];
    all.extend(totals.map(Question::ResetScores));
    for name in [name("A"), name("WWWWWWWW")] {
        all.push(Question::Load(name));
        for kind in [FileKind::Game, FileKind::Log] {
            all.extend([Question::Overwrite(kind, name), Question::OverwriteOldest(kind, name)]);
            all.push(Question::Delete(kind, name));
        }
    }
    // A new question does not compile here until it is added to the list above.
    for question in &all {
        match question {
            Question::Quit { .. } | Question::Restart | Question::Demo => {}
            Question::LeaveDemo { waits: true | false, .. } => {}
            Question::Introduction | Question::Delete(..) | Question::DeleteLost(_) => {}
            Question::NewBoard { in_progress: true | false } => {}
            Question::Stones(_) | Question::System(_) | Question::Resign(_) => {}
            Question::Abandon(
                _,
                Agreement::Person | Agreement::Computer(_) | Agreement::ComputerAtResult(_),
            ) => {}
            Question::ResetScores(
                TotalsAfter::Zero | TotalsAfter::Game(_) | TotalsAfter::GameUncounted,
            ) => {}
            Question::Load(_) | Question::Overwrite(..) | Question::OverwriteOldest(..) => {}
        }
    }
    all
}

fn notices() -> Vec<Notice> {
    let mut all = vec![Notice::Demo, Notice::NoGames, Notice::SaveFailed, Notice::TooLong];
    all.extend([Notice::NothingToUndo, Notice::ScoresReset, Notice::GameOver, Notice::NoLogs]);
    all.extend([Notice::NothingToRedo, Notice::NotOver(Game::Family)]);
    all.extend([Notice::ComputersTurn, Notice::NotInDemo, Notice::Declined(QUIETS[0])]);
    for kind in [FileKind::Game, FileKind::Log] {
        all.extend([(1, 0), (24, 0), (24, 23)].map(|(files, older)| Notice::NoRoom {
            kind,
            files,
            older,
        }));
    }
    all.extend(SYSTEMS.map(|system| Notice::NotHere(system.game)));
    all.extend([Notice::TouchMove(Game::Family), Notice::LostNotDeleted]);
    all.extend([1, 48].map(Notice::Lost));
    for result in
        [GameResult::Draw, GameResult::Winner(Player::Bottom), GameResult::Winner(Player::Top)]
    {
        let totals = [[0, 0], [25, 23], [4_000_000_000, 9]];
        all.extend(totals.map(|totals| Notice::Totals(result, totals)));
    }
    for name in [name("A"), name("WWWWWWWW")] {
        all.extend([Notice::CannotLoad(name), Notice::CannotRead(name), Notice::NotDeleted(name)]);
        all.extend([FileKind::Game, FileKind::Log].map(|kind| Notice::Saved(kind, name)));
    }
    // A new notice does not compile here until it is added to the list above.
    for notice in &all {
        match notice {
            Notice::Demo | Notice::NoGames | Notice::CannotLoad(_) | Notice::Saved(..) => {}
            Notice::SaveFailed | Notice::TooLong | Notice::Declined(_) | Notice::NothingToUndo => {}
            Notice::ScoresReset | Notice::NotHere(_) | Notice::TouchMove(_) => {}
            Notice::GameOver | Notice::Totals(..) => {}
            Notice::ComputersTurn | Notice::NotInDemo | Notice::NoRoom { .. } => {}
            Notice::NotOver(_)
            | Notice::NothingToRedo
            | Notice::NoLogs
            | Notice::CannotRead(_)
            | Notice::Lost(_)
            | Notice::NotDeleted(_)
            | Notice::LostNotDeleted => {}
        }
    }
    all
}
