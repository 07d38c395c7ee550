import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

/** Where the calls of a client failed: why, and how often. */
export type Failures = Map<string, number>;

export interface RepeatingClient {
  get<T>(path: string): Promise<T>;
  /** Every repetition carries the same `Idempotency-Key`. */
  post<T>(path: string, body?: unknown): Promise<T>;
}

/** What a client repeats: no response at all, or one that says that the service is away. */
const repeatable = new Set([502, 503, 504]);
const PAUSE_MS = 100;
const LONGEST_MS = 60_000;

/**
 * Calls a service as a careful client does.
 * @param failures counts what failed and was repeated
 * @throws Error for whatever a client would not repeat, and after a minute
 */
export function repeatingClient(base: string, token: string, failures: Failures): RepeatingClient {
  function note(path: string, reason: string): void {
    const key = `${path.replaceAll(/[0-9a-f-]{30,}/g, '…')} ${reason}`;
    failures.set(key, (failures.get(key) ?? 0) + 1);
  }

  async function once(path: string, init: RequestInit): Promise<Response | null> {
    try {
      const response = await fetch(`${base}${path}`, init);
      if (!repeatable.has(response.status)) return response;
      note(path, `${response.status} ${(await response.text()).slice(0, 200)}`);
    } catch (error) {
      note(path, String((error as Error).cause ?? error));
    }
    return null;
  }

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers = {
      Authorization: `Bearer ${token}`,
      ...(method === 'POST' && { 'Idempotency-Key': randomUUID(), 'Content-Type': 'application/json' }),
    };
    const init = { method, headers, ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }) };
    const end = Date.now() + LONGEST_MS;
    while (Date.now() < end) {
      const response = await once(path, init);
      if (response?.ok) return (await response.json()) as T;
      if (response) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      await setTimeout(PAUSE_MS);
    }
    throw new Error(`${method} ${path} has failed for a minute`);
  }
  return { get: (path) => call('GET', path), post: (path, body) => call('POST', path, body) };
}
