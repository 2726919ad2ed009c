use super::*;

mod stepped;

#[test]
fn runs_are_added_by_function_and_caller() {
    let mut sum = Profile::of(&[(0, "main", 1), (2, "draw", 10)]);
    sum.add(&Profile::of(&[(0, "boot", 5), (0, "main", 2), (3, "draw", 20), (1, "draw", 100)]));
    let expected = [
        (None, "core 0", 0, 0),
        (None, "core 1", 0, 0),
        (Some(0), "main", 3, 2),
        (Some(2), "draw", 30, 2),
        (Some(0), "boot", 5, 1),
        (Some(1), "draw", 100, 1),
    ];
    let expected = expected.map(|(parent, name, cycles, calls)| Node {
        parent,
        name: name.into(),
        cycles,
        calls,
    });
    assert_eq!(sum.nodes(), expected);
    assert_eq!(sum.inclusive()[..2], [38, 100]);
}
