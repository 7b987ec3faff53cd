/// <reference types="vite/client" />

/** The large files of the site; `scripts/sizes.mjs` gathers them when the page is built. */
declare const __SIZES__: {
  readonly networks: Readonly<Record<string, { readonly bytes: number; readonly lenders: readonly string[] }>>;
  readonly programs: Readonly<Record<string, number>>;
};
