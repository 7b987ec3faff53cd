import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { licencesOf } from './scripts/licences.mjs';
import { siteSizes } from './scripts/sizes.mjs';

/** What the page may load and do on any host: the rules of `src/serve/response.rs`, and WebAssembly. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; " +
  "connect-src 'self' blob:; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'";

/** What only the site has in the head of its page. */
const siteHead = {
  name: 'site-head',
  transformIndexHtml: () => [
    { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY }, injectTo: 'head-prepend' as const },
    { tag: 'link', attrs: { rel: 'apple-touch-icon', href: './icon-180.png' }, injectTo: 'head' as const },
  ],
};

// The builds: the page of `tengen serve`; with `--mode site` the same page for any web host, with
// the engine in it; with `--mode review` the page of a review, whose files `scripts/pack.mjs` puts into
// one. `--mode package` builds the engine for programs of others, which `scripts/package.mjs` packs.
export default defineConfig(({ mode }) => {
  const isReview = mode === 'review';
  const isSite = mode === 'site';
  const isPackage = mode === 'package';
  const transport = isSite ? './src/site/transport.ts' : './src/transport/serve.ts';
  return {
    base: './',
    publicDir: isReview || isPackage ? false : 'public',
    resolve: { alias: { '#transport': fileURLToPath(new URL(transport, import.meta.url)) } },
    plugins: isSite ? [siteHead] : [],
    ...(isSite || isPackage ? { define: { __SIZES__: JSON.stringify(siteSizes()) } } : {}),
    worker: { format: 'es' as const, rolldownOptions: { output: { postBanner: licencesOf } } },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      target: 'es2022',
      outDir: `dist/${isReview || isSite || isPackage ? mode : 'page'}`,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      cssCodeSplit: !isReview,
      rolldownOptions: {
        input: isPackage ? 'src/package.ts' : isReview ? 'review.html' : 'index.html',
        output: {
          postBanner: licencesOf,
          ...(isReview ? { codeSplitting: false } : {}),
          ...(isPackage ? { entryFileNames: 'index.js' } : {}),
        },
        ...(isPackage ? { external: ['web-worker'], preserveEntrySignatures: 'strict' as const } : {}),
      },
    },
  };
});
