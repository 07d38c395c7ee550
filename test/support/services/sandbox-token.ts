import type { JsonClient } from '#scripts/demo/client.ts';

/** A platform token of this person, from the sandbox. */
export async function sandboxToken(
  sandbox: Pick<JsonClient, 'post'>,
  person: { sub: string; name?: string; tenantId: string; roles: readonly string[]; expiresInSeconds?: number },
): Promise<string> {
  return (await sandbox.post<{ token: string }>('/sandbox/tokens', { name: person.sub, ...person })).token;
}
