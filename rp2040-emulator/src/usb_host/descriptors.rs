//! Descriptors, by which a device describes itself (USB 2.0 section 9.6, CDC 1.2 section 5.2),
//! checked against their lengths and against each other.
//!
//! A real host mends most contradictions of a configuration and uses what is left. This one mends
//! those that Linux mends (drivers/usb/core/config.c), each with a warning.

use std::collections::HashSet;

const DEVICE: u8 = 1;
const CONFIGURATION: u8 = 2;
const STRING: u8 = 3;
const INTERFACE: u8 = 4;
const ENDPOINT: u8 = 5;
/// Descriptor type of a communications class.
const CS_INTERFACE: u8 = 0x24;
/// Type of the functional descriptor that joins interfaces, CDC 1.2 section 5.2.3.2.
const UNION: u8 = 6;

const CLASS_COMMUNICATIONS: u8 = 2;
const CLASS_HID: u8 = 3;
const CLASS_CDC_DATA: u8 = 0x0A;
const SUBCLASS_ACM: u8 = 2;

const DEVICE_LENGTH: usize = 18;
const CONFIGURATION_LENGTH: usize = 9;
const INTERFACE_LENGTH: usize = 9;
const ENDPOINT_LENGTH: usize = 7;

/// Largest packets of a full-speed bus, USB 2.0 sections 5.5 to 5.8.
const MOST_PACKET: u16 = 64;
const MOST_ISOCHRONOUS: u16 = 1023;
/// Interval that a host uses instead of 0, as Linux does.
const DEFAULT_INTERVAL_MS: u8 = 10;

/// An error in a descriptor. The message is a clause without a full stop.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DescriptorError {
    /// The answer is shorter than the descriptor.
    #[error("the {what} descriptor has {found} bytes, not {wanted}")]
    Short {
        /// Name of the descriptor.
        what: &'static str,
        /// Number of bytes found.
        found: usize,
        /// Number of bytes required.
        wanted: usize,
    },
    /// The descriptor has another type than requested.
    #[error("the {what} descriptor has type {found}, not {wanted}")]
    Type {
        /// Name of the descriptor.
        what: &'static str,
        /// The bDescriptorType found.
        found: u8,
        /// The bDescriptorType required.
        wanted: u8,
    },
    /// bMaxPacketSize0 is invalid.
    #[error("endpoint 0 has packets of {0} bytes, not of 8, 16, 32 or 64")]
    MaxPacket0(u8),
    /// bNumConfigurations is 0.
    #[error("the device has no configuration")]
    NoConfiguration,
    /// A bLength is 0 or 1, or reaches beyond the end.
    #[error("the descriptor at byte {at} of the configuration has {length} bytes of {left}")]
    Length {
        /// Offset of the descriptor.
        at: usize,
        /// bLength.
        length: u8,
        /// Number of bytes up to the end.
        left: usize,
    },
    /// An endpoint comes before any interface.
    #[error("the endpoint at byte {0} of the configuration belongs to no interface")]
    NoInterface(usize),
    /// There are more or fewer interfaces than bNumInterfaces.
    #[error("the configuration has {found} interfaces and says {said}")]
    Interfaces {
        /// Number of different bInterfaceNumbers.
        found: usize,
        /// bNumInterfaces.
        said: u8,
    },
    /// There are more or fewer endpoints than bNumEndpoints.
    #[error("interface {interface} has {found} endpoints and says {said}")]
    Endpoints {
        /// bInterfaceNumber.
        interface: u8,
        /// Number of endpoint descriptors.
        found: usize,
        /// bNumEndpoints.
        said: u8,
    },
    /// An endpoint has number 0, or two have the same address.
    #[error("interface {interface} cannot have endpoint 0x{address:02x}")]
    Address {
        /// bInterfaceNumber.
        interface: u8,
        /// bEndpointAddress.
        address: u8,
    },
    /// A wMaxPacketSize is invalid.
    #[error("endpoint 0x{address:02x} has packets of {size} bytes")]
    MaxPacket {
        /// bEndpointAddress.
        address: u8,
        /// wMaxPacketSize.
        size: u16,
    },
    /// The data interface of a CDC-ACM function is missing or has no pair of bulk endpoints.
    #[error("the serial port of interface {0} has no data interface with two bulk endpoints")]
    NoData(u8),
    /// A descriptor is too short for its type.
    #[error("the {what} descriptor at byte {at} of the configuration has {length} bytes")]
    Cut {
        /// Name of the descriptor.
        what: &'static str,
        /// Offset of the descriptor.
        at: usize,
        /// bLength.
        length: u8,
    },
    /// An interface has an alternate setting twice.
    #[error("interface {interface} has setting {alternate} twice")]
    Alternate {
        /// bInterfaceNumber.
        interface: u8,
        /// bAlternateSetting.
        alternate: u8,
    },
    /// The bInterval of an interrupt endpoint is 0.
    #[error("endpoint 0x{0:02x} is polled every 0 ms")]
    Interval(u8),
    /// Two serial ports have the same endpoint.
    #[error("two serial ports share endpoint 0x{0:02x}")]
    Shared(u8),
}

