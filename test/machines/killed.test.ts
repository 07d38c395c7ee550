import { expect } from 'chai';
import type { Campaign, SubTask } from '#domain/api/campaign.ts';
import { eventually } from '../support/time/eventually.ts';
import { contacts, type Machine, subTasks, useFleet } from './fleet.ts';
import { type Load, startLoad } from './load.ts';
import { contactsAtPlatform, expectEveryClick, expectEveryPayment, settled } from './outcome.ts';

const killed: Machine[] = ['backend-worker', 'bff', 'backend', 'orders'];

/** Calls are under way whenever a worker dies; of two others the platform hears, or we hear, nothing. */
const faults = [
  { route: 'A1', mode: 'slow', delayMs: 500 },
  { route: 'A1', mode: 'lost-answer', skip: 4, count: 1 },
  { route: 'A1', mode: 'reset', skip: 9, count: 1 },
];

const unknownOf = (tasks: readonly SubTask[]) => tasks.filter(({ status }) => status === 'unknown');

/** As an operator does who has looked for the sub-tasks at the platform and found none of them. */
async function sendAgain(load: Load, unknown: readonly SubTask[]): Promise<void> {
  for (const { key } of unknown) {
    const path = `/campaigns/${load.campaignId}/tasks/${key}:resolve`;
    const resolved = await load.api.post<SubTask>(path, { outcome: 'not_sent' });
    expect(resolved).to.include({ status: 'rejected', taskId: null });
  }
  await load.api.post(`/campaigns/${load.campaignId}:retry-failed`);
}

/** Every contact has been sent to once, and the campaign says so. */
async function expectEverybodyOnce(load: Load): Promise<void> {
  const progress = await eventually(
    'everybody is sent to',
    async () => {
      const found = await load.progress();
      return found.subTasks.completed?.contacts === contacts && found;
    },
    { timeoutMs: 120_000, intervalMs: 500 },
  );
  expect(progress.subTasks).to.deep.equal({ completed: { tasks: subTasks, contacts } });
  expect(await contactsAtPlatform(load)).to.equal(contacts);
  expect((await load.api.get<Campaign>(`/campaigns/${load.campaignId}`)).sentTwice).to.equal(0);
}

describe('two machines of each service, one of each killed', function () {
  this.timeout(1_200_000);
  const { fleet, tenant } = useFleet({ platformCallsPerSecond: 3 });

  it('lose nothing, do nothing twice, and fail no request that a client would not repeat', async () => {
    await tenant.sandbox.put('/sandbox/faults', { faults });
    const load = await startLoad(fleet, tenant);
    for (const name of killed) {
      const before = load.done();
      await eventually(`more is done before ${name} is killed`, () => {
        const { accepted, paid } = load.done();
        return accepted > before.accepted && paid > before.paid;
      });
      expect(load.done().accepted, 'the send is under way').to.be.lessThan(subTasks);
      await fleet.kill(name);
    }
    const doubtful = unknownOf(await settled(load, subTasks));
    await eventually('somebody of each task has clicked', () => load.done().clicked === load.done().accepted, {
      timeoutMs: 60_000,
    });
    await expectEveryClick(load);
    // A click tells of the sub-task that it belongs to.
    const lost = unknownOf(await settled(load, subTasks));
    expect(lost).to.not.have.length(0);
    const reached = await contactsAtPlatform(load);
    expect(contacts - reached, 'contacts whose sub-task is unknown').to.equal(lost.length * 1000);
    await sendAgain(load, lost);
    await expectEverybodyOnce(load);
    await load.stop();

    await expectEveryClick(load);
    await expectEveryPayment(load);
    const { clicked, paid } = load.done();
    process.stderr.write(
      `      ${subTasks} sub-tasks (${doubtful.length} unknown, ${lost.length} of them not at the platform), ${clicked} clicks, ${paid} payments; repeated: ${JSON.stringify([...load.failures])}\n`,
    );
  });
});
