//! Values of options, and their errors as one line.

use tengen::rules::Rule;

/// A rule with weights of its own in the classical evaluation.
pub fn trained_rule(text: &str) -> Result<Rule, String> {
    let lender = match text.parse() {
        Ok(rule @ (Rule::Freestyle | Rule::Standard | Rule::Renju)) => return Ok(rule),
        Ok(Rule::Caro) => Rule::Freestyle,
        Ok(Rule::CaroExact) => Rule::Standard,
        Err(_) => return Err("not one of freestyle, standard, renju".to_string()),
    };
    Err(format!(
        "{text} has no weights of its own; it is evaluated by those of {lender}"
    ))
}

/// A weight from 0 to 1.
pub fn unit_interval(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("not a number from 0 to 1".to_string()),
    }
}

/// A number of at least 0.
pub fn not_negative(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(value) if value >= 0.0 && value.is_finite() => Ok(value),
        _ => Err("not a number of at least 0".to_string()),
    }
}

/// A whole number of at least 1.
pub fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(value) if value > 0 => Ok(value),
        _ => Err("not a whole number of at least 1".to_string()),
    }
}

/// The error in the arguments, without the usage text that clap adds.
pub fn one_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    words.join(" ").trim_start_matches("error: ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Arguments;
    use clap::Parser;

    #[test]
    fn bad_values_are_refused_with_one_line() {
        for wrong in [
            ["--result-weight", "1.5", "not a number"],
            ["--rate", "-1", "not a number"],
            ["--prior", "nan", "not a number"],
            ["--epochs", "0", "not a whole number of at least 1"],
            ["--max-games", "0", "not a whole number of at least 1"],
        ] {
            let [name, value, why] = wrong;
            let joined = format!("{name}={value}");
            let error = Arguments::try_parse_from(["t", "games", &joined]).err();
            let line = one_line(&error.expect("the value is refused"));
            assert!(line.contains(name) && line.contains(why), "{line}");
        }
        for (rule, other) in [("caro", "freestyle"), ("caro9", "standard")] {
            let joined = format!("--rules={rule}");
            let error = Arguments::try_parse_from(["t", "games", &joined]).err();
            let line = one_line(&error.expect("the rule is refused"));
            let why = format!("{rule} has no weights of its own");
            assert!(line.contains(&why) && line.contains(other), "{line}");
        }
        assert_eq!(unit_interval("1"), Ok(1.0));
        assert!(unit_interval("1.01").is_err());
    }
}
