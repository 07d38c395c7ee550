import { expect } from 'chai';
import { firstRow, rows } from '#db/database.ts';
import { keepLease, takeAbandoned, takeLease } from '#db/outreach/inbox/lease.ts';
import { eventCommand, inboxOf } from '#test/support/outreach/inbox-events.ts';
import { testDeps, testEncryption } from '#test/support/services/outreach-flows.ts';
import { seedTenant, type TestTenant } from '#test/support/outreach/rows.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { eventually } from '#test/support/time/eventually.ts';
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

  it('looks every 20 ms at most while single events arrive, so that a stream of them costs few batches', async () => {
    const looks: number[] = [];
    const note = ({ sql }: { sql: string }) => {
      if (sql.includes('with recursive tenants')) looks.push(performance.now());
    };
    database.on('query', note);
    const stopping = new AbortController();
    const lease = { partition: 0, holder: 'paced' };
    await takeLease(database, lease);
    const draining = drain(testDeps(database, 'http://127.0.0.1:1'), lease, stopping.signal);
    for (let n = 100; n < 150; n += 1) await inboxOf(database).store(contact(n));
    await eventually('all are handled', async () => (await open()) === 0 && looks.length > 8);
    stopping.abort();
    await draining;
    database.off('query', note);
    const [first = 0] = looks;
    const elapsedMs = (looks.at(-1) ?? first) - first;
    // Timers may be early by a millisecond, and the first look late by more than the last.
    expect(elapsedMs).to.be.at.least(19 * (looks.length - 1) - 25);
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
