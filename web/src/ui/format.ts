/** A win rate as people read it: per cent without the sign. */
export function percent(rate: number): string {
  return (100 * rate).toFixed(rate > 0.995 || rate < 0.005 ? 0 : 1);
}

/** A large number with its unit: `1.2 M`. */
export function short(n: number): string {
  if (n >= 1e9) return `${(n / 1e9).toFixed(1)} G`;
  if (n >= 1e6) return `${(n / 1e6).toFixed(1)} M`;
  return n >= 1e3 ? `${(n / 1e3).toFixed(0)} k` : String(n);
}
