import { defineConfig } from 'vitest/config';

/** Networks of 22 bytes; the network of caro uses rows of freestyle's. */
const SIZES = {
  networks: { freestyle: { bytes: 22, lenders: [] }, caro: { bytes: 22, lenders: ['freestyle'] } },
  programs: { single: 22, threads: 22 },
};

export default defineConfig({
  define: { __SIZES__: JSON.stringify(SIZES) },
  test: { include: ['tests/unit/**/*.test.ts'] },
});
