// The list of games, and the one that is shown. `board.js` and `duration.js` stand before this file.

(() => {
  const games = JSON.parse(document.getElementById('games-data').textContent).games;
  const byId = id => document.getElementById(id);
  const ROWS_AT_ONCE = 100;

  // An HTML element with a text.
  function element(name, text, className) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  const winner = game =>
    game.outcome === 'draw' ? 'draw' : game.outcome === 'black' ? game.black : game.white;
  const total = game => (game.ms || []).reduce((sum, ms) => sum + (ms || 0), 0);

  // ---- The list ----

  const columns = [
    { title: 'Game', value: game => game.id },
    { title: 'Round', value: game => game.round, wide: true },
    { title: 'Black', value: game => game.black },
    { title: 'White', value: game => game.white },
    { title: 'Winner', value: winner },
    { title: 'By', value: game => game.reason },
    { title: 'Stones', value: game => game.stones },
    { title: 'Opening', value: game => game.opening, wide: true },
    { title: 'Time', value: total, text: game => total(game) ? duration(total(game)) : '', wide: true },
  ].filter(column => column.title !== 'Round' || games.some(game => game.round > 1));
  const number = new Intl.Collator('en', { numeric: true });
  const order = (a, b) => typeof a === 'number' ? a - b : number.compare(a, b);

  let sortedBy = 0;
  let descending = false;
  let listed = [];
  let rowsShown = ROWS_AT_ONCE;
  let current = null;

  function matches(game) {
    const player = byId('filter-player').value;
    const result = byId('filter-result').value;
    const reason = byId('filter-reason').value;
    const opening = byId('filter-opening').value;
    return (!player || game.black === player || game.white === player)
      && (!result || (result === 'won' || result === 'lost'
        ? game.outcome !== 'draw' && !!player && (winner(game) === player) === (result === 'won')
        : game.outcome === result))
      && (!reason || game.reason === reason)
      && (!opening || game.opening === opening);
  }

  function list() {
    const value = columns[sortedBy].value;
    listed = games.filter(matches).sort((a, b) =>
      (descending ? -1 : 1) * order(value(a), value(b)) || a.id - b.id);
    byId('games-count').textContent = listed.length + ' of ' + games.length + ' games';
    const rows = listed.slice(0, rowsShown).map(game => {
      const row = element('tr');
      row.classList.toggle('current', game === current);
      row.classList.toggle('uncounted', !!game.uncounted);
      columns.forEach((column, place) => {
        const text = column.text ? column.text(game) : column.value(game);
        const cell = element(place ? 'td' : 'th', undefined, column.wide ? 'wide' : '');
        if (typeof column.value(game) === 'number') cell.classList.add('number');
        if (place) {
          cell.textContent = text;
        } else {
          const link = element('a', text);
          link.href = '#game-' + game.id;
          cell.scope = 'row';
          cell.append(link);
        }
        row.append(cell);
      });
      row.addEventListener('click', () => { location.hash = '#game-' + game.id; });
      return row;
    });
    byId('games-rows').replaceChildren(...rows);
    byId('games-more').hidden = listed.length <= rowsShown;
    byId('games-head').childNodes.forEach((cell, place) => {
      const sorting = place !== sortedBy ? 'none' : descending ? 'descending' : 'ascending';
      cell.setAttribute('aria-sort', sorting);
    });
  }

  function heads() {
    columns.forEach((column, place) => {
      const cell = element('th', undefined, column.wide ? 'wide' : '');
      const button = element('button', column.title);
      button.type = 'button';
      cell.scope = 'col';
      button.addEventListener('click', () => {
        descending = place === sortedBy && !descending;
        sortedBy = place;
        list();
      });
      cell.append(button);
      byId('games-head').append(cell);
    });
  }

  // The values that occur, as choices of a filter.
  function choices(id, values) {
    const select = byId(id);
    for (const value of [...new Set(values)].sort(number.compare)) {
      const option = element('option', value);
      option.value = value;
      select.append(option);
    }
    select.parentElement.hidden = select.options.length < 3;
  }

  // ---- The game that is shown ----

  let points = [];
  let count = 0;
  let moveRows = [];

  // The numbers of the engine about a turn, as texts.
  function turnTexts(game, turn) {
    const at = key => game[key] && game[key][turn] !== null ? game[key][turn] : undefined;
    const [ms, limit, nodes] = [at('ms'), at('limit'), at('nodes')];
    const late = ms !== undefined && limit !== undefined && ms > limit;
    return [
      ms === undefined ? (turn < game.given ? 'opening' : '') : duration(ms) + (late ? ' late' : ''),
      at('eval') ?? '',
      at('depth') ?? '',
      nodes === undefined ? '' : nodes.toLocaleString('en'),
    ];
  }

  function show(game, move) {
    current = game;
    points = pointsOf(game);
    byId('viewer').hidden = false;
    byId('viewer-title').textContent = 'Game ' + game.id + ': ' + game.black + ' – ' + game.white;
    const facts = [
      game.outcome === 'draw' ? 'Draw' : winner(game) + ' (' + (game.outcome === 'black' ? 'Black' : 'White') + ') won',
      'by ' + game.reason + (game.detail ? ' (' + game.detail + ')' : ''),
      game.stones + ' stones',
      'opening: ' + game.opening,
    ];
    if (game.ended) facts.push(new Date(game.ended * 1000).toISOString().slice(0, 16).replace('T', ' ') + ' UTC');
    if (game.uncounted) facts.push('ended after the test had its answer: not counted');
    byId('viewer-facts').textContent = facts.join(' · ');
    byId('viewer-steps').textContent = game.steps ? 'Opening: ' + game.steps.join(', ') : '';
    byId('viewer-text').value = points.map(point => point ? point.label : 'pass').join(' ');
    const slider = byId('viewer-slider');
    slider.max = points.length;
    moveRows = points.map((point, turn) => {
      const row = element('tr');
      row.append(element('th', turn + 1), element('td', point ? point.label : 'pass'));
      for (const text of turnTexts(game, turn)) row.append(element('td', text));
      row.classList.add(turn % 2 ? 'by-white' : 'by-black');
      row.addEventListener('click', () => go(turn + 1));
      return row;
    });
    byId('viewer-moves').replaceChildren(...moveRows);
    go(move === undefined ? points.length : move);
    list();
  }

  function go(move) {
    moveRows.forEach(row => row.classList.remove('current'));
    count = Math.max(0, Math.min(points.length, move));
    byId('viewer-board').replaceChildren(
      drawBoard(current, points, count, byId('viewer-numbers').checked));
    byId('viewer-slider').value = count;
    const point = points[count - 1];
    byId('viewer-move').textContent = count
      ? 'Move ' + count + ' of ' + points.length + ': ' + (point ? point.label : 'pass')
      : points.length ? 'Before the first move' : 'No move was played';
    byId('viewer-first').disabled = byId('viewer-back').disabled = count === 0;
    byId('viewer-forward').disabled = byId('viewer-end').disabled = count === points.length;
    const row = moveRows[count - 1];
    const box = byId('viewer-moves').closest('.scroll');
    if (row) {
      row.classList.add('current');
      box.scrollTop = row.offsetTop - box.clientHeight / 2;
    } else {
      box.scrollTop = 0;
    }
  }

  // The game beside this one in the list.
  function neighbour(step) {
    const place = listed.indexOf(current);
    const other = listed[place < 0 ? 0 : place + step];
    if (other) location.hash = '#game-' + other.id;
  }

  function followAddress() {
    const named = location.hash.match(/^#game-(\d+)(?:-(\d+))?$/);
    const game = named && games.find(game => game.id === Number(named[1]));
    if (!game) return;
    show(game, named[2] === undefined ? undefined : Number(named[2]));
    byId('viewer').scrollIntoView({ block: 'start' });
  }

  heads();
  choices('filter-player', games.flatMap(game => [game.black, game.white]));
  choices('filter-reason', games.map(game => game.reason));
  choices('filter-opening', games.map(game => game.opening));
  for (const id of ['filter-player', 'filter-result', 'filter-reason', 'filter-opening']) {
    byId(id).addEventListener('change', () => { rowsShown = ROWS_AT_ONCE; list(); });
  }
  byId('games-more').addEventListener('click', () => { rowsShown += 5 * ROWS_AT_ONCE; list(); });
  byId('viewer-first').addEventListener('click', () => go(0));
  byId('viewer-back').addEventListener('click', () => go(count - 1));
  byId('viewer-forward').addEventListener('click', () => go(count + 1));
  byId('viewer-end').addEventListener('click', () => go(points.length));
  byId('viewer-slider').addEventListener('input', event => go(Number(event.target.value)));
  byId('viewer-numbers').addEventListener('change', () => go(count));
  byId('viewer-previous').addEventListener('click', () => neighbour(-1));
  byId('viewer-next').addEventListener('click', () => neighbour(1));
  document.addEventListener('keydown', event => {
    const typing = event.target.closest && event.target.closest('input:not([type=checkbox]), select, textarea');
    if (!current || typing || event.ctrlKey || event.altKey || event.metaKey) return;
    const inViewer = byId('viewer').contains(event.target);
    if (event.key === 'ArrowLeft') go(count - 1);
    else if (event.key === 'ArrowRight') go(count + 1);
    else if (event.key === 'Home' && inViewer) go(0);
    else if (event.key === 'End' && inViewer) go(points.length);
    else return;
    event.preventDefault();
  });
  window.addEventListener('hashchange', followAddress);
  list();
  followAddress();
})();
