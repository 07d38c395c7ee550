import { expect } from 'chai';
import { eventually } from '../support/time/eventually.ts';
import { contacts, machines, subTasks, useFleet } from './fleet.ts';
import { startLoad } from './load.ts';
import { contactsAtPlatform, expectEveryClick, expectEveryPayment, settled } from './outcome.ts';

interface Deliveries {
  items: { status: string; attempts: number; lastStatus: number | null }[];
}

describe('a rolling restart of every process under load', function () {
  this.timeout(1_200_000);
  const { fleet, tenant } = useFleet({ platformCallsPerSecond: 4 });

  it('fails no request, delivers every webhook at once, and leaves no sub-task unknown', async () => {
    const load = await startLoad(fleet, tenant);
    const sending: boolean[] = [];
    for (const name of machines) {
      const before = load.done();
      await eventually(`payments go on before ${name} is restarted`, () => load.done().paid > before.paid);
      sending.push(load.done().accepted < subTasks);
      await fleet.roll(name);
    }
    const tasks = await settled(load, subTasks);
    await load.stop();

    expect([...load.failures]).to.deep.equal([]);
    expect(tasks.filter(({ status }) => status === 'unknown')).to.deep.equal([]);
    expect(await contactsAtPlatform(load)).to.equal(contacts);
    await expectEveryClick(load);
    await expectEveryPayment(load);
    const { items } = await tenant.sandbox.get<Deliveries>('/sandbox/deliveries?limit=20000');
    const again = items.filter(({ attempts, status }) => attempts !== 1 || status !== 'delivered');
    expect(again).to.deep.equal([]);
    const during = sending.filter(Boolean).length;
    expect(during, 'restarts in the middle of the send').to.be.greaterThan(0);
    const { clicked, paid } = load.done();
    process.stderr.write(
      `      ${machines.length} restarts (${during} in the middle of the send): ${subTasks} sub-tasks, ${clicked} clicks, ${paid} payments, ${items.length} webhooks\n`,
    );
  });
});
