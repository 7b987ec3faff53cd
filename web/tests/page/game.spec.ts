import { readFileSync } from 'node:fs';
import { expect, isSite, test } from './helpers';

test('branches, comments, main line, delete', async ({ board, page }) => {
  await board.open('freestyle-15/h8i9g7');
  await board.named('nav.back').click();
  await board.click('j10');
  await expect(page.locator('.tree-node')).toHaveCount(5);
  await page.locator('.comment').fill('a better move');
  await page.locator('.comment').blur();
  await expect(page.locator('.tree-node .dot.comment')).toHaveCount(1);
  await page.keyboard.press('ArrowUp');
  await expect(board.cell('g7')).toHaveAttribute('aria-label', /Black/);
  await page.keyboard.press('ArrowDown');
  await board.named('main-line').click();
  await board.named('nav.back').click();
  await board.named('nav.forward').click();
  await expect(board.cell('j10')).toHaveAttribute('aria-label', /Black/);
  await board.named('delete-branch').click();
  await expect(page.locator('.tree-node')).toHaveCount(4);
});

test('a reload keeps the game with its branches', async ({ board, page }) => {
  await board.open('renju-15/h8i9g7');
  await board.named('nav.back').click();
  await board.click('j10');
  await expect(page.locator('.tree-node')).toHaveCount(5);
  await page.reload();
  await expect(page.locator('.tree-node')).toHaveCount(5);
  await board.expectStones(3);
  await expect(page.locator('.rule-name')).toHaveText('Renju 15×15');
});

