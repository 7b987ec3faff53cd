// A whole game by keyboard alone, and all that assistive technology is told meanwhile, as `heard.txt` has it.
// `WRITE_TABLES=1` writes that file again.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, isSite, test } from './helpers';

const FILE = 'tests/page/heard.txt';
/** The engine's moves, from the left upper corner: what is heard does not depend on its strength. */
const REPLIES = ['0,14', '2,14', '4,14', '6,7', '7,7'];

/** Runs in the page: puts prescribed moves in the place of the engine's, and notes what live regions say. */
function listen(replies: string[]): void {
  const NativeSocket = window.WebSocket;
  class Prescribed extends NativeSocket {
    override set onmessage(handle: (event: MessageEvent<string>) => void) {
      super.onmessage = ({ data }: MessageEvent<string>) => {
        const isMove = /^\d+,\d+$/.test(data);
        handle(new MessageEvent('message', { data: isMove ? (replies.shift() ?? data) : data }));
      };
    }
  }
  const said: string[] = [];
  Object.assign(window, { WebSocket: Prescribed, said });
  const LIVE = '[role="status"], [role="alert"], [aria-live="polite"], [aria-live="assertive"]';
  const known = new WeakSet<Element>();
  const note = (changes: MutationRecord[]) => {
    const changed = new Set<Element>();
    for (const { target, addedNodes } of changes) {
      const at = target instanceof Element ? target : target.parentElement;
      const region = at?.closest(LIVE);
      // A region that comes with its text is an alert, or is not heard.
      if (region && known.has(region)) changed.add(region);
      for (const added of addedNodes) {
        if (!(added instanceof Element)) continue;
        for (const alert of [added, ...added.querySelectorAll('[role="alert"]')]) {
          if (alert.matches('[role="alert"]')) changed.add(alert);
        }
      }
    }
    document.querySelectorAll(LIVE).forEach((region) => known.add(region));
    const dialog = document.querySelector('dialog[open]');
    for (const region of changed) {
      const text = region.textContent!.replace(/\s+/g, ' ').trim();
      // The page behind a dialog is silent.
      if (text !== '' && region.isConnected && (!dialog || dialog.contains(region))) said.push(text);
    }
  };
  new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true });
}

/** Runs in the page: the groups around the focused element, from outside, and its description. */
function surroundings(): { groups: string[]; description: string; value: string } {
  const at = document.activeElement!;
  const byIds = (ids: string | null) =>
    (ids ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' ').trim();
  const groups: string[] = [];
  const GROUPS = 'dialog, fieldset, nav, section[aria-label], [role="group"], [role="grid"], [role="tablist"], [role="tabpanel"]';
  for (let group = at.closest(GROUPS); group; group = group.parentElement?.closest(GROUPS) ?? null) {
    const names: Record<string, string> = { FIELDSET: 'group', NAV: 'navigation', SECTION: 'region', DIALOG: 'dialog' };
    const name =
      byIds(group.getAttribute('aria-labelledby')) ||
      group.getAttribute('aria-label') ||
      (group.querySelector(':scope > legend')?.textContent ?? '');
    groups.unshift(`${group.getAttribute('role') ?? names[group.tagName]} "${name}"`);
  }
  const title = at.hasAttribute('aria-label') && at.getAttribute('title') !== at.getAttribute('aria-label') ? at.getAttribute('title') : '';
  // What a snapshot leaves out.
  const value =
    at instanceof HTMLSelectElement
      ? `: "${at.selectedOptions[0]!.text}"`
      : at.tagName === 'SUMMARY'
        ? ` [${at.closest('details')!.open ? 'expanded' : 'collapsed'}]`
        : '';
  return { groups, description: byIds(at.getAttribute('aria-describedby')) || title || '', value };
}

class Listener {
  readonly lines: string[] = [];
  private groups: string[] = [];
  private focused = '';
  constructor(private readonly page: Page) {}

