import { connect, type ConnectionOptions, type TimeLimits } from './connection.ts';
import type { Database } from './database.ts';

/** One of the pools of a service. */
export interface PoolOptions extends Pick<ConnectionOptions, 'byKey'> {
  /** Connections. */
  max: number;
  limits: TimeLimits;
}

/** The connection pools of a service, one per user, so that none can exhaust another. */
export type Pools<Name extends string> = Record<Name, Database> & { destroy(): Promise<void> };

/**
 * Opens a pool for each name, which PostgreSQL knows as `<service>-<name>`. Each connects on its first query, so that a
 * process that only serves or only works opens what it needs.
 */
export function openPools<Name extends string>(
  { service, ...at }: Pick<ConnectionOptions, 'url' | 'schema'> & { service: string },
  sizes: Record<Name, PoolOptions>,
): Pools<Name> {
  const opened = Object.entries<PoolOptions>(sizes).map(([name, { max, ...options }]): [string, Database] => [
    name,
    connect({ ...at, applicationName: `${service}-${name}`, pool: { max }, ...options }),
  ]);
  return {
    ...(Object.fromEntries(opened) as Record<Name, Database>),
    destroy: async () => void (await Promise.all(opened.map(([, pool]) => pool.destroy()))),
  };
}
