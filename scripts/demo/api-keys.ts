import type { ApiKey } from '#domain/api/api-keys.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { KeyScope } from '#domain/keys/scopes.ts';
import type { JsonClient } from './client.ts';

const keys: readonly { name: string; scopes: readonly KeyScope[]; revoked?: true }[] = [
  { name: 'Till of the old shop', scopes: ['contacts:read', 'tags:write'], revoked: true },
  { name: 'Nightly figures', scopes: ['campaigns:read', 'audiences:read'] },
];

/** A key that reads figures, and one that was revoked. Nobody keeps their texts. */
export async function seedApiKeys(api: JsonClient): Promise<void> {
  const { items } = await api.get<Page<ApiKey>>('/api-keys?limit=200');
  for (const { name, scopes, revoked } of keys) {
    if (items.some((key) => key.name === name)) continue;
    const { id } = await api.post<ApiKey>('/api-keys', { name, scopes });
    if (revoked) await api.delete(`/api-keys/${id}`);
  }
}
