import type { Journal } from '#sandbox/journal.ts';

const KEPT = 200_000;

/** Used nonces per tenant integration: the newest 200,000 to 400,000 of each are remembered, even after a restart. */
export function createNonces(journal: Journal) {
  const used = new Map<string, { older: Set<string>; newer: Set<string> }>();
  const reserved = new Set<string>();

  function generations(tenantIntegrationId: string) {
    let found = used.get(tenantIntegrationId);
    if (!found) used.set(tenantIntegrationId, (found = { older: new Set(), newer: new Set() }));
    return found;
  }

  const record = journal.register<[string, string]>('nonces', {
    apply([tenantIntegrationId, nonce]) {
      const found = generations(tenantIntegrationId);
      found.newer.add(nonce);
      if (found.newer.size < KEPT) return;
      found.older = found.newer;
      found.newer = new Set();
    },
    *dump() {
      for (const [tenantIntegrationId, { older, newer }] of used) {
        for (const nonce of older) yield [tenantIntegrationId, nonce];
        for (const nonce of newer) yield [tenantIntegrationId, nonce];
      }
    },
  });

  return {
    /** Reserves a nonce for a call in progress; false if it has been used or another call holds it. */
    reserve(tenantIntegrationId: string, nonce: string): boolean {
      const { older, newer } = generations(tenantIntegrationId);
      const key = `${tenantIntegrationId} ${nonce}`;
      if (older.has(nonce) || newer.has(nonce) || reserved.has(key)) return false;
      reserved.add(key);
      return true;
    },
    /** Ends the call: the nonce counts as used only if the call took effect. */
    settle(tenantIntegrationId: string, nonce: string, effective: boolean): void {
      reserved.delete(`${tenantIntegrationId} ${nonce}`);
      if (effective) record([tenantIntegrationId, nonce]);
    },
  };
}

export type Nonces = ReturnType<typeof createNonces>;
