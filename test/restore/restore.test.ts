import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { type JsonClient, jsonClient } from '#scripts/demo/client.ts';
import { builtServices, projectFolder } from '#scripts/start/services.ts';
import { ada } from '../support/browser/people.ts';
import { fixture } from '../support/fixtures/fixture.ts';
import { launchMortalPostgres, type MortalPostgres } from '../support/servers/servers.ts';
import { openShop } from '../support/services/shop.ts';
import { type Stack, startStack } from '../support/services/stack.ts';
import { eventually } from '../support/time/eventually.ts';
import { contactCount, installWithContacts, sendTwentySubTasks } from '../crash/twenty-sub-tasks.ts';

const addresses = ['DATABASE_URL', 'DATABASE_URL_BFF', 'DATABASE_URL_BACKEND', 'DATABASE_URL_ORDERS'] as const;

/** A platform that takes its time, and after ten sub-tasks asks for patience: the backup falls into the middle of the send. */
const slowly = { PLATFORM_CALLS_PER_SECOND: '2', POLL_INTERVAL_MS: '5000' };
const BEFORE = 10;
const patience = { route: 'A1', mode: 'status', status: 429, code: 'busy', retryAfter: 1, skip: BEFORE };

function onServer(address: string, server: string): string {
  const moved = new URL(address);
  moved.port = new URL(server).port;
  return moved.toString();
}

describe('a restore from a backup, with an empty Temporal', function () {
  this.timeout(600_000);
  const servers: MortalPostgres[] = [];
  const postgres = fixture(async () => {
    const value = await launchMortalPostgres();
    servers.push(value);
    return { value, close: () => Promise.all(servers.map((server) => server.stop())) };
  });
  let first: Stack;
  let second: Stack | undefined;
  let sandbox: JsonClient;

  before(async () => {
    first = await startStack({ postgres: postgres.url, env: slowly });
    sandbox = jsonClient(first.addresses.sandbox);
    await installWithContacts(sandbox, first.addresses.bff, first.database.connect('outreach'));
  });
  after(async () => {
    await second?.stop();
    // Its database is dropped, for which its server has to be there.
    await postgres.revive();
    await first?.stop();
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${(second ?? first).logs()}\n`);
  });

  /** Services of the same addresses as the first, on what was restored; the platform goes on as it was. */
  async function startRestored(server: string): Promise<Stack> {
    const { settings } = first;
    const databases = Object.fromEntries(addresses.map((name) => [name, onServer(first.database[name], server)]));
    const ports = ['BFF_PORT', 'BACKEND_PORT', 'ORDERS_PORT', 'SANDBOX_PORT'] as const;
    const env = {
      ...databases,
      ...Object.fromEntries(ports.map((name) => [name, String(settings[name])])),
      POLL_INTERVAL_MS: '500',
    };
    const printed = execFileSync(process.execPath, [`${builtServices}/restored.mjs`], {
      cwd: projectFolder,
      env: { PATH: process.env.PATH, NODE_ENV: 'test', ...databases },
    }).toString();
    expect(printed).to.match(
      /To be compared with the platform:\n {2}crash: .* \(Crash\): \d+ sub-tasks with \d+000 contacts/,
    );
    return startStack({ services: ['backend', 'orders', 'bff'], env });
  }

  it('sends nothing again that may have been sent, and goes on with everything else', async () => {
    const shop = await openShop(first, ada);
    const { orderId } = await shop.createBoxes('pays during the backup');
    await shop.post(`/user/order/${orderId}/pay`, { tenantId: ada.tenantId });
    const sent = await sendTwentySubTasks(first.addresses.sandbox, first.addresses.bff, [patience]);
    const accepted = async () => (await sent.platformTasks()).length;
    await eventually('half of it is accepted', async () => (await accepted()) === BEFORE);
    const backup = await postgres.backUp();
    await sandbox.put('/sandbox/faults', { faults: [] });
    await eventually('more are accepted after the backup', async () => (await accepted()) >= BEFORE + 2);
    for (const name of ['backend', 'orders', 'bff'] as const) await first.kill(name);
    await postgres.kill();
    const [attempt] = (await sandbox.get<{ items: { chargeId: string }[] }>('/sandbox/charges')).items;
    await sandbox.post(`/sandbox/charges/${attempt?.chargeId}:pay`, {});
    const atPlatform = await accepted();

    const restored = await backup.restore();
    servers.push(restored);
    second = await startRestored(restored.url);
    const settled = await sent.settled();
    expect(await accepted(), 'nothing is sent again').to.equal(atPlatform);
    const unknown = settled.filter(({ status }) => status === 'unknown');
    expect(unknown.length).to.be.within(20 - BEFORE, 20);
    expect(settled.length).to.equal(20);
    await shop.becomes(orderId, '30/30/30');

    const known = new Set(settled.map(({ taskId }) => taskId));
    const lost = (await sent.platformTasks()).filter(({ taskId }) => !known.has(taskId));
    for (const { taskId } of lost) {
      const { contactIds } = await sandbox.get<{ contactIds: string[] }>(`/sandbox/tasks/${taskId}`);
      await sandbox.post('/sandbox/clicks', { taskId, contactId: contactIds[0] });
    }
    await eventually('clicks tell what was sent after the backup', async () => {
      const found = new Set((await sent.subTasks()).map(({ taskId }) => taskId));
      return lost.every(({ taskId }) => found.has(taskId));
    });
    process.stderr.write(
      `      ${BEFORE} of 20 sub-tasks sent before the backup, ${atPlatform - BEFORE} after it, ${unknown.length} unknown after the restore (${contactCount} contacts)\n`,
    );
  });
});
