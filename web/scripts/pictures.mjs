// Makes the pictures of the page in docs: `npm run pictures`, with `tengen` built and Chromium here
// (CHROMIUM=... names it, and TENGEN=... the program). first-game.gif is a first visit, whose user plays the
// best moves.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import gifenc from 'gifenc';

const root = fileURLToPath(new URL('../..', import.meta.url));
const docs = join(root, 'docs');
const folder = mkdtempSync(join(tmpdir(), 'tengen-pictures-'));
const tengen = process.env.TENGEN ?? join(root, 'target/release/tengen');
const server = spawn(tengen, ['serve', '--port', '0', '--database', join(folder, 'positions.db')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });

/** A page of that size with the key of the server. */
async function open(width, height, fragment = '', settings = {}, device = {}) {
  const context = await browser.newContext({ viewport: { width, height }, locale: 'en-GB', ...device });
  const page = await context.newPage();
  await page.addInitScript((values) => {
    for (const [name, value] of Object.entries(values)) localStorage.setItem(`tengen.${name}`, JSON.stringify(value));
  }, settings);
  await page.goto(url);
  await page.waitForSelector('.board');
  if (fragment) await page.evaluate((text) => (location.hash = text), fragment);
  return page;
}

const named = (page, name) => page.locator(`[data-name="${name}"]`);
/** Runs in a page without rules against data: draws a picture, and hands over WebP or the pixels. */
async function decode([source, form]) {
  const bitmap = await createImageBitmap(await (await fetch(source)).blob());
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext('2d');
  context.drawImage(bitmap, 0, 0);
  const bytes =
    form === 'webp'
      ? new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality: 0.85 })).arrayBuffer())
      : context.getImageData(0, 0, bitmap.width, bitmap.height).data;
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

/** The picture of a page, as WebP by Chromium's own encoder, or as pixels. */
async function look(page, form, clip) {
  await page.evaluate(() => scrollTo(0, 0));
  const png = await page.screenshot({ clip });
  return Buffer.from(await blank.evaluate(decode, [`data:image/png;base64,${png.toString('base64')}`, form]), 'base64');
}

async function save(page, name) {
  writeFileSync(join(docs, name), await look(page, 'webp'));
  await page.context().close();
}

/** A running analysis. */
async function analysis(width, height, fragment, device) {
  const page = await open(width, height, fragment, {}, device);
  await page.locator('#tab-analysis').click();
  await named(page, 'analyse').click();
  await page.waitForTimeout(4000);
  return page;
}

/** A reviewed game, at its first mistake. */
async function review(width, height) {
  const page = await open(width, height, 'freestyle-15/h8i9i7g9j8h10j10i8i10k10g8h9j9j7g7', { 'review-seconds': 1 });
  await page.locator('#tab-review').click();
  await named(page, 'review').click();
  await named(page, 'review-stop').waitFor();
  await named(page, 'review').waitFor({ timeout: 60_000 });
  await page.locator('.mistakes .line').first().click();
  return page;
}

/** The moves in a page's address. */
const played = (page) => /\/(.*)$/.exec(new URL(page.url()).hash)?.[1].match(/[a-o]\d+/g) ?? [];

/** A first visit, played until the card with the result is there; the user finds the best moves. */
async function firstGame() {
  const [width, height] = [560, 640];
  const page = await open(width, 760);
  const frames = [];
  const shoot = async () => frames.push(await look(page, 'pixels', { x: 0, y: 0, width, height }));
  const isOver = async () => (await named(page, 'rematch').count()) > 0;
  for (const moves = []; !(await isOver()); ) {
    await shoot();
    const { best } = JSON.parse(execFileSync(tengen, ['analyze', '--json', '--nodes', '200000', ...moves]));
    await page.locator(`.cell[aria-label^="${best}:"]`).click();
    await shoot();
    // The address has all moves, a moment after the board.
    while (!(await isOver()) && played(page).length < moves.length + 2) await page.waitForTimeout(50);
    moves.splice(0, moves.length, ...played(page));
  }
  await page.waitForTimeout(500);
  await shoot();
  const { GIFEncoder, applyPalette, quantize } = gifenc;
  const gif = GIFEncoder();
  const palette = quantize(Buffer.concat([frames[0], frames.at(-1)]), 127);
  // Unchanged pixels are transparent: the file takes a tenth of the bytes.
  const same = palette.push([0, 0, 0]) - 1;
  let before = null;
  frames.forEach((frame, i) => {
    const now = applyPalette(frame, palette.slice(0, same));
    const changed = before ? now.map((color, at) => (color === before[at] ? same : color)) : now;
    const delay = i === frames.length - 1 ? 4000 : 600;
    const first = { palette };
    const later = { transparent: true, transparentIndex: same, dispose: 1 };
    gif.writeFrame(changed, width, height, { ...(before ? later : first), delay });
    before = now;
  });
  gif.finish();
  writeFileSync(join(docs, 'first-game.gif'), gif.bytes());
  await page.context().close();
}

const url = await new Promise((resolve) => {
  createInterface(server.stdout).on('line', (line) => {
    const found = /http:\/\/\S+/.exec(line);
    if (found) resolve(found[0]);
  });
});
const blank = await browser.newPage();
await firstGame();
const dialog = await open(900, 660);
await named(dialog, 'menu.new').click();
await save(dialog, 'web-new-game.webp');
await save(await analysis(1280, 860, 'renju-15/h8i9h7h6g8'), 'web-analysis.webp');
await save(await review(1280, 860), 'web-review.webp');
await save(await analysis(390, 794, 'freestyle-15/h8i9i7j8h6', { deviceScaleFactor: 1.5, colorScheme: 'dark' }), 'web-phone.webp');
await browser.close();
server.kill();
rmSync(folder, { recursive: true, force: true });
