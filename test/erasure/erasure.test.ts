import { expect } from 'chai';
import { partOfTable } from '#db/outreach/erasure/export.ts';
import { useTwoTenants } from '../support/fixtures/services.ts';
import { contactId } from '../support/services/backend.ts';
import { tablesContaining } from './everywhere.ts';
import { clickOf, eventOf, MARK, PERSON, receive, type Story, tellStory } from './person.ts';

const PATH = `/contacts/sn-1/${PERSON}`;

describe('the data of one person', () => {
  const backend = useTwoTenants({ contacts: 3 });
  let story: Story;
  let admin: string;
  let earlier: { results: unknown; progress: unknown; overview: unknown };

  const figures = async () => {
    const of = async (path: string) => (await backend.call('GET', path)).body;
    const { current, previous } = await of('/overview?from=2026-02-01T00:00:00Z&to=2026-04-01T00:00:00Z');
    return {
      results: await of(`/campaigns/${story.campaignId}/results`),
      progress: await of(`/campaigns/${story.campaignId}/progress`),
      overview: { current, previous },
    };
  };
  const everywhere = (text: string) => tablesContaining(backend.database.connect('outreach', 'owner'), text);
  const erase = (reason = `asked for by ${PERSON}`) =>
    backend.call('POST', `${PATH}:erase`, { token: admin, body: { reason } });

  before(async () => {
    admin = await backend.token('a', 'tenant_admin', 'admin-1');
    story = await tellStory(backend);
    earlier = await figures();
  });

  it('A14: only an administrator may export or erase, and only somebody who is known', async () => {
    for (const token of [backend.operator, await backend.token('a', 'viewer')]) {
      expect((await backend.call('GET', `${PATH}/export`, { token })).status).to.equal(403);
      expect((await backend.call('POST', `${PATH}:erase`, { token, body: { reason: 'x' } })).status).to.equal(403);
    }
    const foreign = await backend.token('b', 'tenant_admin');
    expect((await backend.call('GET', `${PATH}/export`, { token: foreign })).status).to.equal(404);
    expect((await backend.call('POST', `${PATH}:erase`, { token: foreign, body: { reason: 'x' } })).status).to.equal(
      404,
    );
    expect((await backend.call('GET', '/contacts/sn-1/ghost/export', { token: admin })).status).to.equal(404);
    expect((await erase('')).status).to.equal(400);
    expect(await backend.db('erased_contact').count('* as n')).to.deep.equal([{ n: 0 }]);
  });

  it('A14: the export has what every table has of the person, and nobody else', async () => {
    const { status, headers, body } = await backend.call('GET', `${PATH}/export`, { token: admin });
    expect(status).to.equal(200);
    expect(headers.get('content-disposition')).to.contain('.json');
    const tables = (await everywhere(PERSON)).map((name) => name.replace('outreach.', ''));
    expect(tables.toSorted()).to.deep.equal(Object.keys(partOfTable).toSorted());
    for (const table of tables) {
      const part = partOfTable[table as keyof typeof partOfTable];
      expect(JSON.stringify(body[part]), `${table} as ${part}`).to.contain(PERSON);
    }
    expect(body.profiles).to.have.length(1);
    expect(body.profiles[0]).to.deep.include({ displayName: `Ada ${MARK}`, attributes: { note: MARK } });
    expect(body.clicks).to.have.length(2);
    expect(body.tags[0].origin.campaignId).to.equal(story.campaignId);
    expect(body.events.filter(({ status: state }: { status: string }) => state === 'stored')).to.have.length(1);
    for (const part of Object.values(partOfTable))
      if (part !== 'events') expect(JSON.stringify(body[part]), part).not.to.contain(contactId(1));
  });

  it('A14: after the erasure no column of any table has the id or anything that was known of the person', async () => {
    for (const mark of [PERSON, MARK]) expect(await everywhere(mark)).to.contain('outreach.event_inbox');
    const { status, body } = await erase();
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.finished).to.equal(true);
    expect(await everywhere(PERSON)).to.deep.equal([]);
    expect(await everywhere(MARK)).to.deep.equal([]);
    expect((await backend.call('GET', PATH)).status).to.equal(404);
    expect((await backend.call('GET', `${PATH}/export`, { token: admin })).status).to.equal(404);
    expect((await erase()).status).to.equal(404);
  });

  it('A14: figures of campaigns stay, with one pseudonym for all that the person did', async () => {
    expect(await figures()).to.deep.equal(earlier);
    const names = new Set<string>();
    const clicks = await backend.db('click_attribution').where({ campaign_id: story.campaignId });
    const talks = await backend.db('conversation');
    const [dispatch] = await backend.db('dispatch').where({ campaign_id: story.campaignId });
    const recipients = await backend.db('dispatch_recipient').where({ dispatch_id: dispatch.dispatchId });
    const payments = await backend.db('contact_revenue_entry');
    expect([clicks.length, talks.length, payments.length, recipients.length]).to.deep.equal([2, 1, 1, 3]);
    for (const row of [...clicks, ...talks, ...payments]) names.add(row.contactId);
    expect(names.size).to.equal(1);
    expect(recipients.map((row) => row.contactId)).to.include([...names][0]);
    expect([...names][0]).to.match(/^erased:[0-9a-f-]{36}$/);
  });

  it('A14: counts of tags and lists, drafts and the inbox are as if the person had not been there', async () => {
    const get = async (path: string) => (await backend.call('GET', path)).body;
    expect((await get(`/tags/${story.tagId}`)).contactCount).to.equal(1);
    expect((await get(`/audiences/${story.audienceId}`)).memberCount).to.equal(1);
    expect((await get(`/campaigns/${story.draftId}`)).audience.contactIds).to.deep.equal([contactId(2)]);
    const statuses = await backend.db('event_inbox').whereIn('status', ['stored', 'failed']);
    expect(statuses).to.deep.equal([]);
    const others = await backend.db('event_inbox').where({ status: 'processed' }).whereNot({ payload: '' });
    expect(others.map(({ payload }) => JSON.parse(payload).contactId)).to.deep.equal([contactId(1)]);
  });

  it('A14: the audit log says who erased and why, and not whom', async () => {
    const { items } = (await backend.call('GET', '/audit-log?objectType=contact')).body;
    expect(items).to.have.length(1);
    expect(items[0]).to.deep.include({
      action: 'contact.erase',
      actor: 'admin-1',
      after: { reason: 'asked for by …' },
    });
    const [assigned] = await backend.db('audit_log').where({ action: 'tag.assign' });
    expect(assigned.after.contactIds).to.have.length(2);
  });

  it('A14: an old event brings nothing back, whether it is delivered again, late, or replayed', async () => {
    const again = story.events.map((event) => ({ ...event, eventId: `again-${event.eventId}` }));
    await receive(backend, ...story.events, ...again.filter(({ payload }) => payload.includes(PERSON)));
    const { items } = (await backend.call('GET', '/event-inbox?limit=200&status=dismissed')).body;
    expect(items).not.to.be.empty;
    for (const { eventId } of items)
      expect((await backend.call('POST', `/event-inbox/${eventId}:replay`)).status).to.equal(409);
    await receive(backend);
    const left = await everywhere(PERSON);
    // Somebody else's event that names the person is that contact's data.
    expect(left.filter((table) => table !== 'outreach.event_inbox')).to.deep.equal([]);
    const naming = await backend.db('event_inbox').whereLike('payload', `%${PERSON}%`);
    expect(naming.map(({ payload }) => JSON.parse(payload).contactId)).to.deep.equal([contactId(1)]);
    expect(await figures()).to.deep.equal(earlier);
  });

  it('A14: a later event of the same id begins a new profile', async () => {
    await receive(
      backend,
      eventOf('contact.entered', { displayName: 'Somebody' }, { occurredAt: new Date().toISOString() }),
      { ...clickOf(story, 'n3'), occurredAt: new Date().toISOString() },
    );
    const { status, body } = await backend.call('GET', PATH);
    expect(status).to.equal(200);
    expect(body).to.deep.include({ displayName: 'Somebody', attributes: {} });
    const { clicks } = (await backend.call('GET', `/campaigns/${story.campaignId}/results`)).body;
    expect(clicks).to.include({ total: 3, uniqueContacts: 2 });
    const again = await erase('once more');
    expect(again.status).to.equal(200);
    expect(await everywhere('Somebody')).to.deep.equal([]);
    expect(await backend.db('erased_contact').count('* as n')).to.deep.equal([{ n: 2 }]);
  });
});
