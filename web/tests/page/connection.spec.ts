// The page without an engine: its message, and its way back.
import { expect, test as base } from '@playwright/test';
import { isSite, standIn } from './helpers';
import { startServer } from './serve';

base.skip(isSite, 'only a server can be restarted, or full');

base('after a restart of the server the page says that its new address is to be opened', async ({ page }) => {
  const first = await startServer();
  const { port } = new URL(first.url);
  await standIn(page, first.url);
  await page.goto(first.url);
  await expect(page.locator('[data-name="engine-move"]')).toBeEnabled();
  await page.locator('[data-name="side-white"]').click();
  await page.locator('.cell[aria-label^="h8:"]').click();
  const connection = page.locator('[data-name="connection"]');
  await first.end();
  await expect(connection).toContainText('lost');
  const second = await startServer('--port', port);
  await expect(connection).toContainText('Open the new address');
  await page.goto(second.url);
  await expect(page.locator('[data-name="connection"]')).toHaveCount(0);
  await expect(page.locator('[data-cell="black"]')).toHaveCount(1);
  await second.end();
});

base('the links of a server with the address of a public board lead there', async ({ page }) => {
  const server = await startServer('--address', 'https://board.example/tengen/?a=1&b="2"');
  await standIn(page, server.url);
  await page.goto(server.url);
  await page.locator('[data-name="menu"]').click();
  await page.locator('[data-name="menu.share"]').click();
  const link = page.locator('[data-name="link-text"]');
  await expect(link).toHaveValue('https://board.example/tengen/?a=1&b="2"#freestyle-15/');
  await expect(page.locator('[data-name="share-local"]')).toHaveCount(0);
  await page.keyboard.press('Escape');
  // The user's own choice comes first.
  await page.locator('[data-name="menu.settings"]').click();
  const field = page.locator('[data-name="address"]');
  await expect(field).toHaveAttribute('placeholder', /^https:\/\/board\.example/);
  await field.fill('own.example');
  await field.blur();
  await page.keyboard.press('Escape');
  await page.locator('[data-name="menu"]').click();
  await page.locator('[data-name="menu.share"]').click();
  await expect(link).toHaveValue('https://own.example#freestyle-15/');
  await server.end();
});

base('a board too many says so, and takes the place of one that is closed', async ({ page, context }) => {
  const server = await startServer('--sessions', '2');
  await standIn(page, server.url);
  const ready = (at: typeof page) => expect(at.locator('[data-name="engine-move"]')).toBeEnabled();
  await page.goto(server.url);
  await ready(page);
  const second = await context.newPage();
  await second.goto(server.url);
  await ready(second);
  const third = await context.newPage();
  await third.goto(server.url);
  await expect(third.locator('[data-name="connection"]')).toContainText('As many boards are open');
  await second.close();
  await ready(third);
  await expect(third.locator('[data-name="connection"]')).toHaveCount(0);
  await server.end();
});
