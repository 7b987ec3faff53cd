import { signal } from '@preact/signals';

/** Whether a newer version of the page is ready to be used. */
export const isOutdated = signal(false);

const TRIED_KEY = 'tengen.isolated';
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
  look();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', look);
  });
  setInterval(() => void registration.update().catch(() => undefined), UPDATE_PAUSE);
}

/** Loads the newer version; the game is kept. */
export async function update(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
  registration?.waiting?.postMessage('use-now');
}
