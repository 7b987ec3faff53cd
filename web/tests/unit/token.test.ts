import { happen } from './browser';
import { expect, it, vi } from 'vitest';
import { takeToken } from '../../src/engine/websocket';
import { openTransport } from '../../src/transport/serve';

it('is used by another load of the page when its address is opened in an old tab', async () => {
  const reload = vi.spyOn(location, 'reload');
  const token = '86d1f00d86d1f00d86d1f00d86d1f00d';
  await openTransport();
  for (const fragment of ['', 'renju-15/h8i9', 'freestyle-15/', 'freestyle-20x15']) {
    location.hash = `#${fragment}`;
    happen('hashchange');
  }
  expect(reload).not.toHaveBeenCalled();
  location.hash = `#${token}`;
  happen('hashchange');
  expect(reload).toHaveBeenCalledOnce();
  expect(location.hash).not.toContain(token);
  expect(takeToken()).toBe(token);
});
