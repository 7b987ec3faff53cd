//! The charts of a report, drawn as SVG.
//!
//! Colours are names: the page's style sheet gives each of them a light and a dark value.

use std::ops::Range;

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::{
    Cartesian2d, ChartBuilder, ChartContext, Circle, DrawingArea, DrawingAreaErrorKind,
    EmptyElement, IntoDrawingArea, PathElement, Polygon, RGBColor, Rectangle, SVGBackend,
};
use plotters::style::{Color, IntoFont, ShapeStyle, TRANSPARENT, TextStyle};

use super::ends::{EndKind, Lengths};
use super::progress::ProgressPoint;
use super::times::{PlayerTimes, STAGE_STONES, Stage};
use crate::arena::ratings::Rating;
use crate::arena::summary::SprtState;

/// Axes and texts.
const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);
/// Lines behind the data.
const GRID: RGBColor = RGBColor(0xDD, 0xDD, 0xDD);
/// One for each player; more than eight share them.
/// Source: M. Okabe and K. Ito, "Color Universal Design", for readers who see few colours.
const PLAYERS: [RGBColor; 8] = [
    RGBColor(0x00, 0x72, 0xB2),
    RGBColor(0xD5, 0x5E, 0x00),
    RGBColor(0x00, 0x9E, 0x73),
    RGBColor(0xCC, 0x79, 0xA7),
    RGBColor(0xE6, 0x9F, 0x00),
    RGBColor(0x56, 0xB4, 0xE9),
    RGBColor(0x8C, 0x56, 0x4B),
    RGBColor(0x7F, 0x7F, 0x7F),
];
/// One for each [`EndKind`].
const ENDS: [RGBColor; 4] = [
    RGBColor(0x30, 0x30, 0x30),
    RGBColor(0xF8, 0xF8, 0xF8),
    RGBColor(0x9A, 0xA0, 0xA6),
    RGBColor(0xC0, 0x39, 0x2B),
];

/// Width of all charts in pixels; narrow, so that their texts can be read on a phone.
const WIDTH: u32 = 500;
const HEIGHT: u32 = 300;
/// Size of texts by the measure of the library, about a quarter more than in pixels.
const TEXT_SIZE: u32 = 18;

/// A chart.
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// Class of the style sheet and meaning of each colour.
    pub legend: Vec<(String, String)>,
    /// The drawing, an `svg` element.
    pub svg: String,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Plot<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;
/// Largest value that is drawn; a damaged journal may hold any.
const LARGEST: f64 = 1e12;

/// Points of a line.
type Line = Vec<(f64, f64)>;

/// What an axis says of itself.
struct Axis<'a> {
    range: Range<f64>,
    title: &'a str,
    /// How many values are written, at most.
    labels: usize,
    text: &'a dyn Fn(&f64) -> String,
}

/// An axis of whole numbers.
fn numbers<'a>(range: Range<f64>, title: &'a str) -> Axis<'a> {
    Axis {
        range,
        title,
        labels: 6,
        text: &|value| format!("{value:.0}"),
    }
}

fn svg(height: u32, draw: impl FnOnce(&Area) -> Drawn) -> String {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
    draw(&area)
        .and_then(|()| area.present())
        .expect("a drawing in memory meets no error");
    drop(area);
    svg
}

fn text_style() -> TextStyle<'static> {
    TextStyle::from(("sans-serif", TEXT_SIZE).into_font()).color(&INK)
}

/// The axes, with room for `left` pixels of labels.
fn plot<'a, 'b>(
    area: &'a Area<'b>,
    left: u32,
    x: Axis,
    y: Axis,
) -> Result<Plot<'a, 'b>, DrawingAreaErrorKind<std::io::Error>> {
    let bottom = if x.title.is_empty() { 26 } else { 46 };
    let mut plot = ChartBuilder::on(area)
        .margin(8)
        .margin_right(16)
        .x_label_area_size(bottom)
        .y_label_area_size(left)
        .build_cartesian_2d(x.range, y.range)?;
    plot.configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(INK)
        .label_style(text_style())
        .axis_desc_style(text_style())
        .x_desc(x.title)
        .x_labels(x.labels)
        .x_label_formatter(x.text)
        .y_desc(y.title)
        .y_labels(y.labels)
        .y_label_formatter(y.text)
        .draw()?;
    Ok(plot)
}

