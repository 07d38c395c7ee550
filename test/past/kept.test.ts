import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { handleBatch } from '#activities/outreach/inbox/batch.ts';
import { eventHandlers } from '#activities/outreach/inbox/handlers/index.ts';
import { rows } from '#db/database.ts';
import { lockProfiles, type StoredProfile, storeProfiles } from '#db/outreach/contacts/profiles.ts';
import { storeEvents } from '#db/outreach/inbox/intake.ts';
import { recordReport } from '#db/outreach/sends/polling.ts';
import { assignTag } from '#commands/outreach/tags/assign-tag.ts';
import { unassignTag } from '#commands/outreach/tags/unassign-tag.ts';
import { archiveTag } from '#commands/outreach/tags/archive-tag.ts';
import { updateTag } from '#commands/outreach/tags/update-tag.ts';
import { useDatabase, useTestDatabase } from '../support/fixtures/database.ts';
import { seedSend, seedTenant, type TestTenant } from '../support/outreach/rows.ts';
import { seedTag } from '../support/outreach/rules.ts';
import { testEncryption } from '../support/services/outreach-flows.ts';

const at = (minute: number) => new Date(Date.UTC(2030, 2, 3, 12, minute));

describe('what audiences are made from', () => {
  const on = useTestDatabase();
  const database = useDatabase('outreach', { on });
  const owner = useDatabase('outreach', { on, as: 'owner' });
  let tenant: TestTenant;
  before(async () => {
    tenant = await seedTenant(database, testEncryption);
  });

  const author = () => ({ tenantId: tenant.tenantId, userId: 'u1', requestId: null });
  const past = (table: string) => database(table).where({ tenant_id: tenant.tenantId }).orderBy('until');

  async function report(
    occurredAt: Date,
    now: Date,
    data: object,
    eventType: 'contact.updated' | 'contact.entered' = 'contact.updated',
  ) {
    const event = {
      tenantIntegrationId: tenant.tenantIntegrationId,
      eventId: randomUUID(),
      eventType,
      occurredAt: occurredAt.toISOString(),
      serviceNumberId: 'sn-1',
      payload: JSON.stringify({ contactId: 'c-1', serviceNumberId: 'sn-1', ...data }),
    };
    await storeEvents(database, [event], 1);
    expect((await handleBatch(database, 0, eventHandlers, now, new Date(0))).taken).to.equal(1);
  }

  it('keeps what a profile was until it is known to have changed, and nothing for what no segment asks for', async () => {
    await report(at(0), at(1), { language: 'en' });
    await report(at(2), at(3), { displayName: 'Ada' });
    await report(at(4), at(9), { language: 'zh' });
    await report(at(5), at(10), { language: 'zh', displayName: 'Ada Lin' });
    await report(at(6), at(11), { attributes: { born: '1990-01-01' } });
    await report(at(8), at(12), {}, 'contact.entered');
    await report(at(9), at(13), {}, 'contact.entered');
    const kept = await past('contact_profile_past').select('language', 'attributes', 'entered_at', 'since', 'until');
    expect(kept).to.deep.equal([
      { language: 'en', attributes: {}, enteredAt: null, since: at(1), until: at(9) },
      { language: 'zh', attributes: {}, enteredAt: null, since: at(9), until: at(11) },
      { language: 'zh', attributes: { born: '1990-01-01' }, enteredAt: null, since: at(11), until: at(12) },
    ]);
    const [profile] = await database('contact_profile').where({ tenant_id: tenant.tenantId, contact_id: 'c-1' });
    expect(profile.changedAt).to.deep.equal(at(12));
    // It occurred later than it was received.
    expect(profile.enteredAt).to.be.an.instanceOf(Date);
  });

  it('runs for the profiles of a batch that change what is kept, and not at all for a batch in which none does', async () => {
    const { tenantId } = tenant;
    const profile = (number: number, more: Partial<StoredProfile> = {}): StoredProfile => ({
      tenantId,
      serviceNumberId: 'sn-batch',
      contactId: `b-${number}`,
      displayName: null,
      channel: 'app',
      language: 'en',
      region: null,
      attributes: {},
      followState: 'following',
      unsubscribed: false,
      enteredAt: at(0),
      lastEventAt: at(0),
      fieldTimes: {},
      ordinal: null,
      ...more,
    });
    const all = Array.from({ length: 500 }, (_, number) => profile(number));
    const kept = async () => (await past('contact_profile_past').where({ serviceNumberId: 'sn-batch' })).length;
    /** How often PostgreSQL called the trigger's function while these were stored. */
    const calls = (profiles: StoredProfile[], now: Date) =>
      owner.transaction(async (transaction) => {
        await transaction.raw(`set local track_functions = 'pl'`);
        const known = await lockProfiles(transaction, profiles);
        const ordinals = new Map(known.map(({ contactId, ordinal }) => [contactId, ordinal]));
        const locked = profiles.map((one) => ({ ...one, ordinal: ordinals.get(one.contactId) ?? null }));
        await storeProfiles(transaction, locked, now);
        const found = await rows<{ calls: number }>(
          transaction,
          `select calls from pg_stat_xact_user_functions where funcname like 'keep_past_profile%'`,
          {},
        );
        return found[0]?.calls ?? 0;
      });
    expect(await calls(all, at(1))).to.equal(0);
    const again = all.map((one) => ({
      ...one,
      displayName: 'Ada',
      lastEventAt: at(2),
      fieldTimes: { language: at(2).toISOString() },
    }));
    expect(await calls(again, at(3))).to.equal(0);
    expect(await kept()).to.equal(0);
    const three = again.map((one, number) => (number < 3 ? { ...one, language: 'zh' } : one));
    expect(await calls(three, at(4))).to.equal(3);
    expect(await kept()).to.equal(3);
  });

  it('keeps taken back tags in one statement, and writes nothing more when they are given', async () => {
    const tagId = await seedTag(database, tenant.tenantId);
    const contactIds = Array.from({ length: 500 }, (_, n) => `many-${n}`);
    await rows(
      database,
      `insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, last_event_at)
       select :tenantId, 'sn-1', id, 'following', now() from unnest(:contactIds::text[]) as id`,
      { tenantId: tenant.tenantId, contactIds },
    );
    const statements: string[] = [];
    const note = ({ sql }: { sql: string }) => statements.push(sql);
    database.on('query', note);
    await assignTag(database, author(), tagId, contactIds, at(0));
    expect(statements.filter((sql) => sql.includes('tag_assignment'))).to.have.length.of.at.most(1);
    expect(await past('tag_assignment_past')).to.deep.equal([]);
    statements.length = 0;
    await unassignTag(database, author(), tagId, contactIds, at(7));
    database.removeListener('query', note);
    expect(statements.filter((sql) => sql.includes('tag_assignment'))).to.have.length.of.at.most(1);
    const kept = await past('tag_assignment_past').select('contact_id', 'since', 'until');
    expect(kept).to.have.length(500);
    expect(kept[0]).to.deep.include({ since: at(0), until: at(7) });
  });

  it('keeps when a tag was to expire, and when it was archived', async () => {
    const tagId = await seedTag(database, tenant.tenantId, { expiresAt: at(30) });
    await updateTag(database, author(), tagId, { patch: { name: `renamed ${tagId}` }, now: at(1) });
    await updateTag(database, author(), tagId, { patch: { expiresAt: at(40).toISOString() }, now: at(2) });
    await archiveTag(database, author(), tagId, { now: at(3) });
    expect(await past('tag_past').select('tag_id', 'expires_at', 'until')).to.deep.equal([
      { tagId, expiresAt: at(30), until: at(2) },
    ]);
    expect((await database('tag').where({ tag_id: tagId }).first()).archivedAt).to.deep.equal(at(3));
  });

  it('keeps since when a sub-task counts as delivered, and until when it did', async () => {
    const { tenantId } = tenant;
    const { dispatchId, keys } = await seedSend(database, tenantId, { chunks: [2] });
    const key = keys[0] ?? '';
    await database('broadcast_task').where({ key }).update({ status: 'sending', task_id: 'task-1' });
    const told = (minute: number, delivered: number) =>
      recordReport(
        database,
        { tenantId, key, taskId: 'task-1' },
        {
          status: 'completed',
          recipientCount: 2,
          summary: { sent: 2, delivered, failed: 2 - delivered, read: 0 },
          startedAt: at(0),
          finishedAt: at(5),
          reportedAt: at(minute),
        },
        { nextPollAt: null, pollIntervalMs: 1, pollUntil: null },
      );
    const since = async () => (await database('broadcast_task').where({ key }).first()).deliveredSince;
    await told(6, 2);
    expect(await since()).to.deep.equal(at(6));
    await told(7, 1);
    expect(await since()).to.deep.equal(at(6));
    await told(8, 0);
    expect(await since()).to.equal(null);
    const kept = await past('broadcast_task_past').select('dispatch_id', 'chunk', 'finished_at', 'since', 'until');
    expect(kept).to.deep.equal([{ dispatchId, chunk: 0, finishedAt: at(5), since: at(6), until: at(8) }]);
  });
});
