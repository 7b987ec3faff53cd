//! Symbols and colours, as rich as the terminal allows.

use std::env;

use ratatui::crossterm::style::available_color_count;
use ratatui::style::{Color, Modifier, Style};

/// Symbols and colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Theme {
    is_unicode: bool,
    palette: Palette,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Palette {
    /// No colours.
    Mono,
    /// The terminal's own 16, on its own background.
    Few,
    /// 256 or more: the board is of wood.
    Rich,
}

/// The 256-colour cube's shades.
const WOOD: Color = Color::Indexed(179);
const GRID: Color = Color::Indexed(94);
const INK: Color = Color::Indexed(16);
const PAPER: Color = Color::Indexed(231);
const RED: Color = Color::Indexed(124);
const GREEN: Color = Color::Indexed(22);

impl Theme {
    /// The theme for the terminal and the user's settings.
    pub(super) fn detect(ascii: bool) -> Theme {
        let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        let palette = match () {
            () if is_set("NO_COLOR") => Palette::Mono,
            () if available_color_count() >= 256 => Palette::Rich,
            () => Palette::Few,
        };
        Theme {
            is_unicode: !ascii && speaks_unicode(),
            palette,
        }
    }

    /// The richest theme, for pictures.
    pub(super) fn rich() -> Theme {
        Theme {
            is_unicode: true,
            palette: Palette::Rich,
        }
    }

    /// One for tests.
    #[cfg(test)]
    pub(super) fn plain(is_unicode: bool) -> Theme {
        Theme {
            is_unicode,
            palette: Palette::Mono,
        }
    }

    /// One of two symbols, as the terminal's letters allow.
    pub(super) fn symbol(self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.is_unicode { unicode } else { ascii }
    }

    /// True if more than ASCII may be drawn.
    pub(super) fn is_unicode(self) -> bool {
        self.is_unicode
    }

    /// True if colours tell things apart that have the same shape.
    pub(super) fn has_colors(self) -> bool {
        self.palette != Palette::Mono
    }

    fn style(self, few: Style, rich: Style) -> Style {
        match self.palette {
            Palette::Mono => Style::new(),
            Palette::Few => few,
            Palette::Rich => rich,
        }
    }

    /// The board's lines, and its ground.
    pub(super) fn grid(self) -> Style {
        let few = Style::new().add_modifier(Modifier::DIM);
        self.style(few, Style::new().fg(GRID).bg(WOOD))
    }

    /// Numbers and letters at the board's edge.
    pub(super) fn labels(self) -> Style {
        self.faint()
    }

    /// Black's stones on the board.
    pub(super) fn black(self) -> Style {
        let few = Style::new().fg(Color::Blue).add_modifier(Modifier::BOLD);
        self.style(few, Style::new().fg(INK).bg(WOOD))
    }

    /// White's stones on the board.
    pub(super) fn white(self) -> Style {
        let few = Style::new().fg(Color::Yellow);
        let rich = Style::new().fg(PAPER).bg(WOOD);
        self.style(few, rich).add_modifier(Modifier::BOLD)
    }

    /// Numbers on stones: as bright or dark as the stones. Without colours Black's are inverse.
    pub(super) fn numbered(self, color: tengen::types::Color) -> Style {
        let (text, stone) = match color {
            tengen::types::Color::Black => (PAPER, INK),
            tengen::types::Color::White => (INK, PAPER),
        };
        match (self.palette, color) {
            (Palette::Rich, _) => Style::new().fg(text).bg(stone),
            (Palette::Few, _) => self.stone(color).add_modifier(Modifier::REVERSED),
            (Palette::Mono, tengen::types::Color::Black) => {
                Style::new().add_modifier(Modifier::REVERSED)
            }
            (Palette::Mono, tengen::types::Color::White) => Style::new(),
        }
    }

    fn stone(self, color: tengen::types::Color) -> Style {
        match color {
            tengen::types::Color::Black => self.black(),
            tengen::types::Color::White => self.white(),
        }
    }

    /// The brackets around the last stone, and around the cursor.
    pub(super) fn mark(self) -> Style {
        let few = Style::new().fg(Color::Cyan);
        self.style(few, Style::new().fg(INK).bg(WOOD))
            .add_modifier(Modifier::BOLD)
    }

    /// Forbidden points.
    pub(super) fn forbidden(self) -> Style {
        let few = Style::new().fg(Color::Red);
        self.style(few, Style::new().fg(RED).bg(WOOD))
            .add_modifier(Modifier::BOLD)
    }

    /// Chosen, offered or advised points.
    pub(super) fn advised(self) -> Style {
        let few = Style::new().fg(Color::Green);
        self.style(few, Style::new().fg(GREEN).bg(WOOD))
            .add_modifier(Modifier::BOLD)
    }

    /// Emphasised text.
    pub(super) fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Less important text.
    pub(super) fn faint(self) -> Style {
        let grey = Style::new().fg(Color::Indexed(245));
        self.style(Style::new().add_modifier(Modifier::DIM), grey)
    }

    /// Errors.
    pub(super) fn error(self) -> Style {
        let red = Style::new().fg(Color::Red);
        self.style(red, red).add_modifier(Modifier::BOLD)
    }

    /// Black's share below, White's above, in the chart of win rates.
    pub(super) fn chart(self) -> Style {
        let rich = Style::new().fg(Color::Indexed(236)).bg(Color::Indexed(252));
        self.style(Style::new().fg(Color::Blue), rich)
    }
}

/// True if the terminal shows more than ASCII. Windows' terminals do; elsewhere the first locale
/// variable that is set decides.
fn speaks_unicode() -> bool {
    if cfg!(windows) {
        return true;
    }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .filter_map(env::var_os)
        .find(|value| !value.is_empty());
    let locale = locale.unwrap_or_default().to_string_lossy().to_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}
