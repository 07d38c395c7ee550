import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { storeEvents } from '#db/outreach/inbox/intake.ts';
import type { IntakeCommand } from '#domain/api/events.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { eventCommand } from '#test/support/outreach/inbox-events.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { seedTenant, type TestTenant } from '#test/support/outreach/rows.ts';
import { createIntake } from './intake.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';

describe('intake of events', () => {
  const database = useDatabase('outreach');
  let tenant: TestTenant;
  const PARTITIONS = 1;

  beforeEach(async () => {
    tenant = await seedTenant(database, testEncryption);
  });

  const command = (more?: Partial<IntakeCommand>) => eventCommand(tenant, 'contact.entered', {}, more);
  const store = (...commands: IntakeCommand[]) => storeEvents(database, commands, PARTITIONS, new Date());
  const stored = async () =>
    (await rows(database, 'select 1 from event_inbox where tenant_id = :tenantId', { tenantId: tenant.tenantId }))
      .length;

  it('stores each event once, however often and from wherever it is sent', async () => {
    const first = command();
    const kinds = (await store(first, first, command({ tenantIntegrationId: 'stranger' }))).map(({ kind }) => kind);
    expect(kinds).to.deep.equal(['stored', 'duplicate', 'unknown_integration']);
    const parallel = await Promise.all(Array.from({ length: 8 }, () => store(first)));
    expect(parallel.flat().every(({ kind }) => kind === 'duplicate')).to.equal(true);
    await rows(database, `update tenant_integration set status = 'UNINSTALLED' where tenant_id = :tenantId`, {
      tenantId: tenant.tenantId,
    });
    expect((await store(command())).map(({ kind }) => kind)).to.deep.equal(['unknown_integration']);
  });

  it('shares inserts, rejects only the request that cannot be stored, and signals partitions that nobody drains', async () => {
    const woken: number[] = [];
    const intakeInto = (list: number[]) => {
      const launcher = { inbox: (partition: number) => Promise.resolve(void list.push(partition)) };
      return createIntake({ database, launcher, partitions: PARTITIONS, logger: { warn: () => {} } });
    };
    const intake = intakeInto(woken);
    const good = Array.from({ length: 40 }, () => [command()]);
    const bad = [command({ payload: 'a\u0000b' })];
    const results = await Promise.allSettled([...good.slice(0, 20), bad, ...good.slice(20)].map((one) => intake(one)));
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(40);
    expect(results[20]).to.have.nested.property('reason.code', 'invalid_request');
    expect(await stored()).to.equal(40);
    await eventually('the partition is woken', () => woken.length > 0);
    await rows(
      database,
      `insert into inbox_lease values (0, 'drain', 'draining', now() + interval '1 minute')
       on conflict (partition) do update set state = 'draining', expires_at = now() + interval '1 minute'`,
      {},
    );
    // Another intake, which remembers no signals. It checks for a drain after it has responded.
    const again: number[] = [];
    let looks = 0;
    database.on('query-response', (_rows: unknown, { sql }: { sql: string }) => {
      if (sql.includes('from inbox_lease')) looks += 1;
    });
    await intakeInto(again)([command()]);
    await eventually('it has checked for drains', () => looks > 0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(again).to.deep.equal([]);
  });
});