/// The device descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceDescriptor {
    /// Class, subclass, protocol.
    pub class: [u8; 3],
    /// Size of a packet of endpoint 0 in bytes.
    pub max_packet: u16,
    /// idVendor.
    pub vendor: u16,
    /// idProduct.
    pub product: u16,
    /// bcdDevice.
    pub release: u16,
    /// Numbers of the strings for manufacturer, product and serial number; 0 for none.
    pub strings: [u8; 3],
}

/// Transfer type of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransferType {
    /// Control, other than endpoint 0.
    Control,
    /// Isochronous.
    Isochronous,
    /// Bulk.
    Bulk,
    /// Interrupt, polled at its interval.
    Interrupt,
}

/// An endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// bEndpointAddress: bit 7 is set for data to the host.
    pub address: u8,
    /// Transfer type.
    pub kind: TransferType,
    /// Size of a packet in bytes.
    pub max_packet: u16,
    /// bInterval, in milliseconds.
    pub interval: u8,
}

impl Endpoint {
    /// Returns whether the data goes to the host.
    pub fn reads(&self) -> bool {
        self.address & 0x80 != 0
    }
}

/// An interface, or an alternate setting of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// bInterfaceNumber.
    pub number: u8,
    /// bAlternateSetting.
    pub alternate: u8,
    /// Class, subclass, protocol.
    pub class: [u8; 3],
    /// Endpoints of the interface.
    pub endpoints: Vec<Endpoint>,
    /// Interfaces that a union functional descriptor names.
    joined: Vec<u8>,
}

impl Interface {
    fn endpoint(&self, kind: TransferType, reads: bool) -> Option<Endpoint> {
        self.endpoints.iter().copied().find(|it| it.kind == kind && it.reads() == reads)
    }
}

/// A configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Configuration {
    /// bConfigurationValue.
    pub value: u8,
    /// Interfaces and their alternate settings.
    pub interfaces: Vec<Interface>,
    /// Errors that a real host mends: by leaving a descriptor out, or by another value.
    pub warnings: Vec<DescriptorError>,
}

/// A serial port: a CDC function of the abstract control model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SerialFunction {
    /// Number of the communications interface, which receives the requests.
    pub control: u8,
    /// Endpoint for notifications.
    pub notifications: Option<Endpoint>,
    /// Endpoint for data to the host.
    pub input: Endpoint,
    /// Endpoint for data to the device.
    pub output: Endpoint,
}

/// A human interface device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HidFunction {
    /// Number of the interface.
    pub interface: u8,
    /// Endpoint for reports to the host.
    pub input: Endpoint,
    /// Endpoint for reports to the device, if there is one.
    pub output: Option<Endpoint>,
}

