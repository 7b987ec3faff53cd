/** The addresses of the programs that were built, by their names: `single` and `threads`. */
export const PROGRAMS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(
    import.meta.glob<string>('../../engine/dist/{single,threads}.wasm', { query: '?url', import: 'default', eager: true }),
  ).map(([path, url]) => [/(\w+)\.wasm$/.exec(path)![1]!, url]),
);
