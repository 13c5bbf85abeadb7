//! The rows of views that differ between rules and contract.

use super::pb;
use crate::rows::message;

message! {
    [u8; 3] => pb::Tokens,
    |[ones, twos, threes]| { ones: *ones, twos: *twos, threes: *threes }
}
