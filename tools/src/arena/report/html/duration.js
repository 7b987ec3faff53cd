// A time in ms in the unit that suits it, as `duration` of `charts.rs` writes it.
function duration(ms) {
  // Each form ends where its rounded number would reach the next one.
  if (ms < 9.95) return ms.toFixed(1) + ' ms';
  if (ms < 999.5) return ms.toFixed(0) + ' ms';
  if (ms < 59950) return (ms / 1000).toFixed(ms < 9995 ? 2 : 1) + ' s';
  const seconds = Math.round(ms / 1000);
  return Math.floor(seconds / 60) + ' min ' + String(seconds % 60).padStart(2, '0') + ' s';
}
