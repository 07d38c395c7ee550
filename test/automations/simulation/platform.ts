import type { Exchange, HttpExchange, HttpRequest } from '#clients/http/exchange.ts';
import type { Chances } from '#test/sends/model/chances.ts';
import type { Clock } from '#test/sends/model/clock.ts';

/** As long as a call may take, and longer than anybody waits for its response. */
const CALL_MS = 15_000;

/** What becomes of a submission, of which there may be several for the same contacts. */
const fates = {
  accepted: 78,
  throttled: 4,
  unreachable: 4,
  rejected: 3,
  contactsUnknown: 4,
  responseLost: 3,
  requestLost: 2,
  died: 1,
  diedAfterEffect: 1,
};

export interface ReceivedTask {
  taskId: string;
  key: string;
  contactIds: string[];
}

const responded = (status: number, body: object, retryAfter?: string): Exchange => ({
  kind: 'responded',
  response: { status, retryAfter, contentType: 'application/json', body: JSON.stringify(body) },
});
const failed = (sent: boolean, code: string): Exchange => ({ kind: 'failed', sent, code, message: code, cause: null });

/** A platform that takes most of what it is sent, and completes it at once; `died`: a process is killed in a call. */
export function startPlatform({ clock, chances, died }: { clock: Clock; chances: Chances; died: () => void }) {
  const tasks: ReceivedTask[] = [];
  const byId = new Map<string, ReceivedTask>();
  const hanging: (() => void)[] = [];
  const attempts = new Map<string, number>();
  const refused = new Set<string>();
  let sources = 0;
  let calm = false;

  function take(key: string, contactIds: string[]): Exchange {
    const task = { taskId: `task-${tasks.length + 1}`, key, contactIds };
    tasks.push(task);
    byId.set(task.taskId, task);
    return responded(201, { taskId: task.taskId, estimatedRecipientCount: contactIds.length });
  }
  function hang(): Promise<Exchange> {
    died();
    return new Promise((resolve) => hanging.push(() => resolve(failed(true, 'TIMEOUT'))));
  }
  function lose(): Promise<Exchange> {
    return clock.sleep(CALL_MS).then(() => failed(true, 'TIMEOUT'));
  }

  async function submit(request: HttpRequest): Promise<Exchange> {
    const { audience } = JSON.parse(String(request.body)) as { audience: { contactIds: string[] } };
    const { contactIds } = audience;
    const key = request.headers['Idempotency-Key'] ?? '';
    const about = [contactIds.join(), Math.floor(clock.elapsed() / 3_600_000), attempts.get(key) ?? 0];
    attempts.set(key, (attempts.get(key) ?? 0) + 1);
    await clock.sleep(chances.between(20, 900, 'A1 takes', ...about));
    switch (calm ? 'accepted' : chances.draw(fates, 'A1', ...about)) {
      case 'accepted':
        return take(key, contactIds);
      case 'throttled':
        return responded(429, { code: 'too_many' }, '7');
      case 'unreachable':
        return failed(false, 'ECONNREFUSED');
      case 'rejected':
        refused.add(key);
        return responded(400, { code: 'invalid_request' });
      case 'contactsUnknown': {
        const named = contactIds.filter((id, place) => place === 0 || chances.fraction('unknown', id, ...about) < 0.4);
        refused.add(key);
        return responded(400, { code: 'contact_not_found', contactIds: named });
      }
      case 'responseLost':
        take(key, contactIds);
        return await lose();
      case 'requestLost':
        return await lose();
      case 'diedAfterEffect':
        take(key, contactIds);
        return await hang();
      case 'died':
        return await hang();
    }
  }

  function report(taskId: string): Exchange {
    const task = byId.get(taskId);
    if (!task) return responded(404, { code: 'task_not_found' });
    const sent = task.contactIds.length;
    const at = new Date(clock.elsewhere()).toISOString();
    const summary = { sent, delivered: sent, failed: 0, read: 0 };
    return responded(200, {
      taskId,
      status: 'completed',
      recipientCount: sent,
      summary,
      startedAt: at,
      finishedAt: at,
    });
  }

  async function send(request: HttpRequest): Promise<Exchange> {
    const path = decodeURIComponent(request.url.pathname);
    if (path.endsWith('/broadcasts')) return await submit(request);
    await clock.sleep(20);
    if (!path.startsWith('/openapi/v1/entry-sources')) return report(path.split('/').at(-1) ?? '');
    const sourceId = path.split('/')[4];
    return responded(sourceId ? 200 : 201, { sourceId: sourceId ?? `source-${(sources += 1)}` });
  }

  const exchange: HttpExchange = { send, close: () => Promise.resolve(), destroy: () => Promise.resolve() };
  return {
    exchange,
    tasks,
    /** Whether it has rejected a sub-task, or named contacts of it that it does not know. */
    hasRefused: (key: string) => refused.has(key),
    /** From now on it takes whatever it is sent. */
    calmDown: () => void (calm = true),
    /** Ends the calls that nobody waits for any more. */
    close: () => {
      for (const end of hanging.splice(0)) end();
    },
  };
}

export type Platform = ReturnType<typeof startPlatform>;
