import { defineConfig } from '@playwright/test';

// The pages are tested with the system's Chromium and a real `pbrain-tengen serve`:
//   CHROMIUM       path of the browser, /usr/bin/chromium by default
//   PBRAIN_TENGEN  path of the program, ../target/release/ or ../target/debug/ by default
//   TENGEN_URL     a server that runs already, with its key
export default defineConfig({
  testDir: 'tests/page',
  timeout: 120_000,
  expect: { timeout: 15_000 },
  workers: 1,
  reporter: 'line',
  globalSetup: './tests/page/serve.ts',
  use: {
    viewport: { width: 1280, height: 860 },
    locale: 'en-GB',
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    },
  },
});
