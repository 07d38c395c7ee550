import { expect } from 'chai';
import { useStepCampaigns } from '#test/support/outreach/step-campaigns.ts';
import { campaignBody } from '#test/support/services/backend.ts';

describe('steps as they are written', () => {
  const { backend, at, call, post, stepsOf, step, twoSteps, card } = useStepCampaigns();

  it('are written with a draft, checked, and copied with it, but not once it was sent', async () => {
    const created = await post('/campaigns', { ...campaignBody(), steps: twoSteps });
    const answered = twoSteps.map((one) => ({ ...one, messagesBy: null }));
    expect(created.body.steps).to.deep.equal(answered);
    const { id } = created.body;
    expect((await stepsOf(id)).map(({ state }: { state: string }) => state)).to.deep.equal(['draft', 'draft']);
    expect((await post(`/campaigns/${id}:duplicate`)).body.steps).to.deep.equal(answered);
    const patch = (steps: unknown) =>
      call('PATCH', `/campaigns/${id}`, { body: { steps }, headers: { 'If-Match': '*' } });
    const errorsOf = async (steps: unknown, more: object = {}) => {
      const { status, body } = await post('/campaigns', { ...campaignBody(), ...more, steps });
      expect([400, 422], JSON.stringify(body)).to.include(status);
      return body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);
    };
    expect(await errorsOf([])).to.deep.equal(['/steps too_few']);
    expect(await errorsOf([1, 2, 3, 4].map((amount) => step(amount, 'clicked')))).to.deep.equal(['/steps too_many']);
    expect(await errorsOf([step(0, 'clicked')])).to.deep.equal(['/steps/0/after/amount too_low']);
    const aboutButton = { condition: { outcome: 'conversed', actionIndex: 0 } };
    expect(await errorsOf([step(1, 'conversed', aboutButton)])).to.deep.equal(['/steps/0/condition of_clicks_only']);
    const unknown = { condition: { outcome: 'clicked', messageIndex: 0, actionIndex: 1 } };
    expect(await errorsOf([step(1, 'clicked', unknown)])).to.deep.equal(['/steps/0/condition unknown_button']);
    const endsAt = at(24).toISOString();
    expect(await errorsOf([step(12, 'clicked'), step(12, 'clicked')], { endsAt })).to.deep.equal([
      '/steps/1/after after_campaign_end',
    ]);
    const messages = [{ ...card('A'), actions: [{ type: 'Postback', label: 'L', data: { event: 'Unheard' } }] }];
    expect(await errorsOf([step(1, 'clicked', { messages })])).to.deep.equal([
      '/steps/0/messages/0/actions/0/data unknown_event',
    ]);
    const following = async () => (await post(`/campaigns/${id}:dry-run`)).body.followingCount;
    expect((await patch(null)).body.steps).to.equal(null);
    expect(await following()).to.equal(0);
    expect((await patch(twoSteps)).body.steps).to.deep.equal(answered);
    expect(await following()).to.equal(2);
    expect((await post(`/campaigns/${id}:send`)).status).to.equal(202);
    expect((await patch(null)).body.errors).to.deep.include({
      path: '/steps',
      code: 'fixed_once_sent',
      message: 'cannot be changed once the campaign has been sent',
    });
    expect(backend.flows.followed).to.include(id);
  });

  it('keep the button that they ask about when a scheduled campaign is changed', async () => {
    const clicked = step(1, 'clicked', { condition: { outcome: 'clicked', messageIndex: 0, actionIndex: 0 } });
    const schedule = { type: 'scheduled', at: at(48).toISOString() };
    const { id } = (await post('/campaigns', { ...campaignBody(), schedule, steps: [clicked] })).body;
    expect((await post(`/campaigns/${id}:send`)).status).to.equal(202);
    const before = (await call('GET', `/campaigns/${id}`)).body;
    const patch = (body: object) => call('PATCH', `/campaigns/${id}`, { body, headers: { 'If-Match': '*' } });
    const refused = await patch({ messages: [{ type: 'text', text: 'No button' }] });
    expect([refused.status, refused.body.errors[0].path]).to.deep.equal([422, '/steps/0/condition']);
    const late = await patch({ endsAt: at(49).toISOString() });
    expect([late.status, late.body.errors[0].path]).to.deep.equal([422, '/steps/0/after']);
    expect((await call('GET', `/campaigns/${id}`)).body).to.deep.equal(before);
    expect([200, 202]).to.include((await patch({ messages: [card('Another')] })).status);
  });
});
