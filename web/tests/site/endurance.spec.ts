// Long play by a script, for TENGEN_MINUTES: games, analysis, stops, other sizes and rules. What the page and its
// workers hold must stay flat, their process small, and the console without errors. Linux only: it reads /proc.
import { existsSync, readFileSync } from 'node:fs';
import type { Browser, Page } from '@playwright/test';
import { expect, test } from '../page/helpers';

interface Usage {
  usedSize: number;
  embedderHeapUsedSize: number;
  backingStorageSize: number;
}

const minutes = Number(process.env['TENGEN_MINUTES'] ?? 0);
test.skip(minutes === 0 || !existsSync('/proc/self/status'), 'only where TENGEN_MINUTES says for how long');

/** Memory held by the page and its workers, which have a heap each, after a collection of garbage, in MiB. */
async function heldMiB(page: Page): Promise<number> {
  const client = await page.context().newCDPSession(page);
  const workers: string[] = [];
  const answers = new Map<number, (answer: Usage) => void>();
  client.on('Target.attachedToTarget', ({ sessionId }) => workers.push(sessionId));
  client.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, result } = JSON.parse(message) as { id: number; result: Usage };
    answers.get(id)?.(result);
  });
  await client.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  const ask = (sessionId: string, method: string) =>
    new Promise<Usage>((resolve) => {
      const id = answers.size + 1;
      answers.set(id, resolve);
      void client.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) });
    });
  const usages = await Promise.all(
    workers.map(async (sessionId) => {
      await ask(sessionId, 'HeapProfiler.collectGarbage');
      return ask(sessionId, 'Runtime.getHeapUsage');
    }),
  );
  await client.send('HeapProfiler.collectGarbage');
  usages.push((await client.send('Runtime.getHeapUsage')) as Usage);
  await client.detach();
  const bytes = usages.map((usage) => usage.usedSize + usage.embedderHeapUsedSize + usage.backingStorageSize);
  return bytes.reduce((sum, part) => sum + part, 0) / 2 ** 20;
}

/** Private memory of the largest process of pages, in MiB, counted as by Chrome's task manager. */
async function privateMiB(browser: Browser): Promise<number> {
  const client = await browser.newBrowserCDPSession();
  const { processInfo } = await client.send('SystemInfo.getProcessInfo');
  await client.detach();
  const sizes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => {
    const status = readFileSync(`/proc/${id}/status`, 'utf8');
    const kib = ['RssAnon', 'VmSwap'].map((key) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0));
    return kib[0]! + kib[1]!;
  });
  return Math.round(Math.max(...sizes) / 1024);
}

test('memory stays flat', async ({ board, page, browser }) => {
  const end = Date.now() + minutes * 60_000;
  test.setTimeout(minutes * 60_000 + 300_000);
  await page.addInitScript((count) => {
    for (const [name, value] of [['limit-kind', 'time'], ['move-seconds', 0.3], ['threads-used', count]] as const) {
      localStorage.setItem(`tengen.${name}`, JSON.stringify(value));
    }
  }, process.env['TENGEN_THREADS'] === '1' ? 1 : 2);
  await board.open();
  const rules = ['freestyle', 'standard', 'renju', 'caro', 'caro9'];
  const sides = [15, 20, 9, 22, 13];
  const held: number[] = [];
  const processes: number[] = [];
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
    held.push(await heldMiB(page));
    processes.push(await privateMiB(browser));
    console.log(`round ${round}, ${rule}: holds ${held.at(-1)!.toFixed(1)} MiB, process ${processes.at(-1)} MiB`);
  }
  // Every rule was played by then, so that all tables are there.
  const [first, last] = [held.slice(5, 10), held.slice(-5)].map((part) => Math.max(...part));
  expect(held.length).toBeGreaterThan(10);
  // V8 goes on compiling for hours. By heap snapshots nothing else grows.
  expect(last).toBeLessThan(first! + 4);
  // With the site's own table.
  expect(Math.max(...processes)).toBeLessThan(200);
});
