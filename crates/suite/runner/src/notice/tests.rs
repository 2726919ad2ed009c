//! Tests the notices of traces without a board. Nothing that the firmware can make fail causes a
//! notice.

use embedded_graphics::mono_font::ascii::FONT_6X10;
use hal_mock::VirtualBoard;
use ili9341_model::Region;
use reading::{
    golden::chain::{FrameHash, Link},
    text::Font,
};
use trace::parse;

use super::*;

fn reader() -> Reader {
    let letters: String = (' '..='~').collect();
    Reader::new(vec![Font::from_mono("6x10", &FONT_6X10, 1, &letters)])
}

fn trace(lines: &str) -> Trace {
    parse("a.trace", &format!("trace 1\n0ms power on\n{lines}\n")).unwrap()
}

/// Checks the notices of `lines`, which begin in line 3, without goldens.
#[track_caller]
fn check(lines: &str, expected: &[(Option<u32>, NoticeKind)]) {
    let goldens = Path::new("/there is no such folder");
    let notices = of_trace(&trace(lines), goldens, &reader(), Region::PANEL);
    let found =
        notices.into_iter().map(|notice| (notice.place.map(|place| place.line), notice.kind));
    assert_eq!(found.collect::<Vec<_>>(), expected, "{lines}");
}

#[test]
fn a_trace_that_expects_nothing_has_a_notice() {
    check("", &[(None, NoticeKind::ExpectsNothing)]);
    check("1s settle within 5s\n+0ms screenshot a", &[(None, NoticeKind::ExpectsNothing)]);
    for line in [
        "wait text \"READY\" within 5s",
        "wait console \"boot\" within 5s",
        "expect console \"boot\"",
        "expect heap none",
    ] {
        check(&format!("1s {line}"), &[]);
    }
}

#[test]
fn a_text_of_one_or_two_letters_has_a_notice_unless_it_has_a_region() {
    let short = |text: &str| NoticeKind::ShortText { text: text.to_owned() };
    check("1s expect text \"7\"", &[(Some(3), short("7"))]);
    check("1s expect text \"4 1\"", &[(Some(3), short("4 1"))]);
    check("1s wait text \"UP\" within 1s", &[(Some(3), short("UP"))]);
    check("1s expect console \"0\"", &[(Some(3), short("0"))]);
    check("1s wait console \"0\" within 1s", &[(Some(3), short("0"))]);
    check("1s expect flash \"0\"", &[(Some(3), short("0"))]);
    for line in ["expect text \"7\" in 0,0,20,20", "expect text \"DEL\"", "expect no text \"7\""] {
        check(&format!("1s {line}"), &[]);
    }
}

#[test]
fn a_frame_that_almost_any_picture_matches_has_a_notice() {
    let most = NoticeKind::ManyMayDiffer { allowed: 800, compared: 1_600 };
    check("1s expect frame a in 0,0,40,40 at most 800 pixels", &[(Some(3), most)]);
    check("1s expect frame a in 0,0,40,40 at most 799 pixels", &[]);
    let all = NoticeKind::ManyMayDiffer { allowed: 76_799, compared: 76_800 };
    check("1s expect frame a at most 76799 pixels", &[(Some(3), all)]);
    let few = NoticeKind::FewCompared { compared: 60, of: 76_800 };
    check("1s expect frame a ignore 0,0,320,239 ignore 0,239,260,1", &[(Some(3), few)]);
    check("1s expect frame a ignore 0,0,320,239 ignore 0,239,256,1", &[]);
    // A region that is small itself is small on purpose.
    check("1s expect frame a in 10,10,1,1", &[]);
    check("1s expect frame a in 10,10,5,5 ignore 12,12,1,1", &[]);
    // Half of the region is enough; less is not.
    check("1s expect frame a in 10,10,10,10 ignore 10,10,10,5", &[]);
    let few = NoticeKind::FewCompared { compared: 49, of: 100 };
    check("1s expect frame a in 10,10,10,10 ignore 10,10,10,5 ignore 10,15,1,1", &[(Some(3), few)]);
}

#[test]
fn a_text_that_can_never_be_there_has_a_notice() {
    let never = NoticeKind::NeverShown { character: 'é' };
    check("1s expect no text \"café\"", &[(Some(3), never)]);
    check("1s expect no text \"GAME  OVER\"", &[]);
    check("1s power off\n+1s expect no text \"A\"", &[]);
    // These lines fail.
    check("1s expect text \"café\"\n+0ms wait text \"café\" within 1s", &[]);
}

#[test]
fn an_empty_chain_has_a_notice_but_a_missing_one_has_not() {
    let folder = tempfile::tempdir().unwrap();
    Chain::default().save(&folder.path().join("none.frames")).unwrap();
    let region = Region { x: 0, y: 0, width: 1, height: 1 };
    let link = Link { at: Instant::START, hash: FrameHash(1), changed: 1, region };
    Chain::from(vec![link]).save(&folder.path().join("one.frames")).unwrap();
    let trace =
        trace("1s expect frames one\n+0ms expect settled frames none\n+0ms expect frames missing");
    let notices = of_trace(&trace, folder.path(), &reader(), Region::PANEL);
    let kinds = notices.iter().map(|notice| (notice.place.unwrap().line, &notice.kind));
    assert_eq!(kinds.collect::<Vec<_>>(), [(4, &NoticeKind::NoFrames { name: "none".into() })]);
}

