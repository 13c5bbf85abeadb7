//! A **pull parser** for encoded messages, field by field. The bytes come from this process, so an unreadable field
//! simply ends the message.

/// The value of a field.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'a> {
    /// A number, or one name of an enum.
    Number(u64),
    /// A message, a text, or a packed list of numbers.
    Bytes(&'a [u8]),
}

/// The fields of a message, in the order of its bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a>(pub(crate) &'a [u8]);

impl<'a> Iterator for Fields<'a> {
    type Item = (usize, Value<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let key = varint(&mut self.0)?;
        let number = usize::try_from(key >> 3).ok()?;
        let value = match key & 7 {
            0 => Value::Number(varint(&mut self.0)?),
            2 => {
                let length = usize::try_from(varint(&mut self.0)?).ok()?;
                let (value, rest) = self.0.split_at_checked(length)?;
                self.0 = rest;
                Value::Bytes(value)
            }
            // The contract has no fixed-width numbers and no groups.
            _ => return None,
        };
        Some((number, value))
    }
}

/// The numbers of a packed list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packed<'a>(pub(crate) &'a [u8]);

impl Iterator for Packed<'_> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        varint(&mut self.0)
    }
}

/// Returns the last value of a field, which counts if a field occurs several times.
pub(crate) fn field(message: &[u8], wanted: usize) -> Option<Value<'_>> {
    let values = Fields(message).filter(|(number, _)| *number == wanted);
    values.map(|(_, value)| value).last()
}

#[inline]
fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let (&first, rest) = bytes.split_first()?;
    if first < 0x80 {
        *bytes = rest;
        return Some(first.into());
    }
    long_varint(bytes)
}

/// Reads a varint of any length. Out of line, so that short varints, which are nearly all, are read inline.
#[cold]
fn long_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for (shift, byte) in (0..70).step_by(7).zip(bytes.iter().copied()) {
        value |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            let read = usize::try_from(shift / 7 + 1).ok()?;
            *bytes = bytes.get(read..)?;
            return Some(value);
        }
    }
    None
}

/// The encoding of a number in a varint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    /// Unsigned.
    Unsigned,
    /// Signed, in two's complement.
    Signed,
    /// Signed, in zigzag.
    Zigzag,
}

impl Coding {
    /// Decodes the number from its varint.
    #[inline]
    pub(crate) fn read(self, sent: u64) -> i64 {
        match self {
            Self::Unsigned => i64::try_from(sent).unwrap_or(i64::MAX),
            Self::Signed => sent.cast_signed(),
            Self::Zigzag => (sent >> 1).cast_signed() ^ -(sent & 1).cast_signed(),
        }
    }
}
