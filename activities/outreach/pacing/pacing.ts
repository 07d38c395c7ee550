import type { CredentialSource } from '#clients/platform/gateway.ts';
import type { Database } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import { beginOutboundCall } from '#db/outreach/tenants/outbound-calls.ts';
import { readPause, storePause, takeTokens } from '#db/outreach/tenants/pace.ts';
import type { Log } from '../deps.ts';
import { createGate, type Gate, type Turn } from './gate.ts';
import type { Waiting } from './queue.ts';

/** How often, and when, this process may call the platform for each tenant. One per process. */
export interface Pacing {
  /**
   * Waits for the tenant's next call (A1, A2 or A3) of those that are allowed in a second.
   * @returns null in a pause, or if `signal` aborts.
   */
  turn(tenantId: string, waiting?: Waiting): Promise<Turn | null>;
  /** Until when the platform asked not to be called; null if there is no such pause now. */
  pausedUntil(tenantId: string): Date | null;
  /** The same, including pauses known to other processes. */
  learnPause(tenantId: string): Promise<Date | null>;
  /** The tenant's secrets, read for each call: a rotation, an uninstall or a pause takes effect in the middle of a series. */
  credentials(tenantId: string): CredentialSource;
}

export interface PacingDeps {
  database: Database;
  encryption: Encryption;
  now: () => Date;
  log: Log;
  /** Calls per second and integration. */
  perSecond: number;
}

export function createPacing({ database, encryption, now, log, perSecond }: PacingDeps): Pacing {
  const gates = new Map<string, Gate>();

  function gateOf(tenantId: string): Gate {
    const known = gates.get(tenantId);
    if (known) return known;
    const take = async (count: number) => {
      const taken = await takeTokens(database, { tenantId, count, perSecond });
      if (taken?.pausedUntil) gate.pause(taken.pausedUntil);
      return taken && taken.firstInMs;
    };
    const gate = createGate({ take, perSecond, now });
    gates.set(tenantId, gate);
    return gate;
  }

  const leftOf = (until: Date) => Math.max(until.getTime() - now().getTime(), 1);

  function credentials(tenantId: string): CredentialSource {
    const gate = gateOf(tenantId);
    return {
      begin: async () => {
        const begun = await beginOutboundCall(database, encryption, { tenantId, now: now() });
        if (!begun || !('pausedUntil' in begun)) return begun;
        gate.pause(begun.pausedUntil);
        return { pausedMs: leftOf(begun.pausedUntil) };
      },
      pause: async (tenantIntegrationId, ms) => {
        const until = new Date(now().getTime() + ms);
        // Applies in this process at once, even if it cannot be shared with the others.
        gate.pause(until);
        await storePause(database, { tenantIntegrationId, until }).catch((error: unknown) =>
          log.warn({ err: error, tenantId, until }, 'a pause could not be shared with other processes'),
        );
      },
      isPaused: () => gate.pausedUntil() !== null,
    };
  }

  return {
    turn: (tenantId, waiting) => gateOf(tenantId).turn(waiting),
    pausedUntil: (tenantId) => gateOf(tenantId).pausedUntil(),
    learnPause: async (tenantId) => {
      const gate = gateOf(tenantId);
      const until = await readPause(database, { tenantId });
      if (until) gate.pause(until);
      return gate.pausedUntil();
    },
    credentials,
  };
}