test('a reload keeps the game also where its position did not come into the address', async ({ board, page }) => {
  await board.open('renju-15/h8i9g7');
  await expect(page).toHaveURL(/#renju-15\/h8i9g7$/);
  // As browsers do after many changes; the one of the tests would allow them all.
  await page.evaluate(() => (history.replaceState = () => undefined));
  await board.named('nav.back').click();
  await board.click('j10');
  await page.locator('.comment').fill('a better move');
  await page.locator('.comment').blur();
  await board.named('nav.start').click();
  await board.expectStones(0);
  await page.reload();
  await board.expectStones(0);
  await expect(page.locator('.tree-node')).toHaveCount(5);
  await expect(page.locator('.tree-node .dot.comment')).toHaveCount(1);
  await expect(page).toHaveURL(/#renju-15\/$/);
});

test('the address holds the position, and not the key', async ({ board, page }) => {
  await board.open();
  await board.click('h8 i9');
  await expect(page).toHaveURL(/#freestyle-15\/h8i9$/);
  await page.evaluate(() => (location.hash = 'standard-20x15/k10'));
  await board.expectStones(1);
  await expect(page.locator('.rule-name')).toHaveText('Standard 20×15');
});

test('two tabs at once have games of their own', async ({ board, context }) => {
  await board.open();
  const other = await context.newPage();
  await other.goto(process.env['TENGEN_URL']!);
  await other.waitForSelector('.board');
  await other.locator('[data-name="side-white"]').click();
  await board.click('h8');
  await other.locator('.cell[aria-label^="a1:"]').click();
  await other.locator('[data-name="engine-move"]').click();
  await board.named('engine-move').click();
  await board.expectStones(2);
  await expect(other.locator('[data-cell="black"], [data-cell="white"]')).toHaveCount(2);
  await expect(other.locator('.cell[aria-label^="a1: Black"]')).toHaveCount(1);
  await expect(board.cell('h8')).toHaveAttribute('aria-label', /Black/);
});

test('without the key the page says how to get one', async ({ page }) => {
  test.skip(isSite, 'only a server has keys');
  await page.goto(new URL(process.env['TENGEN_URL']!).origin);
  await expect(page.locator('[data-name="connection"]')).toContainText('tengen serve');
});

test('SGF out and in again', async ({ board, page }) => {
  await board.open('renju-15/h8i9g7j10');
  const download = page.waitForEvent('download');
  await board.menu('menu.save');
  const text = readFileSync(await (await download).path(), 'utf8');
  expect(text).toContain('RU[renju]');
  await board.newGame({ user: 'both' });
  await board.menu('menu.open');
  await board.named('open-text').fill(text);
  await board.named('open-ok').click();
  await board.expectStones(4);
});

test('what is no game is refused with a reason', async ({ board }) => {
  await board.open();
  await board.menu('menu.open');
  await board.named('open-text').fill('this is no game');
  await board.named('open-ok').click();
  await expect(board.named('notice')).toContainText('cannot be read');
});

test('a game is not opened any more once its dialog is closed', async ({ board, page }) => {
  test.skip(isSite, 'what is sent to a worker cannot be held back');
  await board.open('freestyle-15/h8');
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route(/\/convert\?/, async (route) => {
    await held;
    await route.continue();
  });
  await board.menu('menu.open');
  await board.named('open-text').fill('h8 i9 h7');
  await board.named('open-ok').click();
  await page.keyboard.press('Escape');
  await board.named('menu.settings').click();
  const answered = page.waitForResponse(/\/convert\?/);
  letGo();
  expect(await (await answered).text()).toContain('(;');
  await page.waitForTimeout(100);
  await expect(board.named('threads')).toBeVisible();
  await board.expectStones(1);
});

test('marks of moves in a game that is opened, and its opening', async ({ board, page }) => {
  await board.open();
  await board.menu('menu.open');
  await board.named('open-text').fill('(;GM[4]SZ[15]RU[freestyle]XO[swap2];B[hh];W[ii]BM[2])');
  await board.named('open-ok').click();
  await expect(page.locator('.tree-node .dot.blunder')).toHaveCount(1);
  await board.click('a1');
  await board.named('take-white').click();
  await board.tab('review');
  await board.named('nav.back').click();
  await expect(board.named('judgement')).toHaveText('Blunder');
  await expect(page.locator('[data-mark="blunder"]')).toBeVisible();
});

test('PSQ and moves by the engine', async ({ board }) => {
  await board.open();
  await board.menu('menu.open');
  await board.named('file').setInputFiles({
    name: 'game.psq',
    mimeType: 'text/plain',
    buffer: Buffer.from('Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n7,7,0\n'),
  });
  await board.expectStones(3);
  await board.menu('menu.open');
  await board.named('open-text').fill('h8 i9 h7 g6');
  await board.named('open-ok').click();
  await board.expectStones(4);
});

test('a library of RenLib, with its branches and texts', async ({ board, page }) => {
  await board.open('renju-15/');
  await board.menu('menu.open');
  // A library states no rule: that of the page holds.
  const buffer = readFileSync('../fuzz/seeds/renlib/with_texts');
  await board.named('file').setInputFiles({ name: 'opening.lib', mimeType: '', buffer });
  await board.expectStones(2);
  await expect(page.locator('.rule-name')).toHaveText('Renju 15×15');
  await expect(page.locator('.tree-node')).toHaveCount(4);
  await page.keyboard.press('ArrowDown');
  await expect(board.cell('j8')).toHaveAttribute('aria-label', /White/);
  await board.named('nav.back').click();
  await expect(page.locator('textarea.comment')).toHaveValue('title\nrest');
  await board.named('nav.back').click();
  await expect(page.locator('[data-mark="text"]')).toHaveText('W12');
});

test('a forbidden move in a game that is opened', async ({ board, page }) => {
  await board.open();
  await board.menu('menu.open');
  const moves = 'B[ih];W[ao];B[jh];W[am];B[hg];W[co];B[hf];W[oa];B[hh]';
  await board.named('open-text').fill(`(;RU[renju]SZ[15];${moves})`);
  await board.named('open-ok').click();
  await expect(board.named('turn')).toHaveText('White wins: a forbidden point was played');
  await expect(page.locator('[data-mark="foul"]')).toBeVisible();
  await board.named('nav.back').click();
  await expect(board.named('turn')).toHaveText('Black to move');
});

test('pictures: SVG, PNG, GIF', async ({ board, page }) => {
  await board.open('freestyle-15/h8i9g7');
  await board.menu('menu.share');
  await expect(board.named('moves-text')).toHaveValue('h8 i9 g7');
  await expect(board.named('link-text')).toHaveValue(/#freestyle-15\/h8i9g7$/);
  const heads = { svg: '<svg', png: '\u0089PNG', gif: 'GIF89a' };
  for (const [name, head] of Object.entries(heads)) {
    const download = page.waitForEvent('download');
    await board.named(name).click();
    const bytes = readFileSync(await (await download).path());
    expect(bytes.toString('latin1').slice(0, head.length)).toBe(head);
    expect(bytes.length).toBeGreaterThan(2000);
  }
});

test('pictures have few colours, and no bands in the wood', async ({ board, page }) => {
  await board.open('freestyle-15/h8i9g7');
  await board.menu('menu.share');
  for (const name of ['png', 'gif']) {
    const download = page.waitForEvent('download');
    await board.named(name).click();
    const bytes = readFileSync(await (await download).path());
    const { colours, wood } = await page.evaluate(
      async ([type, data]) => {
        const file = new Blob([Uint8Array.from(atob(data!), (c) => c.charCodeAt(0))], { type: `image/${type}` });
        const image = await createImageBitmap(file);
        const context = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
        context.drawImage(image, 0, 0);
        const counts = new Map<string, number>();
        const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
        for (let i = 0; i < pixels.length; i += 4) {
          const colour = pixels.subarray(i, i + 4).join();
          if (pixels[i + 3] === 255) counts.set(colour, (counts.get(colour) ?? 0) + 1);
        }
        return { colours: counts.size, wood: Math.max(...counts.values()) / (image.width * image.height) };
      },
      [name, bytes.toString('base64')] as const,
    );
    expect(colours).toBeLessThanOrEqual(256);
    // A slow change of the wood would take many colours.
    expect(wood).toBeGreaterThan(0.5);
    if (name === 'png') expect(bytes.length).toBeLessThan(300_000);
  }
});

test('links lead to a board that friends can open, where one is named', async ({ board, page }) => {
  await board.open('freestyle-15/h8i9');
  await board.menu('menu.share');
  await expect(board.named('share-local')).toBeVisible();
  expect(await page.locator('dialog input').first().getAttribute('data-name')).toBe('moves-text');
  await page.keyboard.press('Escape');
  await board.named('menu.settings').click();
  await board.named('address').fill('board.example/tengen/');
  await board.named('address').blur();
  await expect(board.named('address')).toHaveValue('https://board.example/tengen/');
  await board.named('address').fill('no address at all');
  await board.named('address').blur();
  await expect(board.named('address')).toHaveValue('https://board.example/tengen/');
  await page.keyboard.press('Escape');
  await board.menu('menu.share');
  await expect(board.named('link-text')).toHaveValue('https://board.example/tengen/#freestyle-15/h8i9');
  await expect(board.named('share-local')).toHaveCount(0);
  expect(await page.locator('dialog input').first().getAttribute('data-name')).toBe('link-text');
});

test('coordinates and numbers', async ({ board, page }) => {
  await board.open('freestyle-15/h8i9');
  await board.named('menu.settings').click();
  await board.named('numbers').uncheck();
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-cell="white"]')).toHaveText('');
  await board.named('menu.settings').click();
  await board.named('coordinates').uncheck();
  await page.keyboard.press('Escape');
  await expect(page.locator('.board')).toHaveAttribute('viewBox', '0 0 620 620');
});

test('settings of the engine are sent', async ({ board, page }) => {
  test.skip(isSite, 'lines to a worker cannot be overheard');
  const sent: string[] = [];
  page.on('websocket', (socket) => socket.on('framesent', (frame) => sent.push(String(frame.payload))));
  await board.open();
  await board.named('menu.settings').click();
  for (const [name, value] of [['threads', '2'], ['hash', '32'], ['range', '3']] as const) {
    await board.type(name, value);
    await board.named(name).blur();
  }
  await board.named('pondering').check();
  await page.keyboard.press('Escape');
  await board.type('limit', '2.5');
  await board.named('limit').blur();
  await expect(board.named('limit')).toHaveValue('3');
  await board.named('engine-move').click();
  await board.expectStones(1);
  for (const line of ['max_depth 3', 'thread_num 2', 'hash_size 32768', 'caution_factor 3', 'pondering 1']) {
    expect(sent).toContain(`INFO ${line}`);
  }
});
