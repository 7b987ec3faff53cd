import './browser';
import { beforeEach, expect, it, vi } from 'vitest';
import { isOutdated, startServiceWorker, update } from '../../src/site/service-worker';

/** The browser's side: a registration and the worker that has control of the page. */
class Registration extends EventTarget {
  installing: EventTarget | null = null;
  waiting: (EventTarget & { postMessage: (message: string) => void }) | null = null;
  readonly update = async () => undefined;
}
class Container extends EventTarget {
  controller: object | null = null;
  readonly registration = new Registration();
  readonly register = async () => this.registration;
  readonly getRegistration = async () => this.registration;
}

let container: Container;
const reload = vi.spyOn(location, 'reload');

beforeEach(() => {
  container = new Container();
  vi.stubGlobal('navigator', { ...navigator, serviceWorker: container });
  isOutdated.value = false;
  reload.mockClear();
});

/** A waiting service worker, and the messages sent to the worker. */
function waitingWorker() {
  const told: string[] = [];
  return { told, worker: Object.assign(new EventTarget(), { postMessage: (text: string) => void told.push(text) }) };
}

it('uses the newer version when the user wants, and loads the page once it is in use', async () => {
  container.controller = {};
  const { told, worker } = waitingWorker();
  container.registration.waiting = worker;
  await startServiceWorker(false);
  expect(isOutdated.value).toBe(true);
  await update();
  expect(told).toEqual(['use-now']);
  expect(reload).not.toHaveBeenCalled();
  container.dispatchEvent(new Event('controllerchange'));
  expect(reload).toHaveBeenCalledOnce();
});

it('loads the page when another tab uses the newer version already', async () => {
  container.controller = {};
  await startServiceWorker(false);
  expect(isOutdated.value).toBe(false);
  container.dispatchEvent(new Event('controllerchange'));
  expect(isOutdated.value).toBe(true);
  expect(reload).not.toHaveBeenCalled();
  await update();
  expect(reload).toHaveBeenCalledOnce();
});

it('takes the first version for no newer one', async () => {
  await startServiceWorker(false);
  container.dispatchEvent(new Event('controllerchange'));
  expect(isOutdated.value).toBe(false);
  container.dispatchEvent(new Event('controllerchange'));
  expect(isOutdated.value).toBe(true);
});

it('sees a newer version that was being installed before the page looked', async () => {
  container.controller = {};
  const { worker } = waitingWorker();
  container.registration.installing = worker;
  await startServiceWorker(false);
  expect(isOutdated.value).toBe(false);
  container.registration.waiting = worker;
  worker.dispatchEvent(new Event('statechange'));
  expect(isOutdated.value).toBe(true);
});
