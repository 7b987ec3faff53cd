import { signal } from '@preact/signals';

/** True if a newer version of the page is ready to be used. */
export const isOutdated = signal(false);

/** Of this copy of the site: others may be on the same host. */
const TRIED_KEY = `tengen.isolated ${location.pathname}`;
/** Longest wait for the service worker on the first visit, in ms. */
const PATIENCE = 4000;
/** How often a page that stays open asks for a newer version, in ms. */
const UPDATE_PAUSE = 3_600_000;

/**
 * Starts the service worker, which keeps the page for offline use. Where threads are wanted and the host
 * sends no headers that isolate the page, the worker adds them, and the page is loaded once more for them.
 * Returns false when that happens.
 */
export async function startServiceWorker(wantsThreads: boolean): Promise<boolean> {
  if (!('serviceWorker' in navigator)) return true;
  try {
    const registration = await navigator.serviceWorker.register('./sw.js', { scope: './' });
    watchForUpdates(registration);
  } catch {
    // Refused, as in some private windows: everything but offline use and threads works without.
    return true;
  }
  if (!wantsThreads) return true;
  if (crossOriginIsolated) {
    sessionStorage.removeItem(TRIED_KEY);
    return true;
  }
  if (sessionStorage.getItem(TRIED_KEY)) return true;
  if (!(await isControlled())) return true;
  sessionStorage.setItem(TRIED_KEY, '1');
  location.reload();
  return false;
}

/** Waits for the service worker to have control of the page. */
function isControlled(): Promise<boolean> {
  return new Promise((resolve) => {
    if (navigator.serviceWorker.controller) resolve(true);
    navigator.serviceWorker.addEventListener('controllerchange', () => resolve(true), { once: true });
    setTimeout(() => resolve(false), PATIENCE);
  });
}

function watchForUpdates(registration: ServiceWorkerRegistration): void {
  const look = () => {
    if (registration.waiting && navigator.serviceWorker.controller) isOutdated.value = true;
  };
  const follow = () => registration.installing?.addEventListener('statechange', look);
  look();
  // One may have been found already, by the browser or by another tab.
  follow();
  registration.addEventListener('updatefound', follow);
  // A newer version is used by all tabs as soon as one of them wants it. The first one is not newer.
  let hadController = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (hadController) isOutdated.value = true;
    hadController = true;
  });
  setInterval(() => void registration.update().catch(() => undefined), UPDATE_PAUSE);
}

/** Loads the newer version; the game is kept. */
export async function update(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  // Another tab uses it already.
  if (!registration?.waiting) return location.reload();
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
  registration.waiting.postMessage('use-now');
}
