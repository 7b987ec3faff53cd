/** Called with the bytes that came since the last call. */
export type OnBytes = (count: number) => void;

/** Fetches a file of the site and counts its bytes, those of the file itself where the host compresses. */
export async function load(url: string, onBytes: OnBytes, get = fetch): Promise<Response> {
  const workers = globalThis.navigator?.serviceWorker as ServiceWorkerContainer | undefined;
  const isPast = workers !== undefined && workers.controller === null;
  const answer = await get(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  if (isPast) keepLater(url, workers);
  void count(answer.clone(), onBytes).catch(() => undefined);
  return answer;
}

async function count(answer: Response, onBytes: OnBytes): Promise<void> {
  const reader = answer.body!.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) onBytes(part.value.byteLength);
}

/**
 * Has the service worker keep a file fetched before the worker had control of the page: a page isolated by its host
 * is not loaded a second time. The browser's own cache has the file then.
 */
function keepLater(url: string, workers: ServiceWorkerContainer): void {
  // Where that fails, the next visit asks again.
  const ask = () =>
    void fetch(url, { cache: 'force-cache' })
      .then((answer) => answer.arrayBuffer())
      .catch(() => undefined);
  if (workers.controller) ask();
  else workers.addEventListener('controllerchange', ask, { once: true });
}
