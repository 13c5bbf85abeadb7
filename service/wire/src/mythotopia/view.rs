//! The rows of views that differ between rules and contract.

use super::pb;
use crate::mapping::message;

message! {
    [u8; 3] => pb::Tokens,
    |[ones, twos, threes]| { ones: *ones, twos: *twos, threes: *threes }
}
