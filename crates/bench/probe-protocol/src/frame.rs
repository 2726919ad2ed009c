//! The format of a frame on the line.
//!
//! ```text
//! kind u8 · session u32 · number u16 · awaited u16 · payload · CRC-32 (ISO-HDLC) of all before
//! ```
//!
//! Numbers are little-endian. The whole frame is encoded with COBS, so that it contains no zero,
//! and is sent between two zeros. Bytes that are not a valid frame (noise, half a frame after a
//! reconnection) are dropped at the next zero.

use crc::{CRC_32_ISO_HDLC, Crc};

/// Largest payload of a frame, in bytes.
pub const PAYLOAD: usize = 480;
/// Largest size of a message's bursts in bytes: a payload less the message's header.
pub const PACKED: usize = 448;
/// Size of the header in bytes: kind, session, number, awaited number.
pub const HEADER: usize = 9;
const CHECK: usize = 4;
/// Largest size of a frame before COBS, in bytes.
pub const PLAIN: usize = HEADER + PAYLOAD + CHECK;
/// Largest size of a frame on the line, in bytes: COBS adds one byte per 254 plus one, and there
/// are two zeros.
pub const ON_LINE: usize = PLAIN + PLAIN.div_ceil(254) + 2;

static CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// Session that a frame belongs to: a number that the host chooses at random.
pub type SessionId = u32;

/// Kind of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A numbered frame with messages.
    Data,
    /// Reports the awaited number, and that the sender is alive.
    Acknowledge,
    /// As [`Kind::Acknowledge`], and requests that frames be sent again from the awaited number.
    Again,
    /// [`Control::Hello`].
    Hello,
    /// [`Control::Welcome`].
    Welcome,
    /// [`Control::Busy`].
    Busy,
    /// [`Control::Bye`].
    Bye,
}

const KINDS: [Kind; 7] =
    [Kind::Data, Kind::Acknowledge, Kind::Again, Kind::Hello, Kind::Welcome, Kind::Busy, Kind::Bye];

/// Frames without a number, which open and close a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// The host opens a session. Its payload begins with [`MAGIC`] and the protocol's version.
    Hello,
    /// The probe's answer: [`MAGIC`], the protocol's version, and, if it is the host's, a
    /// [`Welcome`](crate::Welcome).
    Welcome,
    /// The probe is in use by another host.
    Busy,
    /// The host closes its session: the probe releases every button.
    Bye,
}

impl Control {
    pub(crate) const fn kind(self) -> Kind {
        match self {
            Self::Hello => Kind::Hello,
            Self::Welcome => Kind::Welcome,
            Self::Busy => Kind::Busy,
            Self::Bye => Kind::Bye,
        }
    }
}

/// First bytes of a greeting, in both directions.
pub const MAGIC: [u8; 8] = *b"nudgeprb";

/// Header of a frame, before the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    pub kind: Kind,
    pub session: SessionId,
    /// Number of the frame, if it has messages.
    pub number: u16,
    /// Number that the sender awaits.
    pub awaited: u16,
}

/// The error for bytes between two zeros that are not a valid frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAFrame;

/// Writes a frame with its zeros into `line` and returns its length. A payload longer than
/// [`PAYLOAD`] is truncated; no caller in this crate passes one.
pub fn write(header: Header, payload: &[u8], line: &mut [u8; ON_LINE]) -> usize {
    let payload = payload.get(..PAYLOAD).unwrap_or(payload);
    let mut plain = [0; PLAIN];
    plain[0] = KINDS.iter().position(|kind| *kind == header.kind).unwrap_or(0) as u8;
    plain[1..5].copy_from_slice(&header.session.to_le_bytes());
    plain[5..7].copy_from_slice(&header.number.to_le_bytes());
    plain[7..9].copy_from_slice(&header.awaited.to_le_bytes());
    let end = HEADER + payload.len();
    plain[HEADER..end].copy_from_slice(payload);
    let check = CRC.checksum(&plain[..end]);
    plain[end..end + CHECK].copy_from_slice(&check.to_le_bytes());
    line[0] = 0;
    let length = cobs::try_encode(&plain[..end + CHECK], &mut line[1..ON_LINE - 1]).unwrap_or(0);
    line[length + 1] = 0;
    length + 2
}

/// Decodes, in place, the bytes between two zeros.
///
/// # Errors
/// Returns an error if a byte of the frame was lost, doubled or changed.
pub fn read(bytes: &mut [u8]) -> Result<(Header, &[u8]), NotAFrame> {
    let length = cobs::decode_in_place(bytes).map_err(|_| NotAFrame)?;
    let end = length.checked_sub(CHECK).ok_or(NotAFrame)?;
    let (plain, check) = bytes.get(..length).ok_or(NotAFrame)?.split_at(end);
    let (header, payload) = plain.split_at_checked(HEADER).ok_or(NotAFrame)?;
    let (Ok(check), Ok(header)) = (check.try_into(), <[u8; HEADER]>::try_from(header)) else {
        return Err(NotAFrame);
    };
    if CRC.checksum(plain) != u32::from_le_bytes(check) || payload.len() > PAYLOAD {
        return Err(NotAFrame);
    }
    let [kind, s0, s1, s2, s3, n0, n1, a0, a1] = header;
    let header = Header {
        kind: *KINDS.get(usize::from(kind)).ok_or(NotAFrame)?,
        session: u32::from_le_bytes([s0, s1, s2, s3]),
        number: u16::from_le_bytes([n0, n1]),
        awaited: u16::from_le_bytes([a0, a1]),
    };
    Ok((header, payload))
}
