import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

// The pages are tested with the system's browsers and a real `tengen serve`:
//   CHROMIUM, FIREFOX   paths of the browsers; a missing browser is left out
//   TENGEN  path of the program, ../target/release/ or ../target/debug/ by default
//   TENGEN_PAGE    folder of a built page, dist/page, in place of the program's own
//   TENGEN_URL     a server that runs already, with its key
//   TENGEN_SITE    folder of the site without a server, to be tested in place of `serve`:
//   TENGEN_THREADS   with one thread, where 1, in a page that is not isolated; otherwise with two
const isSite = 'TENGEN_SITE' in process.env;
const chromium = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const firefox = process.env['FIREFOX'] ?? ['/usr/bin/firefox', '/usr/bin/firefox-esr'].find(existsSync);
// A page that did not come from the machine itself may not reach its server, says Chromium.
const standIn = process.env['TENGEN_PAGE'] ? ['--disable-features=LocalNetworkAccessChecks'] : [];
export default defineConfig({
  testDir: 'tests',
  testMatch: isSite ? ['page/*.spec.ts', 'site/*.spec.ts'] : 'page/*.spec.ts',
  timeout: 120_000,
  expect: { timeout: 15_000 },
  workers: 1,
  reporter: 'line',
  globalSetup: './tests/page/serve.ts',
  use: {
    viewport: { width: 1280, height: 860 },
    locale: 'en-GB',
    serviceWorkers: process.env['TENGEN_THREADS'] === '1' ? 'block' : 'allow',
  },
  projects: [
    { name: 'chromium', use: { launchOptions: { executablePath: chromium, args: ['--no-sandbox', ...standIn] } } },
    // Firefox as it is: Playwright drives its own builds otherwise. Releases after 1.64 need commands that
    // Firefox 153 does not know.
    ...(firefox && !isSite
      ? [
          {
            name: 'firefox',
            // The other files hold what Firefox has no tools for: downloads, frames of sockets, axe in its time.
            testMatch: ['hands', 'heard', 'input', 'new-game', 'problems', 'undo'].map((name) => `page/${name}.spec.ts`),
            use: { browserName: 'firefox' as const, channel: 'moz-firefox', launchOptions: { executablePath: firefox } },
          },
        ]
      : []),
  ],
});
