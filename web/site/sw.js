// The service worker of the site: keeps the page for offline use, and adds the headers of an isolated page
// where the host cannot. `scripts/site.mjs` fills in the version and the files.
const VERSION = '__VERSION__';
/** The files of every page, by paths below the site's folder; kept at once. */
const SHELL = __SHELL__;
/** Files kept at their first request: programs and networks, whose names hold their checksums. */
const LARGE = __LARGE__;

/** Prefix of the names of this site's caches: another copy of the site may be on the same origin. */
const OWN = `tengen ${self.registration.scope} `;
const SHELL_CACHE = `${OWN}shell ${VERSION}`;
const LARGE_CACHE = `${OWN}large`;
const HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** The path of a URL below the site's folder; `null` if it is elsewhere. */
function pathOf(url) {
  const { scope } = self.registration;
  const plain = url.split(/[?#]/)[0];
  return plain.startsWith(scope) ? plain.slice(scope.length) || 'index.html' : null;
}

async function install() {
  const cache = await caches.open(SHELL_CACHE);
  // Past the browser's own cache, which may hold parts of an earlier version.
  await cache.addAll(SHELL.map((path) => new Request(path, { cache: 'reload' })));
}

async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith(OWN) && name !== SHELL_CACHE && name !== LARGE_CACHE) await caches.delete(name);
  }
  const cache = await caches.open(LARGE_CACHE);
  for (const request of await cache.keys()) {
    if (!LARGE.includes(pathOf(request.url))) await cache.delete(request);
  }
  await self.clients.claim();
}

async function answer(request, path) {
  if (SHELL.includes(path)) {
    const kept = await (await caches.open(SHELL_CACHE)).match(path, { ignoreSearch: true });
    if (kept) return isolated(kept);
  }
  if (!LARGE.includes(path)) return isolated(await fetch(request));
  const cache = await caches.open(LARGE_CACHE);
  const kept = await cache.match(path);
  if (kept) return isolated(kept);
  const fetched = await fetch(request);
  // The file is stored before the page has all of the bytes: each loaded file works offline.
  if (fetched.ok) void cache.put(path, fetched.clone());
  return isolated(fetched);
}

/** The same with the headers. */
function isolated(response) {
  const { status, statusText } = response;
  if (status === 0) return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
  return new Response(response.body, { status, statusText, headers });
}

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('message', (event) => {
  if (event.data === 'use-now') void self.skipWaiting();
});
self.addEventListener('fetch', (event) => {
  const path = event.request.method === 'GET' ? pathOf(event.request.url) : null;
  if (path !== null) event.respondWith(answer(event.request, path));
});
