import { expect } from 'chai';
import { connect } from '#db/connection.ts';
import { jsonClient } from '#scripts/demo/client.ts';
import { eventually } from '../support/time/eventually.ts';
import { temporaryFolder } from '../support/servers/servers.ts';
import { expectGone, ownPorts, processesOf, startUntilReady } from '../support/services/started.ts';
import { expectOnceOrUnknown, installWithContacts, sendTwentySubTasks, subTaskCount } from './twenty-sub-tasks.ts';

describe('kill -9 of every process, servers included, in the middle of a dispatch', function () {
  this.timeout(300_000);

  it('continues at the next start: each sub-task was accepted once or is unknown, and none is lost', async () => {
    const folder = temporaryFolder();
    const environment = { ...(await ownPorts()), DATA_DIR: folder, POLL_INTERVAL_MS: '100' };
    const address = (name: string) => `http://127.0.0.1:${environment[name as keyof typeof environment]}`;
    const [sandbox, bff] = [address('SANDBOX_PORT'), address('BFF_PORT')];
    await startUntilReady(environment);
    const port = environment['EMBEDDED_POSTGRES_PORT' as keyof typeof environment];
    const outreach = connect({
      url: `postgres://outreach:outreach@127.0.0.1:${port}/outreach_platform`,
      schema: 'outreach',
      applicationName: 'test',
      pool: { max: 1 },
    });
    await installWithContacts(jsonClient(sandbox), bff, outreach);
    await outreach.destroy();

    const sent = await sendTwentySubTasks(sandbox, bff);
    const before = await eventually('some sub-tasks are accepted', async () => {
      const calls = await sent.acceptedCalls();
      return calls.length >= 4 && calls;
    });
    expect(before.length).to.be.lessThan(subTaskCount);
    const processes = processesOf(folder);
    expect(processes.map(({ name }) => name)).to.include.members(['start', 'temporal', 'postgresql', 'backend']);
    for (const { pid } of processes) process.kill(pid, 'SIGKILL');
    await expectGone(processes.map(({ pid }) => pid));

    const again = await startUntilReady(environment);
    await expectOnceOrUnknown(sent, await sent.settled());
    process.kill(again.pid, 'SIGTERM');
    expect(await again.exited).to.equal(0);
  });
});
