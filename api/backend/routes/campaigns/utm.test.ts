import { expect } from 'chai';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { campaignBody } from '#test/support/services/backend.ts';

describe('UTM parameters of a tenant', () => {
  const backend = useTwoTenants({ contacts: 3 });
  const usual = { source: 'harbor', campaign: '{campaign}', content: 'm{message}b{button}' };
  const link = (url: string) => ({
    type: 'buttons',
    title: 'Menu',
    text: 'New',
    actions: [{ type: 'Url', label: 'See', url }],
  });
  const messages = [link('https://shop.example/?utm_source=own'), link('https://shop.example/b#top')];
  const post = async (path: string, body: object) => {
    const response = await backend.call('POST', path, { body });
    expect(response.status, JSON.stringify(response.body)).to.be.lessThan(300);
    return response.body;
  };
  const create = (more: object = {}) => post('/campaigns', { ...campaignBody(), name: 'A & B', messages, ...more });
  const set = async (utm: object | null) => {
    const token = await backend.token('a', 'tenant_admin', 'ada');
    return await backend.call('PATCH', '/tenant-settings', { token, body: { utm } });
  };

  it('change nothing until an administrator sets them, and then new campaigns only', async () => {
    const before = await create();
    expect(before.utm).to.equal(null);
    expect((await backend.call('PATCH', '/tenant-settings', { body: { utm: usual } })).status).to.equal(403);
    expect((await set({ source: 'x'.repeat(201) })).status).to.equal(400);
    expect((await set(usual)).body.utm).to.deep.equal(usual);
    const after = await create();
    expect([after.utm, after.messages]).to.deep.equal([usual, messages]);
    expect((await backend.call('GET', `/campaigns/${before.id}`)).body.utm).to.equal(null);
    expect((await backend.call('GET', '/tenant-settings', { token: backend.foreign })).body.utm).to.equal(null);
  });

  it('give way to what a campaign says itself: its own, or none', async () => {
    await set(usual);
    expect((await create({ utm: null })).utm).to.equal(null);
    const own = await create({ utm: { source: 'own' } });
    expect(own.utm).to.deep.equal({ source: 'own' });
    const headers = { 'If-Match': '*' };
    const patched = await backend.call('PATCH', `/campaigns/${own.id}`, { body: { utm: null }, headers });
    expect(patched.body.utm).to.equal(null);
    const kept = await backend.call('PATCH', `/campaigns/${own.id}`, { body: { note: 'x' }, headers });
    expect(kept.body.utm, 'a change of something else adds none').to.equal(null);
    const content = { campaignName: null, note: null, messages };
    const use = async (name: string, more: object) => {
      const template = { name, kind: 'campaign', content: { ...content, ...more } };
      const { templateId } = await post('/templates', template);
      return await post(`/templates/${templateId}:use`, { serviceNumberId: 'sn-1' });
    };
    expect((await use('Without', {})).utm).to.deep.equal(usual);
    const { utm, messages: tagged } = await use('With its own', { utm: { source: 'menu' } });
    expect([utm, tagged[1].actions[0].url]).to.deep.equal([null, 'https://shop.example/b?utm_source=menu#top']);
  });

  it('are in the links of a rehearsal and of copies, and a send keeps the name that it began with', async () => {
    await set(usual);
    const { id } = await create();
    const { requests } = (await backend.act(id, 'dry-run')).body;
    const linksOf = (sent: { actions: { url: string }[] }[]) => sent.map(({ actions: [action] }) => action?.url);
    expect(linksOf(requests[0].messages)).to.deep.equal([
      'https://shop.example/?utm_source=own&utm_campaign=A%20%26%20B&utm_content=m1b1',
      'https://shop.example/b?utm_source=harbor&utm_campaign=A%20%26%20B&utm_content=m2b1#top',
    ]);
    await set(null);
    expect((await backend.act(id, 'duplicate')).body.utm).to.deep.equal(usual);
    await backend.act(id, 'send');
    const headers = { 'If-Match': '*' };
    expect((await backend.call('PATCH', `/campaigns/${id}`, { body: { name: 'Later' }, headers })).status).to.equal(
      200,
    );
    const [row] = await backend.db('campaign').where({ campaign_id: id });
    expect([row.name, row.sentName]).to.deep.equal(['Later', 'A & B']);
    const fixed = await backend.call('PATCH', `/campaigns/${id}`, { body: { utm: null }, headers });
    expect(fixed.body.code).to.equal('invalid_state');
  });
});