fn checked<'a>(
    bytes: &'a [u8],
    what: &'static str,
    wanted: usize,
    kind: u8,
) -> Result<&'a [u8], DescriptorError> {
    match bytes {
        [_, found, ..] if *found != kind => {
            Err(DescriptorError::Type { what, found: *found, wanted: kind })
        }
        [length, _, ..] if bytes.len() < wanted || usize::from(*length) < wanted => {
            let found = bytes.len().min((*length).into());
            Err(DescriptorError::Short { what, found, wanted })
        }
        [_, _, ..] => Ok(bytes),
        _ => Err(DescriptorError::Short { what, found: bytes.len(), wanted }),
    }
}

fn word(bytes: &[u8], at: usize) -> u16 {
    let byte = |at: usize| bytes.get(at).copied().unwrap_or_default();
    u16::from_le_bytes([byte(at), byte(at + 1)])
}

/// Returns bMaxPacketSize0 of the first eight bytes of a device descriptor.
///
/// # Errors
/// Returns an error for another descriptor, a short one, or a size that no full-speed device has.
pub fn first_max_packet(bytes: &[u8]) -> Result<u16, DescriptorError> {
    let wanted = 8;
    let bytes = checked(bytes, "device", wanted, DEVICE)?;
    match bytes[7] {
        size @ (8 | 16 | 32 | 64) => Ok(size.into()),
        size => Err(DescriptorError::MaxPacket0(size)),
    }
}

impl DeviceDescriptor {
    /// Parses a device descriptor.
    ///
    /// # Errors
    /// Returns an error for another descriptor, a short one, or values that no device can have.
    pub fn parse(bytes: &[u8]) -> Result<Self, DescriptorError> {
        let bytes = checked(bytes, "device", DEVICE_LENGTH, DEVICE)?;
        let max_packet = first_max_packet(bytes)?;
        if bytes[17] == 0 {
            return Err(DescriptorError::NoConfiguration);
        }
        Ok(Self {
            class: [bytes[4], bytes[5], bytes[6]],
            max_packet,
            vendor: word(bytes, 8),
            product: word(bytes, 10),
            release: word(bytes, 12),
            strings: [bytes[14], bytes[15], bytes[16]],
        })
    }
}

/// Returns wTotalLength of a configuration descriptor.
///
/// # Errors
/// Returns an error for another descriptor, or a short one.
pub fn total_length(bytes: &[u8]) -> Result<u16, DescriptorError> {
    let bytes = checked(bytes, "configuration", CONFIGURATION_LENGTH, CONFIGURATION)?;
    match word(bytes, 2) {
        total if usize::from(total) < CONFIGURATION_LENGTH => Err(DescriptorError::Short {
            what: "configuration",
            found: total.into(),
            wanted: CONFIGURATION_LENGTH,
        }),
        total => Ok(total),
    }
}

