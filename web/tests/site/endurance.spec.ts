// Long play by a script, for TENGEN_MINUTES: games, analysis, stops, other sizes and rules. The memory of
// the page's process must stay flat, and the console without errors. Linux only: it reads /proc.
import { existsSync, readFileSync } from 'node:fs';
import type { Browser, Page } from '@playwright/test';
import { expect, test } from '../page/helpers';

const minutes = Number(process.env['TENGEN_MINUTES'] ?? 0);
test.skip(minutes === 0 || !existsSync('/proc/self/smaps_rollup'), 'only where TENGEN_MINUTES says for how long');

/** Lets the page and its workers, which have a heap each, throw away what they no longer need. */
async function collectGarbage(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const workers: string[] = [];
  client.on('Target.attachedToTarget', ({ sessionId }) => workers.push(sessionId));
  await client.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  const message = JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' });
  for (const sessionId of workers) await client.send('Target.sendMessageToTarget', { sessionId, message });
  await client.send('HeapProfiler.collectGarbage');
  // The workers do not say when they are done.
  await page.waitForTimeout(2000);
  await client.detach();
}

/** Memory of the largest process of pages in MiB: what it has for itself, and its share of the rest. */
async function pageMiB(browser: Browser): Promise<number> {
  const client = await browser.newBrowserCDPSession();
  const { processInfo } = await client.send('SystemInfo.getProcessInfo');
  await client.detach();
  const shares = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))?.[1] ?? 0));
  return Math.round(Math.max(...shares) / 1024);
}

test('memory stays flat', async ({ board, page, browser }) => {
  const end = Date.now() + minutes * 60_000;
  test.setTimeout(minutes * 60_000 + 300_000);
  await page.addInitScript(() => {
    for (const [name, value] of [['limit-kind', 'time'], ['move-seconds', 0.3]]) {
      localStorage.setItem(`tengen.${name}`, JSON.stringify(value));
    }
  });
  await board.open();
  const rules = ['freestyle', 'standard', 'renju', 'caro', 'caro9'];
  const sides = [15, 20, 9, 22, 13];
  const samples: number[] = [];
  for (let round = 0; Date.now() < end; round += 1) {
    const rule = rules[round % rules.length]!;
    await board.newGame({ rule, side: sides[(round * 3) % sides.length]!, user: 'none' });
    await page.waitForTimeout(20_000);
    await board.newGame({ rule, user: 'first' });
    await board.click('h8');
    await board.expectStones(2);
    await board.tab('analysis');
    await board.named('analyse').click();
    await expect(page.locator('[data-mark="candidate"]').first()).toBeVisible();
    await page.waitForTimeout(8000);
    for (const key of ['ArrowLeft', 'ArrowRight']) {
      await page.keyboard.press(key);
      await page.waitForTimeout(500);
    }
    await board.named('analyse').click();
    await board.tab('play');
    const before = await pageMiB(browser);
    await collectGarbage(page);
    samples.push(await pageMiB(browser));
    console.log(`round ${round}, ${rule}: ${before} MiB, without garbage ${samples.at(-1)} MiB`);
  }
  // Every rule was played by then, so that all tables are there.
  const [first, last] = [samples.slice(5, 10), samples.slice(-5)].map((part) => Math.max(...part));
  expect(samples.length).toBeGreaterThan(10);
  expect(last).toBeLessThan(first! + 20);
  // With the site's own table.
  expect(Math.max(...samples)).toBeLessThan(200);
});
