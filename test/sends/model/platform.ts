import type { Exchange, HttpExchange, HttpRequest } from '#clients/http/exchange.ts';
import type { Chances, Weights } from './chances.ts';
import type { Clock } from './clock.ts';
import type { Refusal } from './halts.ts';
import { startSources } from './platform-sources.ts';
import { createTask, isHidden, type PlatformTask, reportOf, statusOf } from './platform-tasks.ts';

/** What can become of A1. With an effect: the platform has the task, whatever is returned. */
type A1Fate =
  | 'accepted'
  | 'acceptedLate'
  | 'responseLost'
  | 'requestLost'
  | 'died'
  | 'diedAfterEffect'
  | 'internalError'
  | 'internalErrorAfterEffect'
  | 'throttled'
  | 'busy'
  | 'unreachable'
  | 'rejected'
  | 'contactsUnknown';

/** How a platform behaves; each world has one of them. */
const manners: Record<string, Weights<A1Fate>> = {
  calm: { accepted: 90, acceptedLate: 2, responseLost: 4, throttled: 2, busy: 2 },
  rough: {
    accepted: 30,
    acceptedLate: 8,
    responseLost: 14,
    requestLost: 8,
    died: 3,
    diedAfterEffect: 4,
    internalError: 3,
    internalErrorAfterEffect: 4,
    throttled: 6,
    busy: 6,
    unreachable: 5,
    rejected: 7,
    contactsUnknown: 6,
  },
  rejecting: { accepted: 12, responseLost: 14, requestLost: 4, rejected: 70 },
};

interface A1Body {
  audience: { contactIds: string[] };
  schedule: { at?: string };
  messages: { title?: string; text?: string; actions?: { data?: string }[] }[];
}

/** A call of A1, whatever became of it. */
export interface Submission {
  /** Milliseconds since the epoch. */
  at: number;
  /** Of the sub-task. */
  key: string;
  /** What the service's clock said then, and how often it had been set. */
  byClock: Date;
  settings: number;
  contactIds: string[];
  /** The title of the first message, or its text. */
  says: string;
}

const responded = (status: number, body: object, retryAfter?: string): Exchange => ({
  kind: 'responded',
  response: { status, retryAfter, contentType: 'application/json', body: JSON.stringify(body) },
});
const failed = (sent: boolean, code: string): Exchange => ({
  kind: 'failed',
  sent,
  code,
  message: code,
  cause: null,
});
const timedOut = () => failed(true, 'TIMEOUT');

/** As long as a call may take, and longer than anybody waits for its response. */
const CALL_MS = 15_000;

interface Given {
  clock: Clock;
  chances: Chances;
  /** The process that makes the call is killed in the middle of it; null: nobody can tell which. */
  died: () => void;
}

