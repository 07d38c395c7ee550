import { MockActivityEnvironment } from '@temporalio/testing';
import { expect } from 'chai';
import { useTestDatabase } from '#test/support/fixtures/database.ts';
import { countRows, insertRowOfEveryTable } from '#test/support/outreach/row-of-every-table.ts';
import { testDeps } from '#test/support/services/outreach-flows.ts';
import { createOutreachActivities } from '../index.ts';
import type { DeletedRows } from './batch.ts';

describe('A15: everything of a tenant that was uninstalled', () => {
  const database = useTestDatabase();
  const now = new Date('2026-06-01T01:05:00Z');
  const daysAgo = (count: number) => new Date(now.getTime() - count * 86_400_000);

  it('is deleted where that is set, after that many days, and nothing of another tenant', async () => {
    const db = database.connect('outreach');
    const deps = testDeps(db, 'http://127.0.0.1:1');
    await insertRowOfEveryTable(database.connect('outreach', 'owner'), 'gone');
    await db('tenant').insert({
      tenant_id: 'other',
      external_tenant_id: 'other',
      name: 'o',
      type: 't',
      status: 'active',
    });
    await db('contact_profile').insert({
      tenant_id: 'other',
      service_number_id: 'gone',
      contact_id: 'gone',
      follow_state: 'following',
      last_event_at: now,
    });
    const deleted = (days: number | null): Promise<DeletedRows> =>
      new MockActivityEnvironment().run(() =>
        createOutreachActivities({
          ...deps,
          settings: { ...deps.settings, RETENTION_UNINSTALLED_DAYS: days },
        }).deleteUninstalledBatch({ now: now.toISOString() }),
      );
    const none = { deleted: 0, more: false };
    expect(await deleted(30), 'while it is installed').to.deep.equal(none);
    await db('tenant_integration').update({ status: 'UNINSTALLED', uninstalled_at: daysAgo(31) });
    expect(await deleted(null), 'while that is off').to.deep.equal(none);
    expect(await deleted(32), 'too early').to.deep.equal(none);

    // What is not the tenant's own, or keeps the platform's calls recognised.
    const left = [
      'audit_chain',
      'database_place',
      'inbox_lease',
      'outbound_call',
      'recurring_run',
      'revenue_position',
      'tenant',
      'tenant_integration',
    ];
    expect((await deleted(30)).more).to.equal(false);
    expect(await countRows(db)).to.deep.equal({
      ...Object.fromEntries(left.map((table) => [table, 1])),
      tenant: 2,
      contact_profile: 1,
    });
    expect(await db('contact_profile').pluck('tenant_id')).to.deep.equal(['other']);
    await deps.close();
  });
});
