import { expect } from 'chai';
import { campaignBody } from '#test/support/services/backend.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

describe('lists of contacts in a body', () => {
  const backend = useTwoTenants({ contacts: 2 });
  const many = Array.from(
    { length: 100_000 },
    (_, n) => `contact-with-a-rather-long-id-${String(n).padStart(10, '0')}`,
  );
  const audience = { type: 'contacts' as const, contactIds: many };

  it('finding 14: 100,000 ids fit wherever they are promised; one more is rejected', async () => {
    const post = (path: string, body: object) => backend.call('POST', path, { body });
    const created = await post('/campaigns', campaignBody({ audience }));
    expect(created.status).to.equal(201);
    const patched = await backend.call('PATCH', `/campaigns/${created.body.id}`, {
      body: { audience },
      headers: { 'If-Match': '*' },
    });
    expect(patched.status).to.equal(200);
    expect((await post('/audiences:preview', { serviceNumberId: 'sn-1', audience })).body.hitCount).to.equal(100_000);
    const saved = { name: 'Many', serviceNumberId: 'sn-1', type: 'contacts', contactIds: many };
    const audienceOf = await post('/audiences', saved);
    expect(audienceOf.body.memberCount).to.equal(100_000);
    const path = `/audiences/${audienceOf.body.audienceId}`;
    expect((await backend.call('PATCH', path, { body: { contactIds: many } })).status).to.equal(200);
    const more = { ...audience, contactIds: [...many, 'one-more'] };
    expect((await post('/campaigns', campaignBody({ audience: more }))).status).to.equal(400);
  });

  it('finding 14: a list of campaigns counts inline ids; a single campaign has them', async () => {
    const { body: saved } = await backend.call('POST', '/audiences', {
      body: { name: 'Few', serviceNumberId: 'sn-1', type: 'contacts', contactIds: ['c'] },
    });
    const byList = await backend.draft({ audience: { type: 'contacts', audienceId: saved.audienceId } });
    const inline = await backend.draft({ audience: { type: 'contacts', contactIds: ['c', 'd'] }, name: 'Inline' });
    const { body: list } = await backend.call('GET', '/campaigns?limit=2');
    const audiences = list.items.map(({ id, audience: listed }: { id: string; audience: object }) => [id, listed]);
    expect(audiences).to.deep.equal([
      [inline, { type: 'contacts', contactCount: 2 }],
      [byList, { type: 'contacts', audienceId: saved.audienceId }],
    ]);
    const { body: detail } = await backend.call('GET', `/campaigns/${inline}`);
    expect(detail.audience).to.deep.equal({ type: 'contacts', contactIds: ['c', 'd'] });
    expect(list.items[0]).to.deep.equal({ ...detail, audience: { type: 'contacts', contactCount: 2 } });
  });
});
