import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { type JsonClient, jsonClient } from '#scripts/demo/client.ts';
import type { ServiceName } from '#scripts/start/services.ts';
import { eventually } from '../support/time/eventually.ts';
import { type Stack, startStack } from '../support/services/stack.ts';
import {
  endlessSlowness,
  expectOnceOrUnknown,
  installWithContacts,
  sendTwentySubTasks,
  subTaskCount,
  type TwentySubTasks,
} from './twenty-sub-tasks.ts';

const services: ServiceName[] = ['sandbox', 'backend', 'bff', 'orders'];

describe('kill -9 of every service in the middle of a dispatch', function () {
  this.timeout(300_000);
  let stack: Stack;
  let sandbox: JsonClient;
  let sent: TwentySubTasks;

  before(async () => {
    stack = await startStack({ services });
    sandbox = jsonClient(stack.addresses.sandbox);
    await installWithContacts(sandbox, stack.addresses.bff, stack.database.connect('outreach'));
  });

  after(async () => {
    await stack?.stop();
  });

  it('loses no sub-task, sends none twice, and every count adds up at any time', async () => {
    // Whatever the kill hits, there is one whose response was lost, and one that never arrived.
    const faults = [
      ...endlessSlowness,
      { route: 'A1', mode: 'lost-answer', skip: 1, count: 1 },
      { route: 'A1', mode: 'reset', skip: 2, count: 1 },
    ];
    sent = await sendTwentySubTasks(stack.addresses.sandbox, stack.addresses.bff, faults);
    const before = await eventually('some sub-tasks are accepted', async () => {
      const calls = await sent.acceptedCalls();
      return calls.length >= 4 && calls;
    });
    expect(before.length).to.be.lessThan(subTaskCount);
    // The platform outlives the services briefly: some of the calls in flight take effect, and nobody receives the
    // response.
    await stack.kill('backend');
    await setTimeout(350);
    await Promise.all(services.filter((name) => name !== 'backend').map((name) => stack.kill(name)));

    await Promise.all(services.map((name) => stack.restart(name)));
    await expectOnceOrUnknown(sent, await sent.settled());
  });

  it('resolves unknown sub-tasks by a click if the platform has them, and by an operator if not', async () => {
    const known = new Set((await sent.subTasks()).map(({ taskId }) => taskId));
    const lost = (await sent.platformTasks()).filter(({ taskId }) => !known.has(taskId));
    expect(lost).to.have.length.of.at.least(1);
    for (const { taskId } of lost) {
      const { contactIds } = await sandbox.get<{ contactIds: string[] }>(`/sandbox/tasks/${taskId}`);
      const click = { taskId, contactId: contactIds[0] };
      await eventually('it is delivered, and clicked', () => sandbox.post('/sandbox/clicks', click));
    }
    await eventually('the clicks have told', async () => {
      const found = new Set((await sent.subTasks()).map(({ taskId }) => taskId));
      return lost.every(({ taskId }) => found.has(taskId));
    });
    const neverArrived = (await sent.subTasks()).filter(({ status }) => status === 'unknown');
    expect(neverArrived).to.have.length.of.at.least(1);
    for (const task of neverArrived) await sent.resolve(task, { outcome: 'not_sent' });
    await eventually(
      'the campaign has ended',
      async () => {
        expect((await sent.progress()).status).to.equal('partially_failed');
        return true;
      },
      { timeoutMs: 30_000 },
    );
    const withTask = (await sent.subTasks()).filter(({ taskId }) => taskId !== null);
    expect((await sent.platformTasks()).length).to.equal(withTask.length);
  });
});