  /** Presses keys, waits for a text that is said if one is named, and writes down what is heard. */
  async press(keys: string, until = ''): Promise<void> {
    for (const key of keys.split(' ')) {
      await this.page.keyboard.press(key);
      const said = await this.said(key === keys.split(' ').at(-1) ? until : '');
      await this.write(key, said);
    }
  }

  /** Types a value in the place of the one that a field has. */
  async type(value: string): Promise<void> {
    await this.page.keyboard.press('Control+a');
    await this.page.keyboard.type(value);
    await this.write(value, await this.said(''));
  }

  /** Presses Tab until an element of that name has the focus. */
  async tabTo(name: string): Promise<void> {
    for (let i = 0; i < 40; i += 1) {
      await this.press('Tab');
      if (this.focused.includes(`"${name}`)) return;
    }
    throw new Error(`Tab does not reach ${name}:\n${this.lines.join('\n')}`);
  }

  private async said(until: string): Promise<string[]> {
    const found: string[] = [];
    await expect
      .poll(async () => {
        // The page draws after the next frame at the latest.
        await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30))));
        found.push(...(await this.page.evaluate(() => (window as unknown as { said: string[] }).said.splice(0))));
        return until === '' || found.some((text) => text.includes(until));
      })
      .toBe(true);
    return found;
  }

  private async write(key: string, said: readonly string[]): Promise<void> {
    const snapshot = await this.page.locator(':focus').ariaSnapshot({ timeout: 2000 }).catch(() => '- (nothing)');
    const [first = ''] = snapshot.split('\n');
    const { groups, description, value } = await this.page.evaluate(surroundings);
    const element = first.replace(/^- /, '').replace(/:$/, '').replace(/^'(.*?)'/, '$1').replace(/^text: (.*)/, 'summary $1');
    const entered = groups.filter((group) => !this.groups.includes(group));
    const focused = [...entered, element + value].join(', ') + (description && `. ${description}`);
    const isSame = entered.length === 0 && focused === this.focused;
    const heard = [...(isSame ? [] : [focused]), ...said.map((text) => `says: ${text}`)];
    this.lines.push(...(heard.length > 0 ? heard : ['(silence)']).map((text, i) => `${(i === 0 ? key : '').padEnd(12)}${text}`));
    this.groups = groups;
    this.focused = focused;
  }
}

test('a whole game by keyboard alone is heard as the record has it', async ({ board, page, browserName }) => {
  test.skip(browserName !== 'firefox' || isSite, 'one record: that of Firefox');
  await board.quick({ level: 100 });
  await page.addInitScript(listen, REPLIES);
  await page.goto(process.env['TENGEN_URL']!);
  await page.waitForSelector('.board');
  const record = new Listener(page);
  await record.press('Tab Enter');
  await record.tabTo('Freestyle');
  await record.press('Tab Enter');
  await record.tabTo('Columns');
  await record.type('99');
  await record.press('Tab', 'From 5 to 22');
  await record.press('Shift+Tab');
  await record.type('15');
  await record.tabTo('Start');
  await record.press('Enter');
  // The board has the focus: a stone, one on a point that is taken, and back.
  await record.press('Enter', 'Your move');
  await record.press('Enter');
  await record.press('Control+z', 'Put a stone');
  await record.press('Control+y', 'Your move');
  await record.press('ArrowRight');
  await record.press('Enter', 'Your move');
  await record.press('ArrowRight');
  await record.press('Enter', 'Your move');
  await record.press('ArrowRight');
  await record.press('Enter', 'Your move');
  await record.press('ArrowRight');
  await record.press('Enter', 'Black wins');
  await record.tabTo('Rematch');
  await record.press('Enter', 'Your move');
  const text = `${record.lines.map((line) => line.trimEnd()).join('\n')}\n`;
  if (process.env['WRITE_TABLES']) {
    const [head] = readFileSync(FILE, 'utf8').split('\n\n');
    writeFileSync(FILE, `${head}\n\n${text}`);
  }
  const held = readFileSync(FILE, 'utf8');
  expect(text).toBe(held.slice(held.indexOf('\n\n') + 2));
});
