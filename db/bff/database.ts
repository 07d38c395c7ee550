import type { Knex } from 'knex';
import { connect } from '../connection.ts';
import { createEncryption, type Encryption } from '../encryption.ts';

/** What every function of this folder takes first. */
export interface BffDatabase {
  knex: Knex;
  encryption: Encryption;
}

export interface OpenBffDatabase extends BffDatabase {
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A pool of connections to schema `bff` as the BFF's own role. */
export function openBffDatabase(options: {
  url: string;
  encryptionKey: string;
  applicationName: string;
}): OpenBffDatabase {
  const knex = connect({ url: options.url, schema: 'bff', applicationName: options.applicationName });
  return {
    knex,
    encryption: createEncryption(options.encryptionKey),
    ping: async () => {
      await knex.raw('select 1');
    },
    close: () => knex.destroy(),
  };
}
