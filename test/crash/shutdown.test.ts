import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { rows } from '#db/database.ts';
import type { Campaign } from '#domain/api/campaign.ts';
import { type JsonClient, jsonClient } from '#scripts/demo/client.ts';
import { fixture } from '../support/fixtures/fixture.ts';
import { useStack } from '../support/fixtures/stack.ts';
import { launchMortalPostgres } from '../support/servers/servers.ts';
import { apiAs } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';
import { installWithContacts, sendTwentySubTasks, subTaskCount, type TwentySubTasks } from './twenty-sub-tasks.ts';

/** `npm run test:all` sets both: how often each happens, and how long the database is away the first time. */
const { SHUTDOWN_REPETITIONS = '1', SHUTDOWN_DATABASE_AWAY_MS = '0' } = process.env;
const repetitions = Number(SHUTDOWN_REPETITIONS);
const databaseAwayMs = Number(SHUTDOWN_DATABASE_AWAY_MS);

const times = `${repetitions} ${repetitions === 1 ? 'time' : 'times'}`;
const slow = (delayMs: number, rate = 1) => ({ route: 'A1', mode: 'slow', delayMs, rate, seed: delayMs });

describe('the end of the backend, and of PostgreSQL, in the middle of sends', function () {
  this.timeout(120_000 + databaseAwayMs + repetitions * 120_000);
  const postgres = fixture(async () => {
    const value = await launchMortalPostgres();
    return { value, close: () => value.stop() };
  });
  const stack = useStack(() => ({ services: ['sandbox', 'backend', 'bff'], postgres: postgres.url }));
  let sandbox: JsonClient;

  before(async () => {
    sandbox = jsonClient(stack.addresses.sandbox);
    const outreach = stack.database.connect('outreach');
    await installWithContacts(sandbox, stack.addresses.bff, outreach);
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  async function taskIds(): Promise<string[]> {
    const path = '/sandbox/tasks?tenant=crash&serviceNumberId=sn-crash&limit=1000';
    return (await sandbox.get<{ items: { taskId: string }[] }>(path)).items.map(({ taskId }) => taskId);
  }

  /** Waits until calls to the platform are under way. */
  async function callsUnderWay(): Promise<void> {
    const outreach = stack.database.connect('outreach');
    await eventually('calls are under way', async () => {
      const calls = await rows(
        outreach,
        `select 1 from outbound_call where started_at > now() - interval '1 second'`,
        {},
      );
      return calls.length > 0;
    });
  }

  /** Sends, and strikes once some calls are answered and others are under way. */
  async function struck(faults: object[], strike: (sent: TwentySubTasks) => Promise<void>) {
    const earlier = new Set(await taskIds());
    const sent = await sendTwentySubTasks(stack.addresses.sandbox, stack.addresses.bff, faults);
    await eventually('some sub-tasks are accepted', async () => (await taskIds()).length >= earlier.size + 4);
    await callsUnderWay();
    await strike(sent);
    const settled = await sent.settled();
    expect(settled).to.have.length(subTaskCount);
    const known = new Set(settled.map(({ taskId }) => taskId));
    const own = (await taskIds()).filter((taskId) => !earlier.has(taskId));
    expect(own.length).to.be.at.most(subTaskCount);
    const unknown = settled.filter(({ status }) => status === 'unknown').length;
    return { unknown, lostTaskIds: own.filter((taskId) => !known.has(taskId)).length };
  }

  async function repeat(work: (round: number) => Promise<{ unknown: number; lostTaskIds: number }>) {
    const sum = { unknown: 0, lostTaskIds: 0 };
    for (let round = 0; round < repetitions; round += 1) {
      const { unknown, lostTaskIds } = await work(round);
      sum.unknown += unknown;
      sum.lostTaskIds += lostTaskIds;
    }
    process.stderr.write(`      ${times}: ${sum.unknown} unknown, ${sum.lostTaskIds} lost taskIds\n`);
    return sum;
  }

  it(`A11: SIGTERM of the backend, ${times}: no sub-task is unknown, though calls take up to 10 s`, async () => {
    const restart = async () => {
      const { exited } = stack.child('backend');
      await stack.kill('backend', 'SIGTERM');
      expect(await exited).to.deep.equal({ code: 0, signal: null });
      await stack.restart('backend');
    };
    const outcome = await repeat(() => struck([slow(500), slow(9500, 0.3)], restart));
    expect(outcome).to.deep.equal({ unknown: 0, lostTaskIds: 0 });
  });

  it(`A11, finding 5: kill -9 of PostgreSQL, ${times}: no taskId is lost`, async () => {
    const outcome = await repeat((round) =>
      struck([slow(1500)], async () => {
        const before = (await taskIds()).length;
        await postgres.kill();
        await eventually('answers come while it is away', async () => (await taskIds()).length > before);
        if (round === 0) await setTimeout(databaseAwayMs);
        await postgres.revive();
      }),
    );
    expect(outcome).to.deep.equal({ unknown: 0, lostTaskIds: 0 });
  });

  it('finding 14: SIGTERM lets a request be answered that takes longer than 2 s', async () => {
    const api = await apiAs(stack, { sub: 'kim', tenantId: 'crash', roles: ['tenant_admin'] });
    const draft = await api.post<Campaign>('/campaigns', {
      name: 'Under way',
      serviceNumberId: 'sn-crash',
      messages: [{ type: 'text', text: 'Hello' }],
      audience: { type: 'contacts', contactIds: ['sn-crash-000001'] },
      schedule: { type: 'immediate' },
    });
    await sandbox.put('/sandbox/faults', { faults: [slow(4000)] });
    const answer = api.post<{ taskId: string }>(`/campaigns/${draft.id}:test-send`, {
      contactIds: ['sn-crash-000001'],
    });
    answer.catch(() => undefined);
    await callsUnderWay();
    await stack.kill('backend', 'SIGTERM');
    expect((await answer).taskId).to.be.a('string');
  });
});
