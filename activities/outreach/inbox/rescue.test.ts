import { expect } from 'chai';
import { firstRow, rows } from '../../../db/database.ts';
import { keepLease, takeAbandoned, takeLease } from '../../../db/outreach/inbox/lease.ts';
import { eventCommand, inboxOf } from '../../../test/support/outreach/inbox-events.ts';
import { testDeps, testEncryption } from '../../../test/support/services/outreach-flows.ts';
import { seedTenant, type TestTenant } from '../../../test/support/outreach/rows.ts';
import { useDatabase } from '../../../test/support/fixtures/database.ts';
import { eventually } from '../../../test/support/time/eventually.ts';
import { drain } from './drain.ts';
import { createInboxRescue } from './rescue.ts';

describe('a drain whose process has died', () => {
  const database = useDatabase('outreach');
  let tenant: TestTenant;

  before(async () => {
    tenant = await seedTenant(database, testEncryption);
  });
  beforeEach(() => rows(database, 'delete from inbox_lease', {}));

  const lease = () =>
    firstRow<{ holder: string; state: string; expiresAt: Date }>(database, 'select * from inbox_lease', {});
  const expire = () => rows(database, `update inbox_lease set expires_at = now() - interval '1 millisecond'`, {});
  const open = async () =>
    (await firstRow<{ n: number }>(database, `select count(*) as n from event_inbox where status = 'stored'`, {}))?.n;
  const contact = (n: number) =>
    eventCommand(tenant, 'contact.entered', { contactId: `c${n}`, serviceNumberId: 'sn-1' });

  it('is replaced by another process, which handles what is stored and what comes, without the workflow server', async () => {
    await takeLease(database, { partition: 0, holder: 'dead' });
    await inboxOf(database).store(...Array.from({ length: 30 }, (_, n) => contact(n)));
    const rescue = createInboxRescue(testDeps(database, 'http://127.0.0.1:1'));
    const running = rescue.run();
    expect((await lease())?.holder).to.equal('dead');
    await expire();
    await eventually('what was stored is handled', async () => (await open()) === 0);
    expect((await lease())?.holder).to.match(/^rescue/);
    await inboxOf(database).store(contact(30));
    await eventually('what came since is handled', async () => (await open()) === 0);
    await takeLease(database, { partition: 0, holder: 'next attempt' });
    await inboxOf(database).store(contact(31));
    rescue.shutdown();
    await running;
    expect((await lease())?.holder).to.equal('next attempt');
  });

  it('takes what arrives meanwhile in one batch, so that a stream of single events costs few of them', async () => {
    let looks = 0;
    const note = ({ sql }: { sql: string }) => void (looks += Number(sql.includes('with recursive tenants')));
    database.on('query', note);
    const stopping = new AbortController();
    const lease = { partition: 0, holder: 'paced' };
    await takeLease(database, lease);
    const began = performance.now();
    const draining = drain(testDeps(database, 'http://127.0.0.1:1'), lease, stopping.signal);
    for (let n = 100; n < 150; n += 1) await inboxOf(database).store(contact(n));
    await eventually('all are handled', async () => (await open()) === 0);
    stopping.abort();
    await draining;
    const elapsedMs = performance.now() - began;
    database.off('query', note);
    // One look every 20 ms at most: without a pause there would be one every few.
    expect(looks).to.be.at.most(Math.ceil(elapsedMs / 20) + 1);
  });

  it('is replaced by one process of several', async () => {
    await takeLease(database, { partition: 0, holder: 'dead' });
    await takeLease(database, { partition: 1, holder: 'dead' });
    await expire();
    const taken = await Promise.all(['a', 'b', 'c'].map((holder) => takeAbandoned(database, holder)));
    expect(taken.flat().toSorted()).to.deep.equal([0, 1]);
  });

  it('is not taken for dead while it renews its lease, however long a batch takes, and notices that it was replaced', async () => {
    await takeLease(database, { partition: 0, holder: 'slow' });
    const first = (await lease())?.expiresAt.getTime() ?? 0;
    const kept = keepLease(database, { partition: 0, holder: 'slow' });
    try {
      await eventually('its lease is older than one lasts', async () => {
        expect(await takeAbandoned(database, 'other')).to.deep.equal([]);
        return ((await lease())?.expiresAt.getTime() ?? 0) > first + 3000;
      });
      expect(kept.isHeld()).to.equal(true);
      await takeLease(database, { partition: 0, holder: 'other' });
      await eventually('it notices', () => !kept.isHeld());
    } finally {
      kept.stop();
    }
  });
});
