import { expect } from 'chai';
import { eventually } from '../support/time/eventually.ts';
import { contacts, type Machine, subTasks, useFleet } from './fleet.ts';
import { startLoad } from './load.ts';
import { contactsAtPlatform, expectEveryClick, expectEveryPayment, settled } from './outcome.ts';

const killed: Machine[] = ['backend-worker', 'bff', 'backend', 'orders'];

describe('two machines of each service, one of each killed', function () {
  this.timeout(600_000);
  const { fleet, tenant } = useFleet({ platformCallsPerSecond: 3 });

  it('lose nothing, do nothing twice, and fail no request that a client would not repeat', async () => {
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
    const tasks = await settled(load, subTasks);
    await load.stop();

    const unknown = tasks.filter(({ status }) => status === 'unknown');
    const reached = await contactsAtPlatform(load);
    const known = tasks
      .filter(({ status }) => status === 'completed')
      .reduce((sum, task) => sum + task.contactCount, 0);
    expect(reached).to.be.within(known, contacts);
    const lost = (contacts - reached) / 1000;
    for (const { key } of unknown) {
      const path = `/campaigns/${load.campaignId}/tasks/${key}:resolve`;
      await load.api.post(path, { outcome: 'not_sent' });
    }
    await expectEveryClick(load);
    await expectEveryPayment(load);
    const { clicked, paid } = load.done();
    process.stderr.write(
      `      ${subTasks} sub-tasks (${unknown.length} unknown, ${lost} of them not at the platform), ${clicked} clicks, ${paid} payments; repeated: ${JSON.stringify([...load.failures])}\n`,
    );
  });
});
