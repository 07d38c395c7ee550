import { expect } from 'chai';
import { contactId, insertContacts } from '#test/support/services/backend.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

describe('contacts and events', () => {
  const backend = useTwoTenants({ contacts: 25 });
  before(async () => {
    await insertContacts(backend.db, 'a', 2, 'sn-2');
    await insertContacts(backend.db, 'b', 1);
  });

  const list = (query: string, as = backend.operator) => backend.call('GET', `/contacts${query}`, { token: as });
  const ids = (response: { body: { items: { contactId: string }[] } }) =>
    response.body.items.map((item) => item.contactId);

  it('pages through a service number without losing or duplicating a contact', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await list(`?serviceNumberId=sn-1&limit=7${cursor === null ? '' : `&cursor=${cursor}`}`);
      seen.push(...ids(page));
      cursor = page.body.nextCursor;
    } while (cursor !== null);
    expect(seen).to.deep.equal(Array.from({ length: 25 }, (_, n) => contactId(n + 1)));
    expect(ids(await list('?limit=200'))).to.have.length(27);
    expect(ids(await list('', backend.foreign))).to.deep.equal([contactId(1)]);
  });

  it('finds by part of id or name as typed, and by tag of the same service number', async () => {
    await backend
      .db('contact_profile')
      .where({ tenant_id: 'a', contact_id: contactId(3) })
      .update({ display_name: 'Zoë 100%' });
    expect(ids(await list('?serviceNumberId=sn-1&q=ZOË'))).to.deep.equal([contactId(3)]);
    expect(ids(await list('?serviceNumberId=sn-1&q=0%25'))).to.deep.equal([contactId(3)]);
    expect(ids(await list('?serviceNumberId=sn-1&q=000002'))).to.deep.equal(
      [contactId(2), ...[20, 21, 22, 23, 24, 25].map(contactId)].filter((id) => id.includes('000002')),
    );
    const tag = await backend.call('POST', '/tags', {
      body: { name: 'T', serviceNumberId: 'sn-1', kind: 'permanent' },
    });
    await backend.call('POST', `/tags/${tag.body.tagId}/assignments`, {
      body: { contactIds: [contactId(1), contactId(9)] },
    });
    expect(ids(await list(`?tagId=${tag.body.tagId}`))).to.deep.equal([contactId(1), contactId(9)]);
    expect(ids(await list(`?tagId=${tag.body.tagId}`, backend.foreign))).to.deep.equal([]);
  });

  it('counts followers and unsubscribed contacts by service number, for this tenant only', async () => {
    const of = (numbers: number[]) =>
      backend
        .db('contact_profile')
        .where({ tenant_id: 'a', service_number_id: 'sn-1' })
        .whereIn('contact_id', numbers.map(contactId));
    await of([20, 21, 22]).update({ unsubscribed: true });
    await of([22, 23]).update({ follow_state: 'unfollowed' });
    const counts = async (as: string) =>
      (await backend.call('GET', '/service-numbers:counts', { token: as })).body.items;
    expect(await counts(backend.operator)).to.deep.equal([
      { serviceNumberId: 'sn-1', following: 23, unfollowed: 2, unsubscribed: 3, reachable: 21 },
      { serviceNumberId: 'sn-2', following: 2, unfollowed: 0, unsubscribed: 0, reachable: 2 },
    ]);
    expect((await counts(backend.foreign))[0]).to.include({ following: 1, unsubscribed: 0 });
    await of([20, 21, 22, 23]).update({ unsubscribed: false, follow_state: 'following' });
  });

  it('returns whether a contact is reachable', async () => {
    await backend
      .db('contact_profile')
      .where({ tenant_id: 'a', service_number_id: 'sn-1', contact_id: contactId(5) })
      .update({ unsubscribed: true });
    const one = await backend.call('GET', `/contacts/sn-1/${contactId(5)}`);
    expect(one.body).to.include({ followState: 'following', unsubscribed: true, reachable: false });
    expect(one.body).to.include({ followStateSince: null, unsubscribedSince: null });
    const since = '2026-03-01T10:00:00.000Z';
    await backend
      .db('contact_profile')
      .where({ tenant_id: 'a', service_number_id: 'sn-1', contact_id: contactId(5) })
      .update({ field_times: JSON.stringify({ unsubscribed: `${since} e2`, followState: `${since} e1` }) });
    const told = await backend.call('GET', `/contacts/sn-1/${contactId(5)}`);
    expect(told.body).to.include({ followStateSince: since, unsubscribedSince: since });
    expect((await backend.call('GET', `/contacts/sn-1/${contactId(5)}`, { token: backend.foreign })).status).to.equal(
      404,
    );
    expect((await backend.call('GET', '/contacts/sn-1/ghost/tags')).status).to.equal(404);
  });

  it('lists received events newest first, with the reason for failed ones', async () => {
    const event = (n: number, status: string) => ({
      tenant_integration_id: 'ti-a',
      event_id: `e${n}`,
      tenant_id: 'a',
      event_type: 'notice.clicked',
      partition: 0,
      payload: '{}',
      occurred_at: new Date(),
      received_at: `2026-01-01T00:00:00.00000${n}Z`,
      status,
      error: status === 'failed' ? 'why' : null,
    });
    await backend.db('event_inbox').insert([event(1, 'processed'), event(2, 'failed'), event(3, 'stored')]);
    const first = await backend.call('GET', '/event-inbox?limit=2');
    const second = await backend.call('GET', `/event-inbox?limit=2&cursor=${first.body.nextCursor}`);
    const items = [...first.body.items, ...second.body.items];
    expect(items.map((item) => item.eventId)).to.deep.equal(['e3', 'e2', 'e1']);
    expect(items[1].error).to.equal('why');
    expect((await backend.call('GET', '/event-inbox?status=failed')).body.items).to.have.length(1);
    expect((await backend.call('GET', '/event-inbox', { token: backend.foreign })).body.items).to.have.length(0);
  });

  it('suggests the values of a field, those of most contacts first, whatever the case of the prefix', async () => {
    const set = (numbers: number[], values: object, of = { tenant_id: 'a', service_number_id: 'sn-1' }) =>
      backend.db('contact_profile').where(of).whereIn('contact_id', numbers.map(contactId)).update(values);
    await backend.db('contact_profile').update({ language: null, attributes: '{}' });
    await set([1, 2], { language: 'en', attributes: JSON.stringify({ city: 'Århus', tier: 3, more: { a: 1 } }) });
    await set([3], { language: 'EN', attributes: JSON.stringify({ city: 'århus', more: [1] }) });
    await set([4], { language: 'de', attributes: JSON.stringify({ city: '', tier: true }) });
    await set([5], { language: 'zh' });
    await set([1, 2], { language: 'fr' }, { tenant_id: 'a', service_number_id: 'sn-2' });
    await set([1], { language: 'it' }, { tenant_id: 'b', service_number_id: 'sn-1' });
    const values = async (query: string, as = backend.operator) => {
      const { status, body } = await list(`/values?serviceNumberId=sn-1&${query}`, as);
      expect(status, JSON.stringify(body)).to.equal(200);
      return body.items.map((item: { value: string; contacts: number }) => [item.value, item.contacts]);
    };
    expect(await values('field=language')).to.deep.equal([
      ['en', 2],
      ['EN', 1],
      ['de', 1],
      ['zh', 1],
    ]);
    expect(await values('field=language&prefix=E')).to.deep.equal([
      ['en', 2],
      ['EN', 1],
    ]);
    expect(await values('field=language&limit=1')).to.deep.equal([['en', 2]]);
    expect(await values('field=attribute&name=city&prefix=%C3%85R')).to.deep.equal([
      ['Århus', 2],
      ['århus', 1],
    ]);
    expect(await values('field=attribute&name=tier')).to.deep.equal([
      ['3', 2],
      ['true', 1],
    ]);
    expect(await values('field=attribute&name=more')).to.deep.equal([]);
    expect(await values('field=region&prefix=%25')).to.deep.equal([]);
    expect(await values('field=language', backend.foreign)).to.deep.equal([['it', 1]]);
    for (const query of ['field=attribute', 'field=language&name=x', 'field=displayName', 'field=language&limit=51']) {
      const { status, body } = await list(`/values?serviceNumberId=sn-1&${query}`);
      expect([status, body.code], query).to.deep.equal([400, 'invalid_request']);
    }
    expect((await list('/values?field=language')).status).to.equal(400);
  });
});
