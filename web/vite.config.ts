import { defineConfig } from 'vite';

// Two builds: the page, and with `--mode review` the page of a review, whose files `scripts/pack.mjs`
// puts into one.
export default defineConfig(({ mode }) => {
  const isReview = mode === 'review';
  return {
    base: './',
    publicDir: isReview ? false : 'public',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      target: 'es2022',
      outDir: isReview ? 'dist/review' : 'dist/page',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      cssCodeSplit: !isReview,
      rolldownOptions: {
        input: isReview ? 'review.html' : 'index.html',
        ...(isReview ? { output: { codeSplitting: false } } : {}),
      },
    },
  };
});
