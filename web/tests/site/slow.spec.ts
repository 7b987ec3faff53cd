import { devices } from '@playwright/test';
import { expect, test } from '../page/helpers';

const { defaultBrowserType: _, ...phone } = devices['Pixel 7'];
test.use(phone);

test('a phone with a slow processor: moves, an analysis, a stop', async ({ board, page }) => {
  const client = await page.context().newCDPSession(page);
  await client.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  await board.open();
  await board.cell('h8').tap();
  await board.named('engine-move').tap();
  await board.expectStones(2);
  await page.locator('#tab-analysis').tap();
  await board.named('analyse').tap();
  await expect(page.locator('[data-mark="candidate"]').first()).toBeVisible();
  await board.named('analyse').tap();
  await expect(board.named('analyse')).toHaveAttribute('aria-pressed', 'false');
  await page.locator('#tab-play').tap();
  await board.named('limit-kind').selectOption('time');
  await board.named('limit').fill('3600');
  await board.named('limit').blur();
  await board.named('engine-move').tap();
  await page.waitForTimeout(1000);
  await board.expectStones(2);
  await board.named('move-now').tap();
  await board.expectStones(3);
});
