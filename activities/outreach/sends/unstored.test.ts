import { once } from 'node:events';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { expect } from 'chai';
import type { Database } from '#db/database.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import type { PlatformReply } from '#test/support/doubles/recording-platform.ts';
import { readTasks, type TestSend } from '#test/support/outreach/rows.ts';
import { openSendingSite, type SendingSite } from '#test/support/services/sending-site.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { createDispatchActivities } from './dispatch.ts';

const refused = () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));

/** The same pool, whose statements are first shown to `interfere`; what that returns replaces them. */
function interferedWith(database: Database, interfere: (sql: string) => Promise<never> | null): Database {
  return new Proxy(database, {
    get(target, key) {
      const own = Reflect.get(target, key) as unknown;
      if (key === 'transaction')
        return (...given: unknown[]) => interfere('begin') ?? Reflect.apply(own as () => unknown, target, given);
      if (key === 'raw')
        return (...given: [string]) => interfere(given[0]) ?? Reflect.apply(own as () => unknown, target, given);
      return own;
    },
  });
}

describe('outcomes that the database does not take', () => {
  const database = useDatabase('outreach');
  let site: SendingSite;

  beforeEach(async () => {
    site = await openSendingSite(database);
  });
  afterEach(() => site.close());

  /** One attempt of an activity, whose failures are expected here. */
  const attempt = (info: ConstructorParameters<typeof MockActivityEnvironment>[0] = {}) =>
    new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') });
  const submitAs = (
    environment: MockActivityEnvironment,
    { tenantId, dispatchId, keys }: TestSend,
    more: { database?: Database; drainMs?: number } = {},
  ) => {
    const { submitBroadcasts } = createDispatchActivities({ ...site.deps, ...more });
    return environment.run(() => submitBroadcasts({ tenantId, dispatchId, from: 0, to: keys.length - 1 }));
  };
  /** The platform's first answer comes while the database is away: `times` statements long, or for good. */
  function awayAfterA1(times: number, reply: PlatformReply | null = null): Database {
    let left = 0;
    site.platform.behave(({ earlier }) => {
      left = times;
      return earlier === 0 ? reply : null;
    });
    return interferedWith(database, () => {
      left -= 1;
      return left >= 0 ? refused() : null;
    });
  }

  it('A11, finding 5: stores a taskId however often the database refuses connections before', async () => {
    const send = await site.seedSend({ chunks: [1] });
    await submitAs(attempt(), send, { database: awayAfterA1(8) });
    const [task] = await readTasks(database, send);
    expect(task).to.include({ status: 'sending', taskId: `task-${send.keys[0]}`, attempts: 1 });
    expect(site.platform.of('A1')).to.have.length(1);
  });

  for (const [name, reply, stored] of [
    ['a taskId', null, { status: 'sending', attempts: 1 }],
    ['that the platform asked to be called later', { status: 429 }, { status: 'sending', attempts: 2 }],
  ] as const) {
    it(`A11, finding 5: a worker that ends while the database is away leaves ${name} to the next attempt`, async () => {
      const send = await site.seedSend({ chunks: [1] });
      const away = awayAfterA1(Infinity, reply);
      const first = attempt({ attempt: 1 });
      let details: unknown;
      first.on('heartbeat', (given: unknown) => {
        details = given;
        first.cancel('WORKER_SHUTDOWN');
      });
      const failed = await submitAs(first, send, { database: away, drainMs: 100 }).catch((error: unknown) => error);
      expect(failed).to.have.property('code', 'ECONNREFUSED');
      expect((await readTasks(database, send))[0]?.status).to.equal('submitting');
      await submitAs(attempt({ attempt: 2, heartbeatDetails: details }), send);
      expect((await readTasks(database, send))[0]).to.include({ ...stored, taskId: `task-${send.keys[0]}` });
      expect(site.platform.of('A1')).to.have.length(stored.attempts);
    });
  }

  it('A11: after SIGTERM no further sub-task is claimed, and calls under way are waited for and stored', async () => {
    const send = await site.seedSend({ chunks: Array.from({ length: 30 }, () => 1) });
    const environment = attempt();
    const answer = new AbortController();
    site.platform.behave(() => once(answer.signal, 'abort').then(() => null));
    const submitted = submitAs(environment, send).catch((error: unknown) => error);
    const begun = await eventually('calls are under way', () => site.platform.calls.length === 2 && 2);
    environment.cancel('WORKER_SHUTDOWN');
    answer.abort();
    expect(await submitted).to.have.property('message', 'WORKER_SHUTDOWN');
    const statuses = (await readTasks(database, send)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 'sending')).to.have.length(begun);
    expect(statuses.filter((status) => status === 'pending')).to.have.length(30 - begun);
    expect(site.platform.calls).to.have.length(begun);
  });

  it('A11: a claim that took effect though its connection broke is given back, since no call followed', async () => {
    const send = await site.seedSend({ chunks: [1] });
    let broken = 0;
    const breaking = interferedWith(database, (sql) => {
      if (!sql.includes("set status = 'submitting'") || broken++ > 0) return null;
      return database
        .raw(
          `update broadcast_task set status = 'submitting', submitting_since = now(), submitting_by = ? where key = ?`,
          ['00000000-0000-0000-0000-000000000000/test/1', send.keys[0] ?? ''],
        )
        .then(refused);
    });
    const failed = await submitAs(attempt(), send, { database: breaking }).catch((e: unknown) => e);
    expect(failed).to.have.property('code', 'ECONNREFUSED');
    expect((await readTasks(database, send))[0]?.status).to.equal('pending');
    expect(site.platform.calls).to.have.length(0);
  });

  it('a sub-task is not given back after a call whose outcome is open and could not be stored', async () => {
    const send = await site.seedSend({ chunks: [1] });
    site.platform.behave(() => 'reset');
    const refusing = interferedWith(database, (sql) =>
      sql === 'begin' && site.platform.calls.length > 0 ? Promise.reject(new Error('could not be stored')) : null,
    );
    const failed = await submitAs(attempt(), send, { database: refusing }).catch((error: unknown) => error);
    expect(failed).to.have.property('message', 'could not be stored');
    expect((await readTasks(database, send))[0]?.status).to.equal('submitting');
    await submitAs(attempt(), send);
    expect(site.platform.of('A1')).to.have.length(1);

    await database('broadcast_task')
      .update({ submitting_since: new Date(0) })
      .where({ key: send.keys[0] });
    await submitAs(attempt(), send);
    expect((await readTasks(database, send))[0]?.status).to.equal('unknown');
    expect(site.platform.of('A1')).to.have.length(1);
  });
});
