import type { Adapter, AdapterPayload, ClientMetadata } from 'oidc-provider';

const KEPT = 5000;

interface Kept {
  payload: AdapterPayload;
  expiresAt: number;
}

/** The provider's storage for sign-ins in progress: in memory and bounded, since signing in again costs one click. */
export function createSignInStore(findClient: (clientId: string) => ClientMetadata | undefined) {
  const entries = new Map<string, Kept>();

  function read(key: string): AdapterPayload | undefined {
    const found = entries.get(key);
    if (found && found.expiresAt > Date.now()) return found.payload;
    entries.delete(key);
    return undefined;
  }

  return (model: string): Adapter => {
    const keyOf = (id: string) => `${model} ${id}`;
    return {
      upsert: async (id, payload, expiresIn) => {
        entries.delete(keyOf(id));
        entries.set(keyOf(id), { payload, expiresAt: Date.now() + (expiresIn || 86_400) * 1000 });
        const [oldest] = entries.keys();
        if (entries.size > KEPT && oldest !== undefined) entries.delete(oldest);
      },
      find: async (id) => (model === 'Client' ? (findClient(id) as AdapterPayload | undefined) : read(keyOf(id))),
      findByUid: async (uid) => {
        for (const [key, { payload }] of entries)
          if (key.startsWith(`${model} `) && payload.uid === uid) return read(key);
        return undefined;
      },
      findByUserCode: async () => undefined,
      destroy: async (id) => void entries.delete(keyOf(id)),
      consume: async (id) => {
        const found = read(keyOf(id));
        if (found) found.consumed = Math.floor(Date.now() / 1000);
      },
      // Only of this model: an interaction that refers to the grant must outlive it.
      revokeByGrantId: async (grantId) => {
        for (const [key, { payload }] of entries) {
          if (key.startsWith(`${model} `) && payload.grantId === grantId) entries.delete(key);
        }
      },
    };
  };
}
