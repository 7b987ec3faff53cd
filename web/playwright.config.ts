import { defineConfig } from '@playwright/test';

// The pages are tested with the system's Chromium and a real `tengen serve`:
//   CHROMIUM       path of the browser, /usr/bin/chromium by default
//   TENGEN  path of the program, ../target/release/ or ../target/debug/ by default
//   TENGEN_URL     a server that runs already, with its key
//   TENGEN_SITE    folder of the site that needs no server, which is then tested in place of `serve`:
//   TENGEN_THREADS   with one thread, where 1, in a page that is not isolated; otherwise with two
const isSite = 'TENGEN_SITE' in process.env;
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
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    },
  },
});