impl Configuration {
    /// Parses a configuration descriptor with all descriptors that follow it. What a real host
    /// mends is a warning.
    ///
    /// # Errors
    /// Returns an error for another descriptor, or a short one.
    pub fn parse(bytes: &[u8]) -> Result<Self, DescriptorError> {
        let wanted = usize::from(total_length(bytes)?);
        let mut warnings = vec![];
        if bytes.len() < wanted {
            let found = bytes.len();
            warnings.push(DescriptorError::Short { what: "configuration", found, wanted });
        }
        let total = wanted.min(bytes.len());
        let (value, said) = (bytes[5], bytes[4]);
        // The interfaces, with bNumEndpoints and the number of endpoint descriptors.
        let mut interfaces: Vec<(Interface, u8, usize)> = vec![];
        // Whether endpoints belong to the last interface, or to one that is left out.
        let mut is_used = true;
        let mut at = 0;
        while at < total {
            let left = total - at;
            let length = bytes[at];
            if length < 2 || usize::from(length) > left {
                warnings.push(DescriptorError::Length { at, length, left });
                break;
            }
            let descriptor = &bytes[at..at + usize::from(length)];
            match (descriptor[1], interfaces.last_mut()) {
                (INTERFACE, _) if descriptor.len() < INTERFACE_LENGTH => {
                    is_used = false;
                    warnings.push(DescriptorError::Cut { what: "interface", at, length });
                }
                (INTERFACE, _) => {
                    let d = descriptor;
                    let (number, alternate) = (d[2], d[3]);
                    is_used = !interfaces
                        .iter()
                        .any(|(it, ..)| (it.number, it.alternate) == (number, alternate));
                    if is_used {
                        let class = [d[5], d[6], d[7]];
                        let (endpoints, joined) = (vec![], vec![]);
                        let interface = Interface { number, alternate, class, endpoints, joined };
                        interfaces.push((interface, d[4], 0));
                    } else {
                        let interface = number;
                        warnings.push(DescriptorError::Alternate { interface, alternate });
                    }
                }
                (ENDPOINT, None) => warnings.push(DescriptorError::NoInterface(at)),
                (ENDPOINT, Some(_)) if !is_used => {}
                (ENDPOINT, Some((interface, said, found))) => {
                    *found += 1;
                    if interface.endpoints.len() < usize::from(*said) {
                        let (number, alternate) = (interface.number, interface.alternate);
                        let place = EndpointPlace { at, number, alternate };
                        let endpoint = endpoint(descriptor, &place, &interfaces, &mut warnings);
                        if let (Some(endpoint), Some((interface, ..))) =
                            (endpoint, interfaces.last_mut())
                        {
                            interface.endpoints.push(endpoint);
                        }
                    }
                }
                (CS_INTERFACE, Some((interface, ..)))
                    if interface.class[0] == CLASS_COMMUNICATIONS
                        && descriptor.get(2) == Some(&UNION) =>
                {
                    interface.joined.extend(descriptor.iter().skip(4));
                }
                _ => {}
            }
            at += usize::from(length);
        }
        for (interface, said, found) in &interfaces {
            let (interface, said, found) = (interface.number, *said, *found);
            if found != usize::from(said) {
                warnings.push(DescriptorError::Endpoints { interface, found, said });
            }
        }
        let interfaces: Vec<Interface> = interfaces.into_iter().map(|(it, ..)| it).collect();
        let found = interfaces.iter().map(|it| it.number).collect::<HashSet<_>>().len();
        if found != usize::from(said) {
            warnings.push(DescriptorError::Interfaces { found, said });
        }
        let mut configuration = Self { value, interfaces, warnings };
        let (_, broken) = configuration.serial_ports();
        configuration.warnings.extend(broken);
        Ok(configuration)
    }

    /// Returns the first setting of an interface.
    fn interface(&self, number: u8) -> Option<&Interface> {
        self.interfaces.iter().find(|it| it.number == number && it.alternate == 0)
    }

    /// Returns the serial ports, in the order of their interfaces, without those that no driver
    /// takes.
    pub fn serial_functions(&self) -> Vec<SerialFunction> {
        self.serial_ports().0
    }

    /// Returns the serial ports, and the errors of those that are none.
    fn serial_ports(&self) -> (Vec<SerialFunction>, Vec<DescriptorError>) {
        let acm = |it: &&Interface| {
            it.class[..2] == [CLASS_COMMUNICATIONS, SUBCLASS_ACM] && it.alternate == 0
        };
        let (mut found, mut errors): (Vec<SerialFunction>, _) = (vec![], vec![]);
        for control in self.interfaces.iter().filter(acm) {
            // Without a union the data interface follows.
            let next = [control.number.wrapping_add(1)];
            let joined = if control.joined.is_empty() { &next[..] } else { &control.joined };
            let data = joined
                .iter()
                .flat_map(|number| self.interfaces.iter().filter(|it| it.number == *number))
                .filter(|it| it.class[0] == CLASS_CDC_DATA && it.alternate == 0);
            let ends = |it: &Interface| {
                let bulk = TransferType::Bulk;
                Some((it.endpoint(bulk, true)?, it.endpoint(bulk, false)?))
            };
            let Some((input, output)) = data.filter_map(ends).next() else {
                errors.push(DescriptorError::NoData(control.number));
                continue;
            };
            if found.iter().any(|it| it.input.address == input.address) {
                errors.push(DescriptorError::Shared(input.address));
                continue;
            }
            let notifications = control.endpoint(TransferType::Interrupt, true);
            found.push(SerialFunction { control: control.number, notifications, input, output });
        }
        (found, errors)
    }