/// A range that holds all `values` with some room, and is no point.
fn around(values: impl IntoIterator<Item = f64>) -> Range<f64> {
    let drawable = |value: &f64| value.abs() <= LARGEST;
    let finite = values.into_iter().filter(drawable);
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    if low > high {
        return -1.0..1.0;
    }
    let room = ((high - low) * 0.06).max(0.5);
    low - room..high + room
}

fn player_key(place: usize) -> String {
    format!("player{}", place % PLAYERS.len())
}

fn player_color(place: usize) -> RGBColor {
    PLAYERS[place % PLAYERS.len()]
}

fn thick(color: RGBColor) -> ShapeStyle {
    color.stroke_width(2)
}

/// A player with his strength.
pub struct RatedPlayer<'a> {
    /// Place in the order of the match, from 0, which gives the colour.
    pub place: usize,
    /// Name.
    pub name: &'a str,
    /// Strength.
    pub rating: Rating,
}

impl RatedPlayer<'_> {
    fn bounds(&self) -> [f64; 2] {
        let Rating { elo, error } = self.rating;
        [elo - error, elo + error]
    }
}

/// The strengths of `players` with the bounds of their errors, the first at the top.
pub fn ratings(players: &[RatedPlayer]) -> Chart {
    let count = players.len() as f64;
    let bounds = players.iter().flat_map(RatedPlayer::bounds);
    let shorten = |name: &str| match name.chars().count() {
        ..=16 => name.to_string(),
        _ => name.chars().take(15).chain(['…']).collect(),
    };
    let names: Vec<String> = players.iter().map(|player| shorten(player.name)).collect();
    let longest = names.iter().map(|name| name.chars().count()).max();
    let left = 20 + 9 * longest.unwrap_or(0) as u32;
    let height = 80 + 28 * players.len() as u32;
    let svg = svg(height, |area| {
        let range = around(bounds.chain([0.0]));
        let elo = numbers(range, "Elo, 95 %");
        let nothing = Axis {
            labels: 0,
            text: &|_| String::new(),
            ..numbers(0.0..count, "")
        };
        let mut chart = plot(area, left, elo, nothing)?;
        for ((player, name), row) in players.iter().zip(&names).zip(0..) {
            let (y, color) = (count - 0.5 - f64::from(row), player_color(player.place));
            let [low, high] = player.bounds();
            let bar = PathElement::new(vec![(low, y), (high, y)], thick(color));
            let caps = [low, high]
                .map(|x| PathElement::new(vec![(x, y - 0.15), (x, y + 0.15)], thick(color)));
            chart.draw_series([bar].into_iter().chain(caps))?;
            chart.draw_series([Circle::new((player.rating.elo, y), 5, color.filled())])?;
            let (_, line) = chart.backend_coord(&(0.0, y));
            area.draw_text(name, &text_style(), (10, line - 9))?;
        }
        Ok(())
    });
    Chart {
        title: "Strength of each player with its error".to_string(),
        legend: Vec::new(),
        svg,
    }
}

