//! Status codes in metrics and traces.

pub(super) use gamekeeper_proto::code_name as name;
use tonic::Code;

/// The number of codes.
pub(super) const CODES: usize = 17;

/// Returns the index of a code in a table.
pub(super) const fn index(code: Code) -> usize {
    // The codes of the protocol are 0 to 16.
    code as usize
}

/// Whether the server is to blame for this code. Errors of the caller are not errors in metrics and traces.
pub(super) const fn is_server_error(code: Code) -> bool {
    matches!(
        code,
        Code::Unknown
            | Code::DeadlineExceeded
            | Code::Unimplemented
            | Code::Internal
            | Code::Unavailable
            | Code::DataLoss
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_own_place_and_name() {
        let names: std::collections::BTreeSet<_> =
            (0..17).map(|code| name(Code::from_i32(code))).collect();
        assert_eq!(names.len(), CODES);
        assert!((0..17_u8).all(|code| index(Code::from_i32(code.into())) == usize::from(code)));
    }
}
