// What only the site can: work on a host without special headers, offline, and in a newer version.
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test as base } from '@playwright/test';
import type { Host } from '../page/host';
import { startHost } from '../page/host';

/** A plain host with a copy of the site, at another address in each test. */
const test = base.extend<{ folder: string; host: Host }>({
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'tengen-site-'));
    cpSync(process.env['TENGEN_SITE']!, folder, { recursive: true });
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
  host: async ({ folder }, use) => {
    const host = await startHost(folder);
    await use(host);
    host.close();
  },
});
test.skip(process.env['TENGEN_THREADS'] === '1', 'no service worker without isolation');

/**
 * Opens the page at a position, where both colours are the user's own, and waits for its engine. On the empty
 * board of a first visit Tengen would answer each move.
 */
async function open(page: Page, host: Host, fragment = '#freestyle-15/h8i9'): Promise<void> {
  await page.addInitScript(() => {
    for (const [name, value] of [['limit-kind', 'depth'], ['move-depth', 4], ['hash', 16]]) {
      localStorage.setItem(`tengen.${name}`, JSON.stringify(value));
    }
  });
  await page.goto(host.url + fragment);
  await expect.poll(() => isIsolated(page)).toBe(true);
  await expect(page.locator('[data-name="engine-move"]')).toBeEnabled();
}

/** Makes a newer version of the site in a folder. */
function renew(folder: string): void {
  const index = join(folder, 'index.html');
  writeFileSync(index, readFileSync(index, 'utf8').replace('<title>', '<meta name="tengen-test"><title>'));
  const worker = join(folder, 'sw.js');
  writeFileSync(worker, readFileSync(worker, 'utf8').replace(/VERSION = '\w+'/, "VERSION = 'newer'"));
}

/** False too while the page is being loaded again. */
const isIsolated = (page: Page) => page.evaluate(() => crossOriginIsolated).catch(() => false);

async function expectMove(page: Page): Promise<void> {
  const stones = page.locator('[data-cell="black"], [data-cell="white"]');
  const before = await stones.count();
  await page.locator('[data-name="engine-move"]').click();
  await expect(stones).toHaveCount(before + 1);
}

test('the service worker isolates the page on a plain host', async ({ page, host }) => {
  await open(page, host, '#renju-15/h8i9');
  await expect(page.locator('.rule-name')).toHaveText('Renju 15×15');
  await expectMove(page);
});

/** Number of programs and networks that are kept for offline use. */
function keptFiles(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const name = (await caches.keys()).find((key) => key.endsWith('large'));
    return name ? (await (await caches.open(name)).keys()).length : 0;
  });
}

for (const isolates of [false, true]) {
  test(`offline after one visit to a host that ${isolates ? 'isolates its pages' : 'sends no headers'}`, async ({ page, context, folder }) => {
    const host = await startHost(folder, isolates);
    await open(page, host);
    await expectMove(page);
    await expect(page.locator('[data-name="site.loading"]')).toHaveCount(0);
    await expect.poll(() => keptFiles(page)).toBe(2);
    // The host is gone, and the browser's own cache is not asked.
    host.setOffline(true);
    await context.setOffline(true);
    const other = await context.newPage();
    await open(other, host);
    await expectMove(other);
    await expect(other.locator('[data-name="site.no-network"]')).toHaveCount(0);
    // A network that was never fetched is missed, and the engine plays all the same.
    await other.evaluate(() => (location.hash = 'renju-15/h8i9h7'));
    await expectMove(other);
    await expect(other.locator('[data-name="site.no-network"]')).toBeVisible();
    await context.setOffline(false);
    host.setOffline(false);
    await expectMove(other);
    await expect(other.locator('[data-name="site.no-network"]')).toHaveCount(0);
    host.close();
  });
}

test('a network that the engine cannot use is missed, and it plays all the same', async ({ page, folder, host }) => {
  const assets = join(folder, 'assets');
  const network = readdirSync(assets).find((name) => name.startsWith('network-freestyle'))!;
  writeFileSync(join(assets, network), new Uint8Array(64));
  await open(page, host);
  await expectMove(page);
  await expect(page.locator('[data-name="site.no-network"]')).toBeVisible();
  await expectMove(page);
});

test('a newer version is announced, and used when the user wants', async ({ page, folder, host }) => {
  await open(page, host);
  await expect(page.locator('[data-name="site.outdated"]')).toHaveCount(0);
  renew(folder);
  await page.reload();
  await page.evaluate(async () => void (await navigator.serviceWorker.ready).update());
  await expect(page.locator('[data-name="site.outdated"]')).toBeVisible();
  await expect(page.locator('meta[name="tengen-test"]')).toHaveCount(0);
  await page.locator('[data-name="site.update"]').click();
  await expect(page.locator('meta[name="tengen-test"]')).toHaveCount(1);
  await expect(page.locator('[data-name="site.outdated"]')).toHaveCount(0);
  await expect(page.locator('[data-cell="black"], [data-cell="white"]')).toHaveCount(2);
});

test('a newer version is used by a second tab too, when the user wants', async ({ page, context, folder, host }) => {
  await open(page, host);
  const second = await context.newPage();
  await open(second, host);
  renew(folder);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready).update());
  await page.locator('[data-name="site.update"]').click();
  await expect(page.locator('meta[name="tengen-test"]')).toHaveCount(1);
  await expect(second.locator('meta[name="tengen-test"]')).toHaveCount(0);
  await second.locator('[data-name="site.update"]').click();
  await expect(second.locator('meta[name="tengen-test"]')).toHaveCount(1);
  await expect(second.locator('[data-name="site.outdated"]')).toHaveCount(0);
  await expect(second.locator('[data-cell="black"], [data-cell="white"]')).toHaveCount(2);
});

test('two copies on one host leave each other what they keep', async ({ context, folder, host }) => {
  const copies = ['first', 'second'].map((name) => ({ ...host, url: `${host.url}${name}/` }));
  for (const name of ['first', 'second']) cpSync(process.env['TENGEN_SITE']!, join(folder, name), { recursive: true });
  renew(join(folder, 'second'));
  /** A visit to each in a tab of its own. */
  const visit = async () => {
    for (const copy of copies) {
      const page = await context.newPage();
      await open(page, copy);
      await expectMove(page);
      await expect(page.locator('[data-name="site.loading"]')).toHaveCount(0);
      await expect(page.locator('[data-name="site.no-network"]')).toHaveCount(0);
      await page.close();
    }
  };
  await visit();
  host.setOffline(true);
  await context.setOffline(true);
  await visit();
});

test('it can be installed', async ({ page, host }) => {
  await open(page, host);
  const client = await page.context().newCDPSession(page);
  const { installabilityErrors } = await client.send('Page.getInstallabilityErrors');
  // The only obstacle to installing: Playwright's contexts are private windows.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
});