/// The difference in strength after each pair of games, with its error.
pub fn elo(points: &[ProgressPoint]) -> Chart {
    let shown: Vec<&ProgressPoint> = points.iter().filter(|p| p.elo.elo.is_finite()).collect();
    // The first estimates are wild; they may leave the picture.
    let settled = shown.iter().skip(shown.len() / 10);
    let bounds = settled.flat_map(|p| [p.elo.elo - p.elo.error, p.elo.elo + p.elo.error]);
    let middles = shown.iter().skip(shown.len() / 10).map(|p| p.elo.elo);
    let range = around(bounds.chain(middles).chain([0.0]));
    let (low, high) = (range.start, range.end);
    let games = shown.last().map_or(1.0, |p| p.games as f64);
    let at = |p: &ProgressPoint, elo: f64| (p.games as f64, elo.clamp(low, high));
    let svg = svg(HEIGHT, |area| {
        let y = numbers(range, "Elo");
        let mut chart = plot(area, 70, numbers(0.0..games, "games"), y)?;
        let upper = shown.iter().map(|p| at(p, p.elo.elo + p.elo.error));
        let lower = shown.iter().rev().map(|p| at(p, p.elo.elo - p.elo.error));
        let band: Line = upper.chain(lower).collect();
        chart.draw_series([Polygon::new(band, PLAYERS[0].mix(0.2).filled())])?;
        let zero = vec![(0.0, 0.0), (games, 0.0)];
        chart.draw_series([PathElement::new(zero, INK)])?;
        let line: Line = shown.iter().map(|p| at(p, p.elo.elo)).collect();
        chart.draw_series([PathElement::new(line, thick(PLAYERS[0]))])?;
        Ok(())
    });
    Chart {
        title: "Elo of the first player as games were played, with its error (95 %)".to_string(),
        legend: Vec::new(),
        svg,
    }
}

/// The log-likelihood ratio after each pair of games, between the bounds of the test.
pub fn llr(points: &[ProgressPoint], sprt: &SprtState) -> Chart {
    let line: Line = points
        .iter()
        .filter_map(|p| Some((p.games as f64, p.llr.filter(|llr| llr.abs() <= LARGEST)?)))
        .collect();
    let games = points.last().map_or(1.0, |p| p.games as f64);
    let values = line.iter().map(|point| point.1);
    let range = around(values.chain([sprt.lower, sprt.upper]));
    let (low, high) = (range.start, range.end);
    let svg = svg(HEIGHT, |area| {
        let y = Axis {
            text: &|value| format!("{value:.1}"),
            ..numbers(range, "LLR")
        };
        let mut chart = plot(area, 60, numbers(0.0..games, "games"), y)?;
        for (bound, color) in [(sprt.lower, PLAYERS[1]), (sprt.upper, PLAYERS[2])] {
            let bound = bound.clamp(low, high);
            let bound = vec![(0.0, bound), (games, bound)];
            chart.draw_series([PathElement::new(bound, thick(color))])?;
        }
        let line = [(0.0, 0.0)].into_iter().chain(line).collect::<Line>();
        chart.draw_series([PathElement::new(line, thick(PLAYERS[0]))])?;
        Ok(())
    });
    let legend = [
        (0, "log-likelihood ratio"),
        (1, "H0 is accepted here"),
        (2, "H1 is accepted here"),
    ];
    Chart {
        title: "The sequential test".to_string(),
        legend: legend
            .map(|(place, text)| (player_key(place), text.to_string()))
            .to_vec(),
        svg,
    }
}

/// How many games had how many stones.
pub fn lengths(lengths: &Lengths) -> Chart {
    let totals = lengths.bins.iter().map(|bin| bin.iter().sum::<u64>());
    let highest = totals.max().unwrap_or(0).max(1) as f64;
    let width = lengths.bin_width as f64;
    let longest = lengths.bins.len() as f64 * width;
    let svg = svg(HEIGHT, |area| {
        let x = numbers(0.0..longest, "stones");
        let y = numbers(0.0..highest * 1.05, "games");
        let mut chart = plot(area, 60, x, y)?;
        for (bin, left) in lengths.bins.iter().zip(0..) {
            let left = f64::from(left) * width;
            let mut below = 0.0;
            for (kind, &games) in bin.iter().enumerate().filter(|(_, games)| **games > 0) {
                let corners = [
                    (left + 0.08 * width, below),
                    (left + 0.92 * width, below + games as f64),
                ];
                below += games as f64;
                let body = Rectangle::new(corners, ENDS[kind].filled());
                let edge = Rectangle::new(corners, ShapeStyle::from(INK));
                chart.draw_series([body, edge])?;
            }
        }
        Ok(())
    });
    let occurring = EndKind::ALL
        .into_iter()
        .filter(|kind| !lengths.sorted[*kind as usize].is_empty());
    Chart {
        title: "Length of the games".to_string(),
        legend: occurring
            .map(|kind| (format!("end{}", kind as usize), kind.text().to_string()))
            .collect(),
        svg,
    }
}