/** A platform with a mind of its own, as an exchange of HTTP requests. */
export function startPlatform({ clock, chances, died }: Given) {
  const tasks: PlatformTask[] = [];
  const hanging: ((exchange: Exchange) => void)[] = [];
  const submissions: Submission[] = [];
  const refusals: Refusal[] = [];
  const submittedBefore = new Map<string, number>();
  const manner = chances.draw({ calm: 25, rough: 50, rejecting: 25 }, 'manner');
  const { sources, receive } = startSources(chances, { responded, timedOut });
  let closed = false;
  let calls = 0;

  function accept({ key, contactIds, says }: Submission, at: string | undefined): PlatformTask {
    const taskId = `task-${tasks.length + 1}-${key}`;
    const start = at === undefined ? null : Date.parse(at);
    const task = createTask(chances, clock.elsewhere(), { taskId, key, contactIds, says, at: start });
    tasks.push(task);
    return task;
  }

  const created = (task: PlatformTask) =>
    responded(201, { taskId: task.taskId, estimatedRecipientCount: task.contactIds.length });

  /** Nobody hears of this call again, until all is over. */
  const hang = () => {
    died();
    return new Promise<Exchange>((resolve) => (closed ? resolve(timedOut()) : hanging.push(resolve)));
  };

  function fateOf(contactIds: string[]): { fate: A1Fate; about: unknown[] } {
    const first = contactIds[0] ?? '';
    const earlier = submittedBefore.get(first) ?? 0;
    submittedBefore.set(first, earlier + 1);
    const about = [contactIds.join(), earlier];
    // Sooner or later everything is accepted: a world comes to rest.
    return { fate: earlier > 7 ? 'accepted' : chances.draw(manners[manner] ?? {}, 'A1', ...about), about };
  }

  /** A button that opens a conversation names one of our sources. */
  const namesSources = (messages: A1Body['messages']): boolean =>
    messages
      .flatMap(({ actions = [] }) => actions.flatMap(({ data }) => (data === undefined ? [] : [data])))
      .map((data) => JSON.parse(data) as { event: string; sourceId?: string })
      .every(({ event, sourceId }) => event === 'Broadcast' || sources.some((source) => source.sourceId === sourceId));

  async function submit(request: HttpRequest): Promise<Exchange> {
    const { audience, schedule, messages } = JSON.parse(String(request.body)) as A1Body;
    if (!namesSources(messages)) return responded(400, { code: 'invalid_postback' });
    const { contactIds } = audience;
    const says = messages[0]?.title ?? messages[0]?.text ?? '';
    const submission = {
      at: clock.elsewhere(),
      key: request.headers['Idempotency-Key'] ?? '',
      byClock: clock.now(),
      settings: clock.settings(),
      contactIds,
      says,
    };
    submissions.push(submission);
    const { fate, about } = fateOf(contactIds);
    await clock.sleep(chances.between(20, 900, 'A1 takes', ...about));
    const refuse = (exchange: Exchange): Exchange => {
      const { key, settings } = submission;
      refusals.push({ key, settings, at: clock.elsewhere() });
      return exchange;
    };
    const take = () => accept(submission, schedule.at);
    switch (fate) {
      case 'accepted':
        return created(take());
      case 'acceptedLate': {
        const task = take();
        await clock.sleep(chances.between(16, 240, 'A1 is late', ...about) * 1000);
        return created(task);
      }
      case 'responseLost':
        take();
        await clock.sleep(CALL_MS);
        return timedOut();
      case 'requestLost':
        await clock.sleep(CALL_MS);
        return timedOut();
      case 'diedAfterEffect':
        take();
        return await hang();
      case 'died':
        return await hang();
      case 'internalErrorAfterEffect':
        take();
        return responded(500, {});
      case 'internalError':
        return responded(500, {});
      case 'throttled':
        return refuse(responded(429, { code: 'too_many' }, '7'));
      case 'busy':
        return refuse(responded(503, { code: 'busy' }));
      case 'unreachable':
        return refuse(failed(false, 'ECONNREFUSED'));
      case 'rejected':
        return responded(400, { code: 'invalid_request' });
      case 'contactsUnknown': {
        const named = contactIds.filter((id) => chances.fraction('unknown', id) < 0.4);
        return responded(400, { code: 'contact_not_found', contactIds: named });
      }
    }
  }

  function read(task: PlatformTask | undefined): Exchange {
    const now = clock.elsewhere();
    if (!task || isHidden(task, now)) return responded(404, { code: 'task_not_found' });
    const fate = chances.draw(
      { fine: 90, busy: 4, lost: 6 },
      'A2',
      task.contactIds.join(),
      Math.floor(clock.elapsed() / 30_000),
    );
    if (fate === 'busy') return responded(503, { code: 'busy' }, '5');
    return fate === 'lost' ? timedOut() : responded(200, reportOf(task, now));
  }

  function cancel(task: PlatformTask | undefined): Exchange {
    const now = clock.elsewhere();
    if (!task || isHidden(task, now)) return responded(404, { code: 'task_not_found' });
    const fate = chances.draw(
      { fine: 70, busy: 12, lost: 18 },
      'A3',
      task.contactIds.join(),
      Math.floor(clock.elapsed() / 10_000),
    );
    if (fate === 'busy') return responded(503, { code: 'busy' }, '5');
    if (statusOf(task, now) !== 'scheduled')
      return responded(409, { code: 'not_scheduled', status: statusOf(task, now) });
    task.cancelled = true;
    return fate === 'lost' ? timedOut() : responded(200, { taskId: task.taskId, status: 'cancelled' });
  }

  async function send(request: HttpRequest): Promise<Exchange> {
    calls += 1;
    if (closed) return timedOut();
    const path = decodeURIComponent(request.url.pathname);
    if (path.endsWith('/broadcasts')) return await submit(request);
    const id = path.split('/').at(-1) ?? '';
    await clock.sleep(20);
    if (path.startsWith('/openapi/v1/entry-sources')) return receive(request);
    if (id.endsWith(':cancel')) return cancel(tasks.find(({ taskId }) => `${taskId}:cancel` === id));
    return read(tasks.find(({ taskId }) => taskId === id));
  }

  const exchange: HttpExchange = { send, close: () => Promise.resolve(), destroy: () => Promise.resolve() };
  return {
    exchange,
    tasks,
    submissions,
    refusals,
    sources,
    /** Whether it rejects most of what it is sent. */
    rejects: manner === 'rejecting',
    calls: () => calls,
    /** Ends the calls that nobody waits for any more. */
    close: () => {
      closed = true;
      for (const end of hanging.splice(0)) end(timedOut());
    },
  };
}

export type Platform = ReturnType<typeof startPlatform>;
