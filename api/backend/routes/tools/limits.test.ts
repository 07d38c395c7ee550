import { expect } from 'chai';
import { useBackend } from '#test/support/fixtures/services.ts';

describe('how often a tool may ask for a preview', () => {
  const backend = useBackend({ toolApiEnabled: true, previewsPerMinute: 2 });

  async function tokenOf(platformTenantId: string, name: string): Promise<string> {
    const grant = { platformTenantId, tools: ['resolve_audience', 'list_tags'], actor: { type: 'service', name } };
    return (await backend.service('POST', '/service-tokens', grant)).body.token;
  }
  const call = (tool: string, token: string, body: object) =>
    fetch(`${backend.base}/tools/v1/${tool}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  const audience = { type: 'contacts', contactIds: ['c-1'] };
  const preview = (token: string) => call('resolve_audience', token, { serviceNumberId: 'sn-1', audience });

  it('is limited for each caller, whichever of its tokens it uses, and tells when to come again', async () => {
    await backend.install('a');
    await backend.install('b');
    const [first, second] = [await tokenOf('a', 'crm'), await tokenOf('a', 'crm')];
    expect([(await preview(first)).status, (await preview(second)).status]).to.deep.equal([200, 200]);
    for (const token of [first, second]) {
      const refused = await preview(token);
      expect(refused.status).to.equal(429);
      expect(((await refused.json()) as { code: string }).code).to.equal('rate_limited');
      expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
    }
    expect((await call('list_tags', first, {})).status, 'another tool').to.equal(200);
    expect((await preview(await tokenOf('a', 'shop'))).status, 'another caller').to.equal(200);
    expect((await preview(await tokenOf('b', 'crm'))).status, 'another tenant').to.equal(200);
  });
});