/// Returns the notices of a replay of `lines` until 2 s in which `judged` expectations were judged.
fn replayed(lines: &str, judged: usize, notes: &[Violation], passed: bool) -> Vec<Notice> {
    let (trace, counter) = (trace(lines), JudgedLines::default());
    let board = VirtualBoard::new(hal_mock::BoardConfig::default());
    let judged_lines = trace.lines.iter().filter(|line| demands(&line.action)).take(judged);
    let input = trace.lines.iter().filter(|line| !demands(&line.action));
    for line in judged_lines.chain(input) {
        counter.clone().line_ended(line, Instant::from_secs(1), &board);
    }
    of_replay(&Replayed {
        panel: Region::PANEL,
        trace: &trace,
        goldens: Path::new("/there is no such folder"),
        reader: &reader(),
        until: Some(Instant::from_secs(2)),
        judged: &counter,
        lcd_notes: notes,
        misplaced: None,
        colours: Vec::new(),
        program: Vec::new(),
        passed,
    })
}

#[test]
fn a_replay_that_ends_before_all_expectations_has_a_notice() {
    let lines = "1s tap B3\n3s expect text \"ONE\"\n4s expect text \"TWO\"";
    let until = Instant::from_secs(2);
    let notices = replayed(lines, 0, &[], true);
    let [Notice { place: Some(place), kind }] = &notices[..] else { panic!("{notices:?}") };
    assert_eq!((place.line, kind), (4, &NoticeKind::EndedBefore { until }));
    assert_eq!(replayed(lines, 1, &[], true), []);
    assert_eq!(replayed(lines, 0, &[], false), [], "it fails anyway");
    let both = replayed("3s expect no text \"é\"", 0, &[], true);
    let kinds: Vec<_> = both.into_iter().map(|notice| notice.kind).collect();
    let never = NoticeKind::NeverShown { character: 'é' };
    assert_eq!(kinds, [NoticeKind::EndedBefore { until }, never], "what matters most comes first");
    let nothing = replayed("1s tap B3", 0, &[], true);
    assert_eq!(nothing, [Notice { place: None, kind: NoticeKind::ExpectsNothing }]);
}

#[test]
fn the_linter_causes_one_notice_per_rule() {
    let table = &ili9341_model::panel_tables::ILI9341;
    let at = Instant::from_millis;
    let note = |millis, rule| Violation { at: at(millis), bytes: vec![], rule, table };
    let notes = [
        note(1, Rule::Clock),
        note(1, Rule::DisplayOnUnwritten),
        note(2, Rule::MoreThanWindow),
        note(3, Rule::PixelsAsleep),
        note(4, Rule::MoreThanWindow),
    ];
    let notices = replayed("1s expect text \"ONE\"", 1, &notes, true);
    let kinds: Vec<_> = notices.into_iter().map(|notice| notice.kind).collect();
    let linter = |rule, millis, count| NoticeKind::Linter {
        rule,
        first: Instant::from_millis(millis),
        count,
    };
    assert_eq!(kinds, [linter(Rule::MoreThanWindow, 2, 2), linter(Rule::PixelsAsleep, 3, 1)]);
    let sentence = kinds[0].to_string();
    assert!(sentence.ends_with("first at 2 ms, 2 times in all"), "{sentence}");
}

#[test]
fn notices_are_bounded_and_counted() {
    let lines = "+1ms expect no text \"é\"\n".repeat(NOTICES_MAX + 5);
    let notices = of_trace(&trace(&lines), Path::new("/none"), &reader(), Region::PANEL);
    assert_eq!(notices.len(), NOTICES_MAX + 1);
    assert_eq!(notices[NOTICES_MAX].kind, NoticeKind::More(5));
    let lines = "+1ms expect no text \"é\"\n".repeat(NOTICES_MAX);
    let notices = of_trace(&trace(&lines), Path::new("/none"), &reader(), Region::PANEL);
    let more = notices.iter().any(|notice| matches!(notice.kind, NoticeKind::More(_)));
    assert!(notices.len() == NOTICES_MAX && !more, "{notices:?}");
}

#[test]
fn each_notice_is_a_sentence_with_the_next_step() {
    let until = Instant::from_secs(2);
    for kind in [
        NoticeKind::ExpectsNothing,
        NoticeKind::EndedBefore { until },
        NoticeKind::NoFrames { name: "a".into() },
        NoticeKind::ManyMayDiffer { allowed: 9, compared: 10 },
        NoticeKind::FewCompared { compared: 9, of: 1_000 },
        NoticeKind::NeverShown { character: 'é' },
    ] {
        let notice = Notice { place: None, kind }.to_string();
        assert!(notice.starts_with("notice: ") && !notice.ends_with('.'), "{notice}");
        assert!(notice.contains("; "), "{notice}");
    }
    let noted = |count| {
        let kind = NoticeKind::Linter { rule: Rule::PixelsAsleep, first: until, count };
        Notice { place: None, kind }.to_string()
    };
    assert!(noted(1).ends_with("; first at 2 s") && noted(2).ends_with(", 2 times in all"));
}
