// Builds the engine as WebAssembly into engine/dist: `node scripts/engine.mjs [single] [threads] [--checks]`,
// without a name both. Needs Rust's target; with threads the standard library is built too, for which
// its source is needed (`rustup component add rust-src`). Both are built at once: with one codegen unit,
// each build keeps one core busy.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TARGET = 'wasm32-unknown-unknown';
/** Stack of the first thread; the search recurses deeper than 1 MiB allows. */
const STACK = 8 << 20;
/** Most memory that threads share. */
const MAX_MEMORY = 1 << 30;
/** Features of every browser with SIMD128: Chrome 91, Firefox 89, Safari 16.4. */
const FEATURES = ['+simd128', '+bulk-memory', '+sign-ext', '+nontrapping-fptoint', '+mutable-globals'];
const EXPORTS = ['__stack_pointer', '__wasm_init_tls', '__tls_size', '__tls_align'];

const folder = fileURLToPath(new URL('../engine', import.meta.url));
const target = join(folder, '../../target/wasm');

/** Builds one of the programs and returns its path; `null` where the machine lacks what it takes. */
async function buildEngine(name, { checks = false } = {}) {
  const hasThreads = name === 'threads';
  const features = hasThreads ? [...FEATURES, '+atomics'] : FEATURES;
  const linker = [`-zstack-size=${STACK}`];
  if (hasThreads) {
    linker.push('--shared-memory', '--import-memory', `--max-memory=${MAX_MEMORY}`);
    linker.push(...EXPORTS.map((symbol) => `--export=${symbol}`));
  }
  // Cargo passes over RUSTFLAGS where a release has set the encoded form, so these flags join it.
  const given = process.env.CARGO_ENCODED_RUSTFLAGS;
  const flags = [
    ...(given ? [given] : []),
    `-Ctarget-feature=${features.join(',')}`,
    ...linker.map((argument) => `-Clink-arg=${argument}`),
  ].join('\x1f');
  const folderOfBuild = join(target, name);
  const options = ['--release', '--locked', '--target', TARGET, '--target-dir', folderOfBuild];
  if (checks) options.push('--features', 'checks');
  if (hasThreads) options.push('-Z', 'build-std=std,panic_abort');
  const cargo = spawn('cargo', ['build', ...options], {
    cwd: folder,
    stdio: 'inherit',
    // `build-std` is unstable: the stable compiler takes it only with `RUSTC_BOOTSTRAP`.
    env: { ...process.env, CARGO_ENCODED_RUSTFLAGS: flags, ...(hasThreads ? { RUSTC_BOOTSTRAP: '1' } : {}) },
  });
  const [status] = await once(cargo, 'close');
  if (status !== 0) return null;
  mkdirSync(join(folder, 'dist'), { recursive: true });
  const program = join(folder, 'dist', `${name}${checks ? '-checks' : ''}.wasm`);
  copyFileSync(join(folderOfBuild, TARGET, 'release/tengen_web.wasm'), program);
  return program;
}

const names = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const checks = process.argv.includes('--checks');
const wanted = names.length > 0 ? names : ['single', 'threads'];
const programs = await Promise.all(wanted.map((name) => buildEngine(name, { checks })));
if (programs.includes(null)) process.exit(1);
console.log(programs.join('\n'));