/// A line for each player over the stages of the game; `None` where there is nothing to show.
fn stages(
    players: &[PlayerTimes],
    value: impl Fn(&Stage) -> Option<f64>,
    title: &str,
    text: &dyn Fn(&f64) -> String,
) -> Option<Chart> {
    let middle = |stage: usize| (stage as f64 + 0.5) * STAGE_STONES as f64;
    let line = |player: &PlayerTimes| -> Line {
        let stages = player.stages.iter().enumerate();
        stages
            .filter_map(|(stage, moves)| {
                let value = value(moves).filter(|value| (0.0..=LARGEST).contains(value))?;
                Some((middle(stage), value))
            })
            .collect()
    };
    let lines: Vec<Line> = players.iter().map(line).collect();
    let all = || lines.iter().flatten();
    let most = all().map(|point| point.0).reduce(f64::max)?;
    let highest = all().map(|point| point.1).fold(0.0, f64::max).max(1e-3);
    let end = most + 0.5 * STAGE_STONES as f64;
    let svg = svg(HEIGHT, |area| {
        let y = Axis {
            text,
            ..numbers(0.0..highest * 1.08, "")
        };
        let mut chart = plot(area, 76, numbers(0.0..end, "stones on the board"), y)?;
        for (place, line) in lines.iter().enumerate() {
            let color = player_color(place);
            chart.draw_series([PathElement::new(line.clone(), thick(color))])?;
            let dot =
                |at: &(f64, f64)| EmptyElement::at(*at) + Circle::new((0, 0), 3, color.filled());
            chart.draw_series(line.iter().map(dot))?;
        }
        Ok(())
    });
    let names = players.iter().enumerate();
    Some(Chart {
        title: title.to_string(),
        legend: names
            .map(|(place, player)| (player_key(place), player.name.clone()))
            .collect(),
        svg,
    })
}

/// The time of a move over the course of the game.
pub fn move_times(players: &[PlayerTimes]) -> Option<Chart> {
    let title = "Median time of a move over the game";
    stages(players, |stage| stage.median_ms, title, &|ms| duration(*ms))
}

/// The depth of a search over the course of the game.
pub fn depths(players: &[PlayerTimes]) -> Option<Chart> {
    let title = "Average depth over the game, in plies";
    stages(players, |stage| stage.mean_depth, title, &|plies| {
        format!("{plies:.0}")
    })
}

/// A time in ms in the unit that suits it. `html/duration.js` writes it likewise.
pub fn duration(ms: f64) -> String {
    // Each form ends where its rounded number would reach the next one.
    match ms {
        0.0 => "0".to_string(),
        ..9.95 => format!("{ms:.1} ms"),
        ..999.5 => format!("{ms:.0} ms"),
        ..9_995.0 => format!("{:.2} s", ms / 1e3),
        ..59_950.0 => format!("{:.1} s", ms / 1e3),
        _ => {
            let seconds = (ms / 1e3).round();
            format!(
                "{:.0} min {:02.0} s",
                (seconds / 60.0).floor(),
                seconds % 60.0
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_rounded_before_it_is_split() {
        for (ms, text) in [
            (0.0, "0"),
            (9.94, "9.9 ms"),
            (9.96, "10 ms"),
            (999.7, "1.00 s"),
            (9_996.0, "10.0 s"),
            (59_940.0, "59.9 s"),
            (59_970.0, "1 min 00 s"),
            (119_700.0, "2 min 00 s"),
            (125_400.0, "2 min 05 s"),
        ] {
            assert_eq!(duration(ms), text, "{ms}");
        }
    }
}
