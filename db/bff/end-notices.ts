import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';

/** Called at an end, whichever process caused it. */
export interface Ends {
  session(tokenHash: Buffer): void;
  /** An uninstall has begun. */
  tenant(platformTenantId: string): void;
  /** Ends are heard of from now on; some may have been missed. */
  listening(): void;
  /** No end is heard of until `listening` is called again, which is tried every second. */
  lost(error: unknown): void;
}

const RETRY_MS = 1000;
const CONNECTION_TIMEOUT_MS = 5000;

/** A connection that a network has forgotten is silent for ever. */
const LOOK_EVERY_MS = 30_000;
const ANSWER_WITHIN_MS = 10_000;

/**
 * Listens for the ends of sessions and tenants (triggers of `migrations/bff`), on a connection of its own, until it is stopped. An
 * end is heard of when its transaction commits.
 */
export function listenForEnds(url: string, applicationName: string, ends: Ends): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (ms: number) => wait(ms, undefined, { signal, ref: false }).catch(() => {});
  let isListening = true;

  function heard({ channel, payload = '' }: { channel: string; payload?: string | undefined }): void {
    if (channel === 'session_end') ends.session(Buffer.from(payload, 'hex'));
    else ends.tenant(payload);
  }

  async function listen(client: Client): Promise<void> {
    const broken = new Promise<never>((_resolve, reject) => {
      client.on('error', reject);
      client.on('end', () => reject(new Error('PostgreSQL closed the connection')));
    });
    broken.catch(() => {});
    await client.connect();
    await client.query('listen session_end; listen uninstall');
    isListening = true;
    ends.listening();
    while (!signal.aborted) {
      await Promise.race([pause(LOOK_EVERY_MS), broken]);
      await client.query('select 1');
    }
  }

  async function goOn(): Promise<void> {
    while (!signal.aborted) {
      const client = new Client({
        connectionString: url,
        application_name: applicationName,
        connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
        query_timeout: ANSWER_WITHIN_MS,
      });
      client.on('notification', heard);
      try {
        await listen(client);
      } catch (error) {
        if (isListening) ends.lost(error);
        isListening = false;
        await pause(RETRY_MS);
      } finally {
        await client.end().catch(() => {});
      }
    }
  }

  const running = goOn();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
