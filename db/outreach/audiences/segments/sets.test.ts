import { expect } from 'chai';
import type { Segment } from '#domain/api/segments.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { seedSend, seedTenant } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { overClassifiedContacts } from '../resolution.ts';

describe('the contacts of a segment', () => {
  const database = useDatabase('outreach');
  const now = new Date();
  let tenantId: string;
  let campaignId: string;

  /** Four contacts, by language and region; the campaign reached `c0-1` and `c0-2`, and has `c1-1` and `c1-2` too. */
  before(async () => {
    ({ tenantId } = await seedTenant(database, testEncryption));
    await database('contact_profile').insert(
      [
        ['c0-1', 'zh', 'TW'],
        ['c0-2', 'zh', 'HK'],
        ['c1-1', 'en', 'TW'],
        ['c1-2', 'en', 'HK'],
      ].map(([contactId, language, region]) => ({
        tenant_id: tenantId,
        service_number_id: 'sn-1',
        contact_id: contactId,
        language,
        region,
        follow_state: 'following',
        last_event_at: now,
      })),
    );
    let keys: string[];
    ({ campaignId, keys } = await seedSend(database, tenantId, { chunks: [2, 2] }));
    const task = (index: number) => database('broadcast_task').where({ key: keys[index] });
    await task(0).update({ status: 'completed', delivered: 2, finished_at: now });
    await task(1).update({ status: 'cancelled', finished_at: now });
  });

  const zh: Segment = { profile: { field: 'language', test: { op: 'eq', value: 'zh' } } };
  const tw: Segment = { profile: { field: 'region', test: { op: 'eq', value: 'TW' } } };
  const of = (segment: Segment) =>
    database.transaction(async (transaction) => {
      const found = await overClassifiedContacts<{ contactId: string }>(
        transaction,
        { tenantId, serviceNumberId: 'sn-1' },
        { source: { kind: 'segment', segment }, now },
        (classified) => `select contact_id from (${classified}) c order by contact_id`,
      );
      return found.map(({ contactId }) => contactId);
    });

  it('are those for whom all, any or none of its conditions hold', async () => {
    expect(await of({ all: [zh, tw] })).to.deep.equal(['c0-1']);
    expect(await of({ any: [zh, tw] })).to.deep.equal(['c0-1', 'c0-2', 'c1-1']);
    expect(await of({ not: zh })).to.deep.equal(['c1-1', 'c1-2']);
    expect(await of({ not: { any: [zh, tw] } })).to.deep.equal(['c1-2']);
  });

  it('were reached only by what the platform has delivered', async () => {
    const reached: Segment = { reached: { campaignIds: [campaignId] } };
    expect(await of(reached)).to.deep.equal(['c0-1', 'c0-2']);
    expect(await of({ not: reached })).to.deep.equal(['c1-1', 'c1-2']);
  });
});
