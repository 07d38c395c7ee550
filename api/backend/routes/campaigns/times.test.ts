import { expect } from 'chai';
import type { ApiResponse } from '#test/support/services/backend.ts';
import { campaignBody } from '#test/support/services/backend.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

describe('the times of a campaign', () => {
  const backend = useTwoTenants({ contacts: 2 });

  const later = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  const at = (seconds: number) => ({ type: 'scheduled' as const, at: later(seconds) });
  const refusal = ({ status, body }: ApiResponse) => [
    status,
    body.code,
    body.errors?.[0]?.path,
    body.errors?.[0]?.code,
  ];
  const tooEarly = [422, 'invalid_content', '/endsAt', 'before_start'];
  const over = [422, 'invalid_content', '/endsAt', 'in_past'];

  async function patch(id: string, body: object): Promise<ApiResponse> {
    const etag = (await backend.call('GET', `/campaigns/${id}`)).headers.get('etag') ?? '';
    return await backend.call('PATCH', `/campaigns/${id}`, { body, headers: { 'If-Match': etag } });
  }

  it('A7: POST and PATCH reject an end that has passed, or is not after the start', async () => {
    const post = (body: object) => backend.call('POST', '/campaigns', { body: campaignBody(body) });
    expect(refusal(await post({ endsAt: later(-1) }))).to.deep.equal(over);
    expect(refusal(await post({ endsAt: later(600), schedule: at(900) }))).to.deep.equal(tooEarly);
    const start = at(900);
    expect(refusal(await post({ endsAt: start.at, schedule: start }))).to.deep.equal(tooEarly);
    const draft = await backend.draft({ schedule: start, endsAt: later(1200) });
    expect(refusal(await patch(draft, { endsAt: later(-1) }))).to.deep.equal(over);
    expect(refusal(await patch(draft, { endsAt: later(600) }))).to.deep.equal(tooEarly);
    expect(refusal(await patch(draft, { schedule: at(1800) }))).to.deep.equal(tooEarly);
  });

  it('A7: once scheduled, the end cannot move before the start', async () => {
    const id = await backend.draft({ schedule: at(900), endsAt: later(1200) });
    expect((await backend.act(id, 'send')).status).to.equal(202);
    const before = await backend.db('campaign').where({ campaign_id: id }).first();
    expect(refusal(await patch(id, { endsAt: later(600) }))).to.deep.equal(tooEarly);
    expect(refusal(await patch(id, { endsAt: later(-1) }))).to.deep.equal(over);
    expect(await backend.db('campaign').where({ campaign_id: id }).first()).to.deep.equal(before);
    expect((await patch(id, { endsAt: later(1000) })).status).to.equal(200);
  });

  it('A7, finding 12: :send rejects an end that has passed since it was written, and sends nothing', async () => {
    const id = await backend.draft({ endsAt: later(60) });
    const scheduled = await backend.draft({ schedule: at(900), endsAt: later(1200) });
    // Written by an earlier release, which did not compare the two.
    await backend
      .db('campaign')
      .where({ campaign_id: scheduled })
      .update({ ends_at: later(600) });
    backend.setNow(new Date(Date.now() + 120_000));
    const ended = await backend.act(id, 'send');
    const early = await backend.act(scheduled, 'send');
    backend.setNow(null);
    expect(refusal(ended)).to.deep.equal(over);
    expect(refusal(early)).to.deep.equal(tooEarly);
    for (const untouched of [id, scheduled]) {
      expect(await backend.db('dispatch').where({ campaign_id: untouched })).to.have.length(0);
      expect((await backend.call('GET', `/campaigns/${untouched}`)).body.status).to.equal('draft');
    }
    expect((await patch(id, { endsAt: later(600) })).status).to.equal(200);
    expect((await backend.act(id, 'send')).status).to.equal(202);
  });
});
