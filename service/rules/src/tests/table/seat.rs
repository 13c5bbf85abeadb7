//! Seats and their order.

use gamekeeper_rules::table::Seat;

fn numbers(seats: impl Iterator<Item = Seat>) -> Vec<u8> {
    seats.map(Seat::number).collect()
}

#[test]
fn seats_go_round_clockwise() {
    let third = Seat::new(3).unwrap();
    assert_eq!(numbers(third.clockwise(4)), [3, 4, 1, 2]);
    assert_eq!(numbers(third.others(4)), [4, 1, 2]);
    assert_eq!(third.next(3), Seat::FIRST);
    assert_eq!(numbers(Seat::all(2)), [1, 2]);
}

#[test]
fn only_real_seats_exist() {
    assert_eq!(Seat::new(0), None);
    assert_eq!(Seat::new(6), None);
    assert!(postcard::from_bytes::<Seat>(&[0]).is_err());
    assert_eq!(postcard::from_bytes::<Seat>(&[5]), Ok(Seat::at(4)));
}
