import { setTimeout as pause } from 'node:timers/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import getRawBody from 'raw-body';
import type { Faults } from '../faults.ts';
import { showPage } from '../pages/layout.ts';
import type { People } from './people.ts';
import { signInPage } from './sign-in-page.ts';

export interface IdentityDeps {
  provider: Provider;
  people: People;
  faults: Faults;
  mountPath: string;
  tenantName: (tenantId: string) => string;
}

type Requested = IncomingMessage & { originalUrl?: string };

/** Handles every request under the mount path; returns false for any other request. */
export function createIdentity(deps: IdentityDeps) {
  const serveProvider = deps.provider.callback();

  /** Applies the faults of an identity call, named `identity.token`, `identity.jwks`, `identity.auth` … */
  async function struck(request: IncomingMessage, response: ServerResponse, name: string): Promise<boolean> {
    const { delayMs, fault } = deps.faults.take({ route: `identity.${name}` });
    if (delayMs > 0) await pause(delayMs);
    if (fault?.mode === 'status') response.writeHead(fault.status).end('sandbox fault');
    else if (fault) request.socket.destroy();
    return fault !== null;
  }

  return async (request: Requested, response: ServerResponse): Promise<boolean> => {
    const { mountPath } = deps;
    const url = request.url ?? '';
    if (url !== mountPath && !url.startsWith(`${mountPath}/`)) return false;
    const inner = url.slice(mountPath.length) || '/';
    const path = inner.split('?')[0] ?? '';
    if (await struck(request, response, path.split('/').at(-1) ?? '')) return true;
    if (path.startsWith('/sign-in/')) {
      await signIn(deps, request, response);
      return true;
    }
    // The provider derives its base URL from the difference between the two.
    request.originalUrl = url;
    request.url = inner;
    await serveProvider(request, response);
    return true;
  };
}

async function signIn(
  { provider, people, tenantName }: IdentityDeps,
  request: IncomingMessage,
  response: ServerResponse,
) {
  try {
    await provider.interactionDetails(request, response);
  } catch {
    result(response, expired);
    return;
  }
  if (request.method === 'POST') {
    const sub = new URLSearchParams((await getRawBody(request, { limit: 10_000 })).toString('utf8')).get('sub') ?? '';
    const result = people.find(sub)
      ? { login: { accountId: sub } }
      : { error: 'access_denied', error_description: 'no person was chosen' };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
    return;
  }
  result(response, signInPage(people.list(), tenantName));
}

const expired = showPage(
  {
    title: 'Sign-in expired',
    bare: true,
    body: {
      markup: '<main class="card narrow"><h1>This sign-in has expired</h1><p>Go back and start again.</p></main>',
    },
  },
  400,
);

function result(
  response: ServerResponse,
  { status, headers, body }: { status: number; headers?: Record<string, string>; body?: unknown },
) {
  response.writeHead(status, headers).end(body);
}
