import { existsSync } from 'node:fs';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { test as base, expect } from '@playwright/test';
import type { Page } from '@playwright/test';

export { expect };

/** True if the site is tested that needs no server. */
export const isSite = 'TENGEN_SITE' in process.env;
/** The tabs beside the board; only a server keeps a database. */
export const TABS = ['play', 'analysis', 'review', 'problem', ...(isSite ? [] : ['database'])];

/** Findings of axe that hinder people. */
export async function findings(page: Page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter((v) => v.impact === 'serious' || v.impact === 'critical')
    .map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(' | ')}`);
}

/** Actions of a user on the page. */
export class BoardPage {
  constructor(readonly page: Page) {}

  /** Opens the page with its key, and a position if one is named. */
  async open(fragment = ''): Promise<void> {
    const url = process.env['TENGEN_URL']!;
    // A page that is there already stays: a key in its address would load it again.
    const isFirst = !this.page.url().startsWith(new URL(url).origin);
    if (isFirst) await this.page.goto(isSite ? new URL('#', url).href : url);
    await this.page.waitForSelector('.board');
    // A first visit plays against Tengen: a test without a position begins with an empty board for two.
    if (isFirst && !fragment) await this.named('side-white').click();
    if (fragment) await this.page.evaluate((text) => (location.hash = text), fragment);
    await expect(this.named('connection')).toHaveCount(0);
  }

  named(name: string) {
    return this.page.locator(`[data-name="${name}"]`);
  }

  /** Types a value into a field in place of what is there, as a user does; the field keeps the focus. */
  async type(name: string, value: string): Promise<void> {
    // `fill` adds to what a number field of Firefox has.
    await this.named(name).press('ControlOrMeta+a');
    await this.named(name).pressSequentially(value);
  }

  /** Chooses from the menu of the game's files. */
  async menu(name: string): Promise<void> {
    await this.named('menu').click();
    await this.named(name).click();
  }

  cell(label: string) {
    return this.page.locator(`.cell[aria-label^="${label}:"]`);
  }

  /** Clicks on points in turn: `h8 i9`. */
  async click(labels: string): Promise<void> {
    for (const label of labels.split(' ')) await this.cell(label).click();
  }

  async expectStones(count: number): Promise<void> {
    await expect(this.page.locator('[data-cell="black"], [data-cell="white"]')).toHaveCount(count);
  }

  async tab(name: string): Promise<void> {
    await this.page.locator(`#tab-${name}`).click();
  }

  /** Settings that make the engine quick and the same everywhere. */
  async quick(settings: Record<string, unknown> = {}): Promise<void> {
    await this.page.addInitScript((values) => {
      // The first, empty page of a window has no storage: Firefox throws.
      if (!location.protocol.startsWith('http')) return;
      for (const [name, value] of Object.entries(values)) {
        if (localStorage.getItem(`tengen.${name}`) === null) {
          localStorage.setItem(`tengen.${name}`, JSON.stringify(value));
        }
      }
    }, { 'threads-used': isSite && process.env['TENGEN_THREADS'] !== '1' ? 2 : 1, hash: 16, 'limit-kind': 'depth', 'move-depth': 2, pause: false, ...settings });
  }

  /** Begins a game through the dialog. */
  async newGame(options: {
    rule?: string;
    opening?: string;
    user?: 'first' | 'second' | 'both' | 'none';
    side?: number;
  }): Promise<void> {
    const choose = (name: string, value: string) => this.page.locator(`input[name="${name}"][value="${value}"]`).check();
    await this.named('menu.new').click();
    if (options.rule) await choose('rule', options.rule);
    if (options.side || options.opening) await this.named('more').click();
    if (options.side) {
      for (const name of ['width', 'height']) {
        await this.type(name, String(options.side));
        await this.named(name).blur();
      }
    }
    if (options.opening) await this.named('opening').selectOption(options.opening);
    if (options.user) await choose('user', options.user);
    await this.named('start').click();
  }
}

/** Has the page of `TENGEN_PAGE` come in the place of the one that a server has. */
export async function standIn(page: Page, url: string): Promise<void> {
  const folder = process.env['TENGEN_PAGE'];
  if (!folder) return;
  await page.context().route(`${new URL(url).origin}/**`, (route) => {
    const path = join(folder, new URL(route.request().url()).pathname.replace(/\/$/, '/index.html'));
    return existsSync(path) ? route.fulfill({ path }) : route.continue();
  });
}

/** A test with the page, which fails on any error in the console. */
export const test = base.extend<{ board: BoardPage }>({
  board: async ({ page }, use) => {
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      // A file that is refused is an answer, not an error of the page.
      if (message.type() === 'error' && !/status of 422/.test(message.text())) errors.push(message.text());
    });
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    await standIn(page, process.env['TENGEN_URL']!);
    const board = new BoardPage(page);
    await board.quick();
    await use(board);
    expect(errors).toEqual([]);
    const own = new URL(process.env['TENGEN_URL']!).host;
    expect([...hosts].filter((host) => host !== own && host !== '')).toEqual([]);
  },
});
