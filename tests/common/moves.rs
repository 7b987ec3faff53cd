//! Moves in the engine's answers.

/// Reads `x,y` as the strictest manager does: two numbers, one comma, nothing else.
pub fn parse_move(line: &str) -> Option<(u32, u32)> {
    let number = |text: &str| -> Option<u32> {
        let is_plain = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        is_plain.then(|| text.parse().ok())?
    };
    let (x, y) = line.split_once(',')?;
    Some((number(x)?, number(y)?))
}
