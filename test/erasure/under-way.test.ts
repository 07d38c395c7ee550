import { expect } from 'chai';
import { timesOf } from '../support/extent.ts';
import { createErasureContinuation } from '#activities/outreach/erasures.ts';
import { rows } from '#db/database.ts';
import { beginErasure } from '#commands/outreach/erasure/begin-erasure.ts';
import { CONTACTS_PER_PAGE } from '#db/outreach/sends/freezing.ts';
import { freezeNextPage } from '#commands/outreach/sends/freeze-page.ts';
import { useTwoTenants } from '../support/fixtures/services.ts';
import { insertRecipients } from '../support/outreach/recipients.ts';
import { seedSend } from '../support/outreach/rows.ts';
import { contactId, insertContacts } from '../support/services/backend.ts';
import { testDeps } from '../support/services/outreach-flows.ts';
import { eventually } from '../support/time/eventually.ts';
import { tablesContaining } from './everywhere.ts';
import { eventOf, PERSON, receive } from './person.ts';

const CLICKS = timesOf(20_000, 100_000);

describe('an erasure while others work', () => {
  const backend = useTwoTenants({ contacts: 3 });
  const author = { tenantId: 'a', userId: 'admin-1', requestId: null };
  let admin: string;
  beforeEach(async () => {
    admin = await backend.token('a', 'tenant_admin', 'admin-1');
    await receive(backend, eventOf('contact.entered', {}, { occurredAt: new Date().toISOString() }));
  });

  const everywhere = () => tablesContaining(backend.database.connect('outreach', 'owner'), PERSON);
  const erase = async (contact = PERSON) => {
    const body = { reason: 'asked for' };
    const response = await backend.call('POST', `/contacts/sn-1/${contact}:erase`, { token: admin, body });
    expect(response.status, JSON.stringify(response.body)).to.equal(200);
    return response.body as { erasureId: string; finished: boolean };
  };
  const unfinished = () => backend.db('erased_contact').whereNull('finished_at');

  it('A14: waits for those who have read the contact, and then finds what they stored', async () => {
    const { campaignId, dispatchId } = await seedSend(backend.db, 'a', { chunks: [1] });
    const writers = backend.database.connect('outreach');
    const writer = await writers.transaction();
    await insertRecipients(writer, 'select :dispatchId as dispatch_id, :id as contact_id, 1 as chunk', {
      dispatchId,
      id: PERSON,
    });
    await rows(
      writer,
      `update campaign set audience = jsonb_build_object('type', 'contacts', 'contactIds', jsonb_build_array(:id::text))
       where campaign_id = :campaignId`,
      { id: PERSON, campaignId },
    );
    const erasing = erase();
    await eventually('the erasure has begun', async () => (await unfinished()).length === 1);
    // Meanwhile nothing of the contact is taken.
    await receive(
      backend,
      eventOf('contact.updated', { displayName: 'Late' }, { occurredAt: new Date().toISOString() }),
    );
    expect(await unfinished()).to.have.length(1);
    await writer.commit();
    expect((await erasing).finished).to.equal(true);
    expect(await everywhere()).to.deep.equal([]);
    expect(await backend.db('dispatch_recipient').where({ dispatch_id: dispatchId })).to.have.length(2);
  });

  it('A14: an erasure that was left is continued by the sweep, or by the next call', async () => {
    const begin = (now: Date) =>
      beginErasure(backend.db, backend.encryption, author, { contactId: PERSON, reason: 'x', now });
    const { close, ...deps } = testDeps(backend.db, 'http://127.0.0.1:1');
    const continueErasures = createErasureContinuation({ ...deps, encryption: backend.encryption });
    const left = await begin(new Date());
    await continueErasures();
    expect(await unfinished(), 'its process may be at it').to.have.length(1);
    expect((await erase()).erasureId).to.equal(left.erasureId);
    expect(await unfinished()).to.deep.equal([]);

    await receive(backend, eventOf('contact.entered', {}, { occurredAt: new Date().toISOString() }));
    const again = await begin(new Date(Date.now() - 3_600_000));
    expect(again.erasureId).to.not.equal(left.erasureId);
    await continueErasures();
    await eventually('the sweep has finished it', async () => (await unfinished()).length === 0);
    expect(await everywhere()).to.deep.equal([]);
    await close();
  });

  it('A14: a send that is being prepared goes on where it was, with everybody once', async () => {
    await insertContacts(backend.db, 'a', CONTACTS_PER_PAGE + 500, 'sn-2');
    const body = { name: 'All', serviceNumberId: 'sn-2', kind: 'permanent' };
    const { tagId } = (await backend.call('POST', '/tags', { body })).body;
    await backend.db.raw(
      `insert into tag_assignment (tenant_id, tag_id, contact_id)
       select tenant_id, ?, contact_id from contact_profile where service_number_id = 'sn-2'`,
      [tagId],
    );
    await backend
      .db('tag')
      .where({ tag_id: tagId })
      .update({ contact_count: CONTACTS_PER_PAGE + 500 });
    const audience = { type: 'app_tags' as const, appTagIds: [tagId], tagOperator: 'OR' as const };
    const id = await backend.draft({ serviceNumberId: 'sn-2', audience });
    expect((await backend.act(id, 'send')).status).to.equal(202);
    const [dispatch] = await backend.db('dispatch').where({ campaign_id: id });
    const key = { tenantId: 'a', dispatchId: dispatch.dispatchId as string };
    expect(await freezeNextPage(backend.db, key, new Date())).to.equal(false);
    const last = contactId(CONTACTS_PER_PAGE);
    const reached = async () =>
      (await backend.db('dispatch').where({ dispatch_id: key.dispatchId }).first()).frozenThrough;
    expect(await reached()).to.equal(last);
    await backend.call('POST', `/contacts/sn-2/${last}:erase`, { token: admin, body: { reason: 'x' } });
    expect(await reached()).to.equal(contactId(CONTACTS_PER_PAGE - 1));
    expect(await freezeNextPage(backend.db, key, new Date())).to.equal(true);
    const progress = (await backend.call('GET', `/campaigns/${id}/progress`)).body;
    expect(progress.audienceCount).to.equal(CONTACTS_PER_PAGE + 500);
    expect(progress.subTasks.pending.contacts).to.equal(CONTACTS_PER_PAGE + 500);
  });

  it('A14: many clicks of one contact are renamed and exported a part at a time', async () => {
    const { campaignId } = await seedSend(backend.db, 'a', { chunks: [1] });
    await backend.db.raw(
      `insert into click_attribution (tenant_id, task_id, contact_id, notice_id, action_index, campaign_id, event_id, clicked_at)
       select 'a', 't-1', ?, 'n-' || n, 0, ?, 'e-' || n, timestamptz '2026-03-01Z' + n * interval '1 second'
       from generate_series(1, ?::int) n`,
      [PERSON, campaignId, CLICKS],
    );
    const results = async () => (await backend.call('GET', `/campaigns/${campaignId}/results`)).body.clicks;
    const earlier = await results();
    expect(earlier).to.include({ total: CLICKS, uniqueContacts: 1 });
    const seen = { most: 0, statements: 0, changed: 0 };
    const see = (response: { rowCount?: number } | undefined, { sql }: { sql: string }) => {
      const count = response?.rowCount ?? 0;
      seen.most = Math.max(seen.most, count);
      if (!sql.startsWith('update click_attribution')) return;
      seen.statements += 1;
      seen.changed += count;
    };
    backend.db.on('query-response', see);
    const exported = await backend.call('GET', `/contacts/sn-1/${PERSON}/export`, { token: admin });
    expect(exported.body.clicks).to.have.length(CLICKS);
    expect(new Set(exported.body.clicks.map((click: { eventId: string }) => click.eventId)).size).to.equal(CLICKS);
    expect(seen.most).to.be.at.most(500);
    await erase();
    backend.db.removeListener('query-response', see);
    expect(seen).to.include({ changed: CLICKS, most: 5000 });
    expect(seen.statements).to.be.within(CLICKS / 5000, CLICKS / 5000 + 1);
    expect(await results()).to.deep.equal(earlier);
    expect(await everywhere()).to.deep.equal([]);
  }).timeout(120_000);
});
