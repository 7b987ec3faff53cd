//! Accuracy in percent: of one move, and of all moves of a side.

/// Accuracy of a move in percent, from the expected points before and after it. Accuracy falls
/// steeply for small losses and slowly for large ones.
///
/// Source: <https://lichess.org/page/accuracy>. The curve was fitted to chess; expected points mean
/// the same here.
pub(super) fn of_move(best: f64, made: f64) -> f64 {
    let lost_percent = 100.0 * (best - made).max(0.0);
    (103.1668 * (-0.04354 * lost_percent).exp() - 3.1669).clamp(0.0, 100.0)
}

/// Accuracy of several moves, each with its weight: the mean of their weighted mean and their
/// harmonic mean, so that a few bad moves count. `None` without moves.
pub(super) fn of_moves(moves: &[(f64, f64)]) -> Option<f64> {
    if moves.is_empty() {
        return None;
    }
    let weights: f64 = moves.iter().map(|(_, weight)| weight).sum();
    let weighted: f64 = moves.iter().map(|(value, weight)| value * weight).sum();
    let reciprocals: f64 = moves.iter().map(|(value, _)| 1.0 / value.max(1.0)).sum();
    Some((weighted / weights + moves.len() as f64 / reciprocals) / 2.0)
}

/// Weight of each move: the variation of the win rate around the move. Moves of a decided game
/// count little. `rates` are Black's win rates in percent before the first move and after each.
pub(super) fn weights(rates: &[f64]) -> Vec<f64> {
    let moves = rates.len().saturating_sub(1);
    let reach = (moves / 10).clamp(2, 8) / 2;
    let weight = |number: usize| {
        let first = number.saturating_sub(reach);
        let last = (number + reach).min(moves);
        standard_deviation(&rates[first..=last]).clamp(0.5, 12.0)
    };
    (1..=moves).map(weight).collect()
}

fn standard_deviation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_falls_from_100_to_0() {
        assert!((of_move(0.5, 0.5) - 100.0).abs() < 1e-3);
        assert_eq!(of_move(0.5, 0.7), of_move(0.5, 0.5));
        assert!(
            (of_move(0.6, 0.5) - 63.6).abs() < 0.1,
            "{}",
            of_move(0.6, 0.5)
        );
        assert_eq!(of_move(1.0, 0.0), 0.0);
    }

    #[test]
    fn a_bad_move_counts_more_than_the_mean_says() {
        assert_eq!(of_moves(&[]), None);
        let even = of_moves(&[(80.0, 1.0), (80.0, 3.0)]).unwrap();
        assert!((even - 80.0).abs() < 1e-9);
        let uneven = of_moves(&[(100.0, 1.0), (20.0, 1.0)]).unwrap();
        assert!((40.0..50.0).contains(&uneven), "{uneven}");
    }

    #[test]
    fn moves_of_a_decided_game_weigh_little() {
        let mut rates = vec![50.0, 60.0, 30.0, 90.0];
        rates.extend([100.0; 10]);
        let weights = weights(&rates);
        assert_eq!(weights.len(), rates.len() - 1);
        assert_eq!(weights[1], 12.0);
        assert_eq!(weights[8..], [0.5; 5]);
    }
}
