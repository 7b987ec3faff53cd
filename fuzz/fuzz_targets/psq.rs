//! Piskvork's records. A record that was read is written and read as the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tengen::streams::on_one_line;
use tengen_fuzz::record::of_match;
use tengen_fuzz::sound;
use tengen_games::records::psq::read;
use tengen_tools::arena::record::psq;

fuzz_target!(|text: &str| {
    let Ok(game) = read(text, &mut Vec::new()) else {
        return;
    };
    // Behind the moves such a name would be one that is cut off.
    let is_like_a_move = |name: &&String| {
        let number = name.split_once(',').map(|(number, _)| number.trim());
        number.is_some_and(|number| number.parse::<i64>().is_ok())
    };
    if [&game.black, &game.white].iter().any(is_like_a_move) {
        return;
    }
    let of_match = of_match(&game).expect("sides take turns on an empty board");
    let again = sound(read(&psq::write(&of_match), &mut Vec::new()), "a record");
    assert_eq!(again.moves, game.moves);
    // A control character is written as its escape.
    let names = [&game.black, &game.white].map(|name| on_one_line(name));
    assert_eq!([again.black, again.white], names);
});
