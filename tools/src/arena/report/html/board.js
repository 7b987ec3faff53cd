'use strict';

// A board on which a game can be played through.

const SVG = 'http://www.w3.org/2000/svg';
const STEP = 32;

// An SVG element with attributes and children.
function shape(name, attributes, children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  for (const child of children || []) element.append(child);
  return element;
}

// The points of a game's moves: {x, y} from the top left, or null for a pass.
function pointsOf(game) {
  const labels = game.moves.match(/-|[a-z]\d+/g) || [];
  return labels.map(label => label === '-' ? null : {
    x: label.charCodeAt(0) - 97,
    y: game.size[1] - Number(label.slice(1)),
    label,
  });
}

// Places of the star points along a side of this length.
function stars(length) {
  if (length < 9) return length % 2 ? [(length - 1) / 2] : [];
  const edge = length < 13 ? 2 : 3;
  const middle = length % 2 ? [(length - 1) / 2] : [];
  return [edge, ...middle, length - 1 - edge];
}

// The stones of a row of five or more through the last of `count` moves: their indices.
function winningRow(points, count) {
  const last = points[count - 1];
  if (!last) return [];
  const own = new Map();
  for (let i = (count - 1) % 2; i < count; i += 2) {
    if (points[i]) own.set(points[i].x + ',' + points[i].y, i);
  }
  for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
    const row = [count - 1];
    for (const sign of [1, -1]) {
      for (let n = 1; ; n += 1) {
        const at = own.get((last.x + sign * n * dx) + ',' + (last.y + sign * n * dy));
        if (at === undefined) break;
        row.push(at);
      }
    }
    if (row.length >= 5) return row;
  }
  return [];
}

// Draws the position after `count` moves.
function drawBoard(game, points, count, numbered) {
  const [columns, rows] = game.size;
  const width = (columns + 1.5) * STEP;
  const height = (rows + 1.5) * STEP;
  const px = x => (x + 1.25) * STEP;
  const py = y => (y + 0.75) * STEP;
  const parts = [shape('rect', { class: 'wood', width, height, rx: 6 })];
  const ends = { left: px(0), right: px(columns - 1), top: py(0), bottom: py(rows - 1) };
  for (let x = 0; x < columns; x += 1) {
    parts.push(shape('line', { class: 'line', x1: px(x), x2: px(x), y1: ends.top, y2: ends.bottom }));
    const name = String.fromCharCode(97 + x);
    parts.push(shape('text', { class: 'label', x: px(x), y: ends.bottom + STEP }, [name]));
  }
  for (let y = 0; y < rows; y += 1) {
    parts.push(shape('line', { class: 'line', x1: ends.left, x2: ends.right, y1: py(y), y2: py(y) }));
    parts.push(shape('text', { class: 'label', x: px(-0.85), y: py(y) + 4 }, [String(rows - y)]));
  }
  for (const x of stars(columns)) {
    for (const y of stars(rows)) {
      parts.push(shape('circle', { class: 'star', cx: px(x), cy: py(y), r: 3.5 }));
    }
  }
  const row = count === points.length && game.reason === 'five' ? winningRow(points, count) : [];
  points.slice(0, count).forEach((point, i) => {
    if (!point) return;
    const [cx, cy] = [px(point.x), py(point.y)];
    const color = i % 2 ? 'white' : 'black';
    parts.push(shape('circle', { class: 'stone ' + color, cx, cy, r: 14 }));
    if (row.includes(i)) parts.push(shape('circle', { class: 'won', cx, cy, r: 14 }));
    if (numbered) {
      const number = shape('text', { class: 'number ' + color, x: cx, y: cy + 4.5 }, [String(i + 1)]);
      parts.push(number);
    }
    if (i === count - 1) {
      const mark = numbered ? { class: 'last', cx, cy, r: 15 } : { class: 'last', cx, cy, r: 5 };
      parts.push(shape('circle', mark));
    }
  });
  const name = 'The board after ' + count + ' moves';
  return shape('svg', { viewBox: '0 0 ' + width + ' ' + height, role: 'img', 'aria-label': name }, parts);
}
