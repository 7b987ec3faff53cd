//! Man pages. The crate that renders them fills every text into paragraphs, names options in the
//! synopsis without their values, and calls the text after the options `EXTRA`.

use clap::Command;
use clap_mangen::Man;

/// The file names and texts of a page for `command` and one for each of its subcommands.
pub(super) fn pages(command: Command) -> impl Iterator<Item = (String, String)> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    with_subcommands(&command).into_iter().map(page)
}

fn with_subcommands(command: &Command) -> Vec<Command> {
    let shown = command.get_subcommands().filter(|c| !c.is_hide_set());
    let mut commands: Vec<Command> = shown.flat_map(with_subcommands).collect();
    commands.push(command.clone());
    commands
}

fn page(mut command: Command) -> (String, String) {
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    man.render(&mut page).expect("writing to memory");
    let page = String::from_utf8_lossy(&page);
    let usage = command.render_usage().to_string();
    (man.get_filename(), improved(&page, &usage))
}

/// The page with the usage as its synopsis, its tables and examples line by line, and the examples
/// under a heading of their own.
fn improved(page: &str, usage: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut rest = page.lines().peekable();
    while let Some(line) = rest.next() {
        match line {
            ".SH SYNOPSIS" => {
                lines.push(line.to_string());
                while rest.next_if(|line| !line.starts_with(".SH")).is_some() {}
                lines.extend(synopsis(usage));
            }
            ".SH EXTRA" => {
                lines.push(".SH EXAMPLES".to_string());
                rest.next_if_eq(&"Examples:");
            }
            // The line after this request is the name of an option, not text.
            ".TP" => {
                lines.push(line.to_string());
                lines.extend(rest.next().map(str::to_string));
            }
            _ if is_text(line) => {
                let mut block = vec![line.to_string()];
                while let Some(line) = rest.next_if(|line| is_text(line)) {
                    block.push(line.to_string());
                }
                let as_it_is = block.len() > 1 || line.starts_with(' ');
                if as_it_is {
                    block.insert(0, ".nf".to_string());
                    block.push(".fi".to_string());
                }
                lines.append(&mut block);
            }
            _ => lines.push(line.to_string()),
        }
    }
    lines.join("\n") + "\n"
}

/// True if a line is neither empty nor a request.
fn is_text(line: &str) -> bool {
    !line.is_empty() && !line.starts_with(['.', '\''])
}

/// The lines of the usage, each on a line of its own.
fn synopsis(usage: &str) -> Vec<String> {
    let usage = usage.trim_start_matches("Usage:");
    let escaped = |line: &str| line.trim().replace('\\', "\\e").replace('-', "\\-");
    let mut lines = vec![".nf".to_string()];
    lines.extend(usage.lines().map(escaped).filter(|line| !line.is_empty()));
    lines.push(".fi".to_string());
    lines
}
