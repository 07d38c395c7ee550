import type { Exchange, HttpRequest } from '#clients/http/exchange.ts';
import type { Chances } from './chances.ts';

/** An entry source at the platform: customers open conversations by it while it is active. */
export interface PlatformSource {
  sourceId: string;
  name: string;
  expiresAt: string | null;
  active: boolean;
  /** Its id was returned, or a conversation has told it; otherwise nobody but the platform knows of it. */
  known: boolean;
}

interface Answers {
  responded(status: number, body: object, retryAfter?: string): Exchange;
  timedOut(): Exchange;
}

type Change = { name?: string; expiresAt?: string | null };

/** The platform's entry sources (F1 to F3), which it loses and delays as it does all else. */
export function startSources(chances: Chances, { responded, timedOut }: Answers) {
  const sources: PlatformSource[] = [];
  let calls = 0;

  function create({ name = '', expiresAt = null }: Change): PlatformSource {
    const source = { sourceId: `source-${sources.length + 1}`, name, expiresAt, active: true, known: false };
    sources.push(source);
    return source;
  }

  function change(source: PlatformSource, { name, expiresAt, status }: Change & { status?: string }): void {
    if (status !== undefined) source.active = status === 'active';
    if (name !== undefined) source.name = name;
    if (expiresAt !== undefined) source.expiresAt = expiresAt;
  }

  function receive(request: HttpRequest): Exchange {
    calls += 1;
    const fate = chances.draw({ fine: 70, busy: 8, lost: 10, responseLost: 12 }, 'F', calls);
    if (fate === 'busy') return responded(503, { code: 'busy' }, '3');
    if (fate === 'lost') return timedOut();
    const body = JSON.parse(String(request.body)) as Change & { status?: string };
    const id = decodeURIComponent(request.url.pathname).split('/')[4];
    const source = id === undefined ? create(body) : sources.find(({ sourceId }) => sourceId === id);
    if (!source) return responded(404, { code: 'not_found' });
    if (id !== undefined) change(source, body);
    if (fate === 'responseLost') return timedOut();
    source.known = true;
    return responded(id === undefined ? 201 : 200, { sourceId: source.sourceId });
  }

  return { sources, receive };
}
