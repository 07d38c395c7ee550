import { MockActivityEnvironment } from '@temporalio/testing';
import { expect } from 'chai';
import { createOutreachActivities } from '#activities/outreach/index.ts';
import { sealAllAudit } from '#db/audit-chain/seal.ts';
import { sealedTables } from '#db/audit-chain/tables.ts';
import { verifyAudit } from '#db/audit-chain/verify.ts';
import { rows } from '#db/database.ts';
import { recordAudit } from '#db/outreach/audit/record.ts';
import { renameInAudit } from '#db/outreach/erasure/audit-entries.ts';
import { beginErasure } from '#commands/outreach/erasure/begin-erasure.ts';
import { addMonths } from '#db/outreach/retention/partitions.ts';
import { deleteUninstalled } from '#db/outreach/retention/uninstalled.ts';
import { useDatabase, useTestDatabase } from '../support/fixtures/database.ts';
import { seedTenant } from '../support/outreach/rows.ts';
import { testDeps, testEncryption } from '../support/services/outreach-flows.ts';

const AUDIT_DAYS = 1095;
const DAY_MS = 86_400_000;

describe('what is forgotten of the audit log', () => {
  const on = useTestDatabase();
  const database = useDatabase('outreach', { on });
  const owner = useDatabase('outreach', { on, as: 'owner' });
  const now = new Date();
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  let deps: ReturnType<typeof testDeps>;

  before(() => {
    deps = testDeps(database, 'http://127.0.0.1:1');
  });
  after(() => deps.close());

  const author = (tenantId: string) => ({ tenantId, userId: 'u-1', requestId: null });
  const note = (tenantId: string, after: unknown) =>
    recordAudit(database, author(tenantId), { action: 'tag.assign', objectType: 'tag', objectId: 'tag', after });
  const audited = sealedTables.filter(({ schema }) => schema === 'outreach');
  async function verified(tenantId: string, auditDays = AUDIT_DAYS) {
    const all = await Promise.all(audited.map((one) => verifyAudit(database, one, { auditDays, noted: [] })));
    const found = all.flat().find((one) => one.tenantId === tenantId);
    if (!found) throw new Error(`no chain of ${tenantId}`);
    return { seals: found.seals, rewritten: found.rewritten, finding: found.finding?.fault ?? null, end: found.end };
  }
  const entriesOf = async (tenantId: string) =>
    await database('audit_log').where({ tenant_id: tenantId }).orderBy('audit_id');

  /** An entry of that time, as if it had been sealed then. */
  async function noteAt(tenantId: string, at: Date): Promise<void> {
    await database('audit_log').insert({
      audit_id: `${tenantId} ${at.toISOString()}`,
      tenant_id: tenantId,
      at,
      actor: 'u-1',
      action: 'tag.create',
      object_type: 'tag',
      object_id: 'x',
    });
    await owner('audit_unsealed').where({ tenant_id: tenantId }).update({ noted_at: at });
    await sealAllAudit(database);
  }
  const run = <T>(work: () => Promise<T>): Promise<T> => new MockActivityEnvironment().run(work);
  async function retain(): Promise<void> {
    const activities = createOutreachActivities({
      ...deps,
      settings: { ...deps.settings, RETENTION_AUDIT_DAYS: AUDIT_DAYS },
    });
    await run(() => activities.turnMonths({ now: now.toISOString() }));
    while ((await run(() => activities.deleteExpiredBatch({ now: now.toISOString() }))).more);
  }

  it('an erasure puts a pseudonym into an entry, which the chain tells from any other change', async () => {
    const { tenantId } = await seedTenant(database, testEncryption);
    await note(tenantId, { contactIds: ['contact-1', 'contact-"2"'], reason: 'contact-1 asked' });
    await sealAllAudit(database);
    for (const contactId of ['contact-1', 'contact-"2"']) {
      const erasure = await beginErasure(database, testEncryption, author(tenantId), { contactId, reason: 'x', now });
      await renameInAudit(database, erasure);
    }
    const [entry] = await entriesOf(tenantId);
    expect(JSON.stringify(entry.after))
      .to.match(/erased:.+ asked.+erased:.+erased:/)
      .and.not.to.contain('contact-');
    expect(await verified(tenantId)).to.deep.include({ seals: 5, rewritten: 2, finding: null });
    await owner('audit_log').where({ audit_id: entry.auditId }).update({ after: '{}' });
    expect((await verified(tenantId)).finding).to.equal('changed');
  });

  it('an erasure changes nothing else, and nobody changes entries without one', async () => {
    const { tenantId } = await seedTenant(database, testEncryption);
    await note(tenantId, { contactIds: ['contact-1'], share: 10 });
    const [{ auditId }] = await entriesOf(tenantId);
    const rewrite = (erasureId: string, after: unknown) =>
      rows(database, 'select rewrite_audit_entry(:tenantId, :auditId, :erasureId, :contact, null, :after::jsonb)', {
        tenantId,
        auditId,
        erasureId,
        contact: 'contact-1',
        after: JSON.stringify(after),
      }).then(
        () => 'done',
        (error: { code?: string }) => error.code,
      );
    expect(await rewrite('made up', { contactIds: ['erased:x'], share: 10 })).to.equal('42501');
    const erasure = await beginErasure(database, testEncryption, author(tenantId), {
      contactId: 'contact-1',
      reason: 'x',
      now,
    });
    expect(await rewrite(erasure.erasureId, { contactIds: [erasure.pseudonym], share: 90 })).to.equal('42501');
    expect(await rewrite(erasure.erasureId, { contactIds: [], share: 10 })).to.equal('42501');
    expect(await rewrite(erasure.erasureId, { contactIds: [erasure.pseudonym], share: 10 })).to.equal('done');
    expect((await verified(tenantId)).finding).to.equal(null);
  });

  it('retention leaves a checkpoint, from which the chain goes on', async () => {
    const { tenantId } = await seedTenant(database, testEncryption);
    await addMonths(database, daysAgo(1200));
    for (const days of [1200, 1199, 1100, 1090]) await noteAt(tenantId, daysAgo(days));
    await note(tenantId, {});
    const { end } = await verified(tenantId);
    await retain();
    expect(await entriesOf(tenantId)).to.have.length(2);
    expect(await verified(tenantId)).to.deep.equal({ seals: 2, rewritten: 0, finding: null, end });
    const [chain] = await database('audit_chain').where({ tenant_id: tenantId });
    expect(chain).to.deep.include({ removedTo: 3, removedAs: 'retention' });
    await note(tenantId, {});
    expect(await verified(tenantId)).to.deep.include({ seals: 3, finding: null });
    await owner('audit_seal').where({ tenant_id: tenantId, position: 4 }).delete();
    expect((await verified(tenantId)).finding).to.equal('removed');
  });

  it('an administrator of the service cannot let months go early without a trace', async () => {
    const { tenantId } = await seedTenant(database, testEncryption);
    await addMonths(database, daysAgo(100));
    await noteAt(tenantId, daysAgo(100));
    const [month] = await rows<{ month: string }>(
      database,
      `select date_trunc('month', :at::timestamptz at time zone 'UTC')::date as month`,
      { at: daysAgo(100) },
    );
    await rows(database, `select drop_month('audit_log', :month::date)`, { month: month?.month });
    expect(await entriesOf(tenantId)).to.have.length(0);
    expect((await verified(tenantId)).finding).to.equal('forgotten_early');
    expect((await verified(tenantId, 30)).finding).to.equal(null);
  });

  it('what a tenant recorded goes with it only once it has uninstalled everything', async () => {
    const { tenantId } = await seedTenant(database, testEncryption);
    await note(tenantId, {});
    const { end } = await verified(tenantId);
    const forget = () => rows(database, 'select forget_audit_of(:tenantId, 10)', { tenantId });
    expect(await forget().then(String, ({ code }) => code)).to.equal('42501');
    await database('tenant_integration')
      .where({ tenant_id: tenantId })
      .update({ status: 'UNINSTALLED', uninstalled_at: daysAgo(2) });
    while ((await deleteUninstalled(database, daysAgo(1))) > 0);
    expect(await entriesOf(tenantId)).to.have.length(0);
    expect(await verified(tenantId)).to.deep.equal({ seals: 0, rewritten: 0, finding: null, end });
    await note(tenantId, {});
    expect(await verified(tenantId)).to.deep.include({ seals: 1, finding: null });
  });
});
