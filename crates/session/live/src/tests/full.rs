//! Recordings on a disk that is full for a time.

use super::*;

/// A disk that has room for this number of bytes.
#[derive(Clone, Default)]
struct Disk {
    room: Arc<Mutex<usize>>,
    paper: Paper,
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut room = self.room.lock().unwrap();
        *room = room.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
        self.paper.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl RecordingStore for Disk {
    fn keep(&mut self, _: &InputLog, _: usize) -> io::Result<PathBuf> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn rewind(&mut self, input_log: &InputLog) -> io::Result<Option<Sink>> {
        let text = unended(input_log, &[HeaderEntry::new("seed", "7")])?;
        let mut room = self.room.lock().unwrap();
        *room = room.checked_sub(text.len()).ok_or(io::ErrorKind::StorageFull)?;
        *self.paper.0.lock().unwrap() = text;
        Ok(Some(Box::new(self.clone())))
    }

    fn go_on(&mut self) -> io::Result<Option<(Sink, Vec<HeaderEntry>)>> {
        Ok(None)
    }
}

/// Returns a session that records on a disk with this room.
fn session_on(disk: &Disk, room: usize) -> Session {
    *disk.room.lock().unwrap() = room;
    let recording = Some((Box::new(disk.clone()) as Sink, vec![HeaderEntry::new("seed", "7")]));
    let machine = FakeMachine::boxed(7);
    let mut session = Session::start(machine, recording, Speed::REAL, ms(0)).unwrap();
    let recording_files = Box::new(disk.clone());
    let rewinding = Rewinding { reader: Reader::new(Vec::new()), recording_files };
    session.remember(Rc::new(|| Ok(FakeMachine::boxed(7))), rewinding);
    session
}

/// Presses five buttons, and returns whether the recording has failed then.
fn failed(session: &mut Session, from: u64) -> Option<String> {
    for (at, button) in some_buttons(5).into_iter().enumerate() {
        let wall = ms(from + 100 * at as u64);
        session.execute(wall, Command::Press(button));
        session.execute(wall + ms(50), Command::Release(button));
        session.advance(wall + ms(90));
    }
    session.take_update().unwrap().status.recording_failed
}

#[test]
fn a_recording_continues_when_there_is_room_again() {
    let disk = Disk::default();
    let mut session = session_on(&disk, 60);
    let why = failed(&mut session, 500).expect("the disk is full");
    assert_eq!(why, io::Error::from(io::ErrorKind::StorageFull).to_string());
    // The recording is written again every five seconds.
    session.advance(ms(4_000));
    *disk.room.lock().unwrap() = 100_000;
    session.advance(ms(12_000));
    session.advance(ms(12_100));
    assert_eq!(failed(&mut session, 13_000), None);
    let ended = session.finish(ms(14_000));
    assert!(ended.recording_error.is_none());
    let expected = [some_buttons(5), some_buttons(5)].concat();
    assert_eq!(presses(&check_replay(&disk.paper, &ended)), expected);
}

#[test]
fn a_recording_is_completed_at_the_end_if_there_is_room_by_then() {
    for room in [0, 100_000] {
        let disk = Disk::default();
        let mut session = session_on(&disk, 60);
        assert!(failed(&mut session, 500).is_some());
        *disk.room.lock().unwrap() = room;
        let ended = session.finish(ms(1_500));
        assert_eq!(ended.recording_error.is_some(), room == 0);
        if room > 0 {
            assert_eq!(presses(&check_replay(&disk.paper, &ended)), some_buttons(5));
        }
    }
}
