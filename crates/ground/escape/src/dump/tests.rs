use std::io::BufReader;

use super::*;

/// Checks the mended text, read in parts of any length, up to the number of blanks, and returns what was mended.
#[track_caller]
fn check(file: &[u8], expected: &str) -> String {
    let mut oddities = String::new();
    for length in [1, 2, 7, 4096] {
        let mut text = String::new();
        let mut mended = Mended::new(BufReader::with_capacity(length, file));
        mended.read_to_string(&mut text).unwrap();
        let text: Vec<_> = text
            .lines()
            .map(|it| it.split(' ').filter(|it| !it.is_empty()))
            .map(|it| it.collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(text.join("\n"), expected.trim_end(), "in parts of {length} bytes");
        oddities = mended.oddities().to_string();
    }
    oddities
}

#[test]
fn a_dump_of_the_standard_is_unchanged() {
    let file = "$date now $end\n$scope module top $end\n$var wire 1 $ D3 $end\n\
                $var reg 8 $! D4 [7:0] $end\n$upscope $end\n$enddefinitions $end\n\
                #0\n$dumpvars\n1$\nb1zx0 $!\nr-1.5e3 L\n$end\n#10\nb0 $end\n1 U\n$comment x $end\n0$\n";
    assert_eq!(check(file.as_bytes(), file), "");
}

#[test]
fn unknown_types_and_sections_are_replaced() {
    let oddities = check(
        b"$attrbegin misc 02 x 1 $end\n$scope generate g $end\n$var logic 1 ! D3 $end\n",
        "\n$scope module g $end\n$var wire 1 ! D3 $end\n",
    );
    assert_eq!(
        oddities,
        "line 1 has an unknown section, left out; 2 more oddities are in other places"
    );
}

#[test]
fn a_lone_end_another_encoding_and_a_missing_line_end_are_no_errors() {
    let file = b"$date f\xE9v. $end\n$enddefinitions $end\n#0\n1!\n$end\n0!";
    let oddities = check(file, "$date f\u{E9}v. $end\n$enddefinitions $end\n#0\n1!\n\n0! ");
    assert_eq!(
        oddities,
        "line 1 has bytes that are not UTF-8, read as Latin-1; 2 more oddities are in other places"
    );
    check(b"\xEF\xBB\xBF#1\n", "#1\n");
}

#[test]
fn names_with_blanks_are_one_word() {
    check(
        b"$var wire 1 ! my wire $end $var wire 8 ! a b [ 7 : 0 ] $end $var wire 1 ! c [x $end\n",
        "$var wire 1 ! my\u{A0}wire $end $var wire 8 ! a\u{A0}b [7:0] $end \
         $var wire 1 ! c\u{A0}[x $end\n",
    );
    assert_eq!(name("my\u{A0}wire"), "my wire");
}

#[test]
fn levels_of_vhdl_and_broken_reals_become_those_of_verilog() {
    let oddities = check(
        b"$enddefinitions $end\nU!\n-h\nH!\nL U\nb1UH-L h\nrnone -\nr1.2345678901234567890123456789012345 !\n",
        "$enddefinitions $end\nx!\nxh\n1!\n0 U\nb1x1x0 h\nr0 -\nr0 !\n",
    );
    assert_eq!(
        oddities,
        "line 2 has a value that is none of Verilog's, read as x, 0 or 1; 5 more oddities are in other places"
    );
}

#[test]
fn a_token_that_is_too_long_is_passed_on() {
    let long = "x".repeat(9_000);
    let file = format!("$enddefinitions $end\nb{long} U\n0!\n{long}\n");
    check(file.as_bytes(), &file);
    let file = format!("$var wire 1 ! {long} $end\n");
    let mut text = String::new();
    Mended::new(file.as_bytes()).read_to_string(&mut text).unwrap();
    assert!(text.contains(&long));
}