    /// Returns the human interface devices, in the order of their interfaces.
    pub fn hid_functions(&self) -> Vec<HidFunction> {
        let hid = |it: &&Interface| it.class[0] == CLASS_HID && it.alternate == 0;
        let function = |it: &Interface| {
            let input = it.endpoint(TransferType::Interrupt, true)?;
            let output = it.endpoint(TransferType::Interrupt, false);
            Some(HidFunction { interface: it.number, input, output })
        };
        self.interfaces.iter().filter(hid).filter_map(function).collect()
    }

    /// Returns the endpoint `address` of the first settings.
    pub fn endpoint(&self, address: u8) -> Option<Endpoint> {
        let numbers = self.interfaces.iter().map(|it| it.number);
        let first = numbers.filter_map(|number| self.interface(number));
        first.flat_map(|it| &it.endpoints).copied().find(|it| it.address == address)
    }
}

/// Place of an endpoint descriptor.
struct EndpointPlace {
    /// Offset in the configuration.
    at: usize,
    /// bInterfaceNumber.
    number: u8,
    /// bAlternateSetting.
    alternate: u8,
}

/// Reads an endpoint, unless it is one that a real host leaves out.
fn endpoint(
    d: &[u8],
    place: &EndpointPlace,
    interfaces: &[(Interface, u8, usize)],
    warnings: &mut Vec<DescriptorError>,
) -> Option<Endpoint> {
    let EndpointPlace { at, number, alternate } = *place;
    if d.len() < ENDPOINT_LENGTH {
        warnings.push(DescriptorError::Cut { what: "endpoint", at, length: d[0] });
        return None;
    }
    let address = d[2] & 0x8F;
    // Other settings of the same interface may have the same endpoints.
    let is_taken = interfaces
        .iter()
        .filter(|(it, ..)| it.number != number || it.alternate == alternate)
        .any(|(it, ..)| it.endpoints.iter().any(|it| it.address == address));
    if d[2] & 0x70 != 0 || address & 0xF == 0 || is_taken {
        warnings.push(DescriptorError::Address { interface: number, address: d[2] });
        return None;
    }
    let kind = match d[3] & 3 {
        0 => TransferType::Control,
        1 => TransferType::Isochronous,
        2 => TransferType::Bulk,
        _ => TransferType::Interrupt,
    };
    let size = word(d, 4);
    let most = match kind {
        TransferType::Isochronous => MOST_ISOCHRONOUS,
        _ => MOST_PACKET,
    };
    let is_empty = size == 0 && kind != TransferType::Isochronous;
    if size > most || is_empty {
        warnings.push(DescriptorError::MaxPacket { address: d[2], size });
    }
    // An endpoint without room for a byte carries none.
    if is_empty {
        return None;
    }
    let interval = match (kind, d[6]) {
        (TransferType::Interrupt, 0) => {
            warnings.push(DescriptorError::Interval(d[2]));
            DEFAULT_INTERVAL_MS
        }
        (_, interval) => interval,
    };
    Some(Endpoint { address, kind, max_packet: size.min(most), interval })
}

/// Returns the text of a string descriptor; `None` if it is not one. Halves of surrogate pairs
/// become U+FFFD.
pub fn text(bytes: &[u8]) -> Option<String> {
    let length = usize::from(*bytes.first()?).min(bytes.len());
    let units = bytes.get(2..length).filter(|_| bytes.get(1) == Some(&STRING))?;
    let units: Vec<u16> = units.chunks_exact(2).map(|unit| word(unit, 0)).collect();
    Some(String::from_utf16_lossy(&units))
}

/// Returns the first language of string descriptor 0.
pub fn language(bytes: &[u8]) -> Option<u16> {
    (bytes.len() >= 4 && bytes[1] == STRING).then(|| word(bytes, 2))
}
