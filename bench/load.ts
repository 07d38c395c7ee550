import { Pool } from 'undici';

export interface Load {
  url: string;
  /** Sends the requests with `atOnce` concurrent senders, each one request at a time. */
  requests: { path: string; headers: Record<string, string>; body: string }[];
  atOnce: number;
  /** A status after which a request is repeated; its latency includes all of them. */
  repeated?: number;
}

export interface LoadFigures {
  perSecond: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** The value below which this share of the sorted values lies. */
function quantile(sorted: readonly number[], share: number): number {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new Error('there is nothing to take a quantile of');
  return value;
}

/** Three quantiles of latencies in milliseconds. */
export function quantiles(latencies: readonly number[]): Pick<LoadFigures, 'p50Ms' | 'p95Ms' | 'p99Ms'> {
  const sorted = latencies.toSorted((one, other) => one - other);
  const at = (share: number) => rounded(quantile(sorted, share));
  return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
}

/**
 * Posts every request once and times each.
 * @throws Error if a response is not 200: a rejected request is no work done.
 */
export async function post({ url, requests, atOnce, repeated }: Load): Promise<LoadFigures> {
  const pool = new Pool(url, { connections: atOnce });
  const waiting = requests.values();
  const latencies: number[] = [];
  const began = performance.now();
  const send = async () => {
    for (const { path, headers, body } of waiting) {
      const start = performance.now();
      const ask = () => pool.request({ method: 'POST', path, headers, body });
      let response = await ask();
      while (response.statusCode === repeated) {
        await response.body.dump();
        response = await ask();
      }
      const text = await response.body.text();
      if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}: ${text}`);
      latencies.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, send));
  const seconds = (performance.now() - began) / 1000;
  await pool.close();
  return { perSecond: Math.round(requests.length / seconds), ...quantiles(latencies) };
}
