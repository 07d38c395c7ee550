import { connect } from '../connection.ts';
import { createEncryption } from '../encryption.ts';
import { createIntegrations } from './integrations.ts';
import { createNonces } from './nonces.ts';
import { createRotations } from './rotations.ts';
import { createSessions } from './sessions.ts';
import { createSlots } from './slots.ts';

export type BffDatabase = ReturnType<typeof openBffDatabase>;

/** Everything the BFF stores, over one pool of connections as its own role. */
export function openBffDatabase(options: { url: string; encryptionKey: string; applicationName: string }) {
  const knex = connect({ url: options.url, schema: 'bff', applicationName: options.applicationName });
  const encryption = createEncryption(options.encryptionKey);
  return {
    encryption,
    integrations: createIntegrations(knex, encryption),
    rotations: createRotations(knex, encryption),
    slots: createSlots(knex),
    nonces: createNonces(knex),
    sessions: createSessions(knex, encryption),
    ping: async (): Promise<void> => {
      await knex.raw('select 1');
    },
    close: (): Promise<void> => knex.destroy(),
  };
}
