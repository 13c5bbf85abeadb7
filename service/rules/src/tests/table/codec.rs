//! The encoding of what is stored.

use gamekeeper_rules::table::{DecodeError, decode, encode};

#[test]
fn values_survive_and_garbage_does_not() {
    let value = (7_u16, String::from("x"), [1_u8, 2]);
    let mut bytes = encode(&value);
    assert_eq!(decode::<(u16, String, [u8; 2])>(&bytes).unwrap(), value);
    bytes.push(0);
    assert!(matches!(
        decode::<(u16, String, [u8; 2])>(&bytes),
        Err(DecodeError::TooLong(1))
    ));
    assert!(matches!(
        decode::<(u16, String, [u8; 2])>(&bytes[..2]),
        Err(DecodeError::Malformed(_))
    ));
}
