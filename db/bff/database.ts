import { connect } from '../connection.ts';
import type { Database } from '../database.ts';
import type { Encryption } from '../encryption.ts';

/** First argument of every function in this folder. */
export interface BffDatabase {
  connection: Database;
  encryption: Encryption;
}

export interface OpenBffDatabase extends BffDatabase {
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A connection pool for schema `bff` that connects as the BFF's own role. */
export function openBffDatabase(options: {
  url: string;
  encryption: Encryption;
  applicationName: string;
}): OpenBffDatabase {
  const connection = connect({ url: options.url, schema: 'bff', applicationName: options.applicationName });
  return {
    connection,
    encryption: options.encryption,
    ping: async () => {
      await connection.raw('select 1');
    },
    close: () => connection.destroy(),
  };
}
