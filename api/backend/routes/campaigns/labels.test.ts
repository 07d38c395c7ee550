import { expect } from 'chai';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { campaignBody } from '#test/support/services/backend.ts';

describe('labels of campaigns', () => {
  const backend = useTwoTenants({ contacts: 3 });
  const create = (labels: unknown, token = backend.operator) =>
    backend.call('POST', '/campaigns', { token, body: { ...campaignBody(), labels } });
  const patch = (id: string, labels: unknown) =>
    backend.call('PATCH', `/campaigns/${id}`, { body: { labels }, headers: { 'If-Match': '*' } });
  const found = async (query: string, token = backend.operator) => {
    const { body } = await backend.call('GET', `/campaigns?${query}`, { token });
    return body.items.map(({ id }: { id: string }) => id);
  };

  it('are kept each once, in their order, and changed as a name is, also once it was sent', async () => {
    const { labels: _, ...body } = campaignBody();
    expect((await backend.call('POST', '/campaigns', { body })).body.labels).to.deep.equal([]);
    expect((await create(null)).body.labels).to.deep.equal([]);
    const { id, labels, etag } = (await create(['autumn', 'vip', 'autumn'])).body;
    expect(labels).to.deep.equal(['autumn', 'vip']);
    await backend.act(id, 'send');
    const changed = (await patch(id, ['winter'])).body;
    expect(changed.labels).to.deep.equal(['winter']);
    expect(changed.etag).not.to.equal(etag);
    expect((await patch(id, null)).body.labels, 'null says nothing').to.deep.equal(['winter']);
    const [entry] = await backend.db('audit_log').where({ action: 'campaign.update', objectId: id });
    expect([entry.before.labels, entry.after.labels]).to.deep.equal([['autumn', 'vip'], ['winter']]);
    expect((await patch(id, [])).body.labels).to.deep.equal([]);
  });

  it('have 1 to 50 characters, and a campaign has at most ten', async () => {
    const many = Array.from({ length: 11 }, (_, n) => `label ${n}`);
    for (const [labels, path] of [
      [many, '/labels'],
      [['x'.repeat(51)], '/labels/0'],
      [['ok', ' '], '/labels/1'],
      [[1], '/labels/0'],
      ['vip', '/labels'],
    ] as const) {
      const { status, body } = await create(labels);
      expect([status, body.errors?.[0].path], JSON.stringify(labels)).to.deep.equal([400, path]);
    }
    expect((await create([...many.slice(0, 9), '標'.repeat(50)])).status).to.equal(201);
  });

  it('find the campaigns that have all of them, of the own tenant only', async () => {
    const [both, one] = [(await create(['a, b', 'c'])).body.id, (await create(['c'])).body.id];
    const other = (await create(['c'], backend.foreign)).body.id;
    expect(await found('label=c')).to.deep.equal([one, both]);
    expect(await found('label=c&label=a%2C%20b')).to.deep.equal([both]);
    expect(await found('label=a')).to.deep.equal([]);
    expect(await found('label=c', backend.foreign)).to.deep.equal([other]);
    expect((await backend.call('GET', '/campaigns?label=')).status).to.equal(400);
    const eleven = Array.from({ length: 11 }, () => 'label=c').join('&');
    expect((await backend.call('GET', `/campaigns?${eleven}`)).status).to.equal(400);
  });

  it('are kept by copies', async () => {
    const { id } = (await create(['vip'])).body;
    expect((await backend.act(id, 'duplicate')).body.labels).to.deep.equal(['vip']);
  });
});
