import { expect } from 'chai';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { campaignBody } from '#test/support/services/backend.ts';

describe('links of buttons', () => {
  const backend = useTwoTenants({ contacts: 3 });
  const card = (url: string, more: object = {}) => [
    { type: 'buttons', title: 'Menu', text: 'New', actions: [{ type: 'Url', label: 'See', url, ...more }] },
  ];
  const call = (path: string, body: object) => backend.call('POST', path, { body });
  const post = async (path: string, body: object) => {
    const response = await call(path, body);
    expect(response.status, JSON.stringify(response.body)).to.be.lessThan(300);
    return response.body;
  };
  const url = 'https://me:secret@shop.example?a=1&&b#top';
  const untracked = card(url, { tracked: false });

  it('are refused by their path if they are no web addresses', async () => {
    for (const other of [
      'intent://scan/#Intent;scheme=zxing;package=com.example;end',
      'tel:+886212345678',
      'javascript:alert(1)',
      'line://ti/p/x',
      'https:/shop.example',
      'shop.example/menu',
    ]) {
      const { status, body } = await call('/campaigns', { ...campaignBody(), messages: card(other) });
      expect([status, body.errors?.[0]?.path], other).to.deep.equal([400, '/messages/0/actions/0/url']);
    }
    const { status, body } = await call('/campaigns', { ...campaignBody(), messages: card(url, { tracked: 'no' }) });
    expect([status, body.errors?.[0]?.path]).to.deep.equal([400, '/messages/0/actions/0/tracked']);
  });

  it('stay untracked in copies, steps and templates, and a dry run names each', async () => {
    const step = { after: { amount: 1, unit: 'days' }, condition: { outcome: 'not_clicked' }, messages: untracked };
    const created = await post('/campaigns', {
      ...campaignBody(),
      messages: untracked,
      utm: { source: 'harbor' },
      steps: [step],
    });
    const copy = (await backend.act(created.id, 'duplicate')).body;
    const content = { campaignName: null, note: null, messages: untracked, utm: { source: 'menu' } };
    const { templateId } = await post('/templates', { name: 'Menu', kind: 'campaign', content });
    const filled = await post(`/templates/${templateId}:use`, { serviceNumberId: 'sn-1' });
    for (const { messages } of [created, copy, filled, ...copy.steps]) expect(messages).to.deep.equal(untracked);
    const { requests, warnings } = (await backend.act(copy.id, 'dry-run')).body;
    expect(requests[0].messages).to.deep.equal(card(url));
    expect(warnings.map(({ code, path }: { code: string; path: string }) => `${code} ${path}`)).to.deep.equal([
      'link_untracked /messages/0/actions/0/url',
      'link_untracked /steps/0/messages/0/actions/0/url',
    ]);
  });
});
