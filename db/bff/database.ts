import { connect, type TimeLimits } from '../connection.ts';
import { type Database, ping } from '../database.ts';
import type { Encryption } from '../encryption.ts';
import { type Ends, listenForEnds } from './end-notices.ts';

/** First argument of every function in this folder. */
export interface BffDatabase {
  connection: Database;
  encryption: Encryption;
}

export interface OpenBffDatabase extends BffDatabase {
  ping(): Promise<void>;
  /** Tells of every session's end and of every uninstall until it is stopped, whichever process brings it about. */
  listenForEnds(ends: Ends): { stop(): Promise<void> };
  close(): Promise<void>;
}

/**
 * Every statement reads or writes a few rows by their key, those of the sweep 10,000; the platform gives up on a call
 * after ten seconds.
 */
export const limits: TimeLimits = { lockMs: 5000, statementMs: 20_000, idleInTransactionMs: 10_000 };

/** A connection pool for schema `bff` that connects as the BFF's own role. */
export function openBffDatabase(options: {
  url: string;
  encryption: Encryption;
  applicationName: string;
}): OpenBffDatabase {
  const connection = connect({
    url: options.url,
    schema: 'bff',
    applicationName: options.applicationName,
    limits,
    byKey: true,
  });
  return {
    connection,
    encryption: options.encryption,
    ping: () => ping(connection, 'tenant_integration'),
    listenForEnds: (ends) => listenForEnds(options.url, `${options.applicationName}-ends`, ends),
    close: () => connection.destroy(),
  };
}
