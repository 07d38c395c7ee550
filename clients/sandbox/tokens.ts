import { z } from 'zod';

const TIMEOUT_MS = 5000;

/** The person in whose name the examples run: the first whom the sandbox lets sign in. */
const peopleSchema = z.object({ items: z.array(z.looseObject({ sub: z.string() })).min(1) });
const mintedSchema = z.object({ token: z.string() });

export type SandboxToken = () => Promise<string>;

/** Null where there is no sandbox. */
export function sandboxTokenBy(settings: { SANDBOX: boolean; PLATFORM_BASE_URL: string }): SandboxToken | null {
  return settings.SANDBOX ? createSandboxToken(settings.PLATFORM_BASE_URL) : null;
}

/**
 * Platform tokens from development's sandbox, for the examples of the API descriptions.
 * @returns a function that rejects if the sandbox cannot be reached
 */
function createSandboxToken(sandboxUrl: string): SandboxToken {
  async function call(path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${sandboxUrl}/sandbox${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return response.json();
  }
  return async () => {
    const { items } = peopleSchema.parse(await call('/people'));
    return mintedSchema.parse(await call('/tokens', items[0])).token;
  };
}
