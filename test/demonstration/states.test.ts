import { expect } from 'chai';
import type { ApiKey } from '#domain/api/api-keys.ts';
import type { Automation } from '#domain/api/automations.ts';
import type { AudiencePreview, SavedAudience } from '#domain/api/audiences.ts';
import type { ImageCheck } from '#domain/api/images.ts';
import { type Campaign, campaignStatuses, cancelOutcomes, type Results, type SubTask } from '#domain/api/campaign.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { ListedTemplate } from '#domain/api/templates.ts';
import type { TenantSettings } from '#domain/api/tenant-settings.ts';
import { outgoingEventTypes } from '#domain/api/webhook.ts';
import type { CampaignStep } from '#domain/api/campaign-steps.ts';
import type { Repeat } from '#domain/api/repeats.ts';
import { seedDemo } from '#scripts/demo.ts';
import { type DemoConsole, demoConsole } from '../support/browser/demo-console.ts';
import { ada } from '../support/browser/people.ts';
import { apiAs } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

describe('The demonstration', function () {
  this.timeout(300_000);
  let stack: DemoConsole;
  before(async () => {
    stack = await demoConsole();
  });

  async function campaigns(): Promise<Campaign[]> {
    const api = await apiAs(stack, ada);
    return (await api.get<Page<Campaign>>('/campaigns?limit=200')).items;
  }

  async function tasksOf({ id }: Campaign): Promise<SubTask[]> {
    const api = await apiAs(stack, ada);
    return (await api.get<Page<SubTask>>(`/campaigns/${id}/tasks`)).items;
  }

  it('has a campaign in each state, and a second start changes none', async () => {
    await eventually('every state is there', async () => {
      const found = await campaigns();
      expect([...new Set(found.map(({ status }) => status))].toSorted()).to.deep.equal(campaignStatuses.toSorted());
      const outcomes = found.flatMap(({ cancelOutcome }) => cancelOutcome ?? []);
      expect(outcomes.toSorted()).to.deep.equal(cancelOutcomes.toSorted());
      const tasks = await Promise.all(found.map(tasksOf));
      const statuses = tasks.flat().map(({ status }) => status);
      expect(statuses).to.include.members(['pending', 'unknown', 'rejected', 'scheduled', 'sending', 'cancelled']);
      return true;
    });
    const found = await campaigns();
    const moments = found.map(({ schedule }) => (schedule.type === 'scheduled' ? schedule.audience : undefined));
    expect(moments).to.include('at_start');
    await seedDemo(stack.settings);
    const api = await apiAs(stack, ada);
    const [message] = found.find(({ name }) => name === 'Winter menu')?.messages ?? [];
    const url = message?.type === 'buttons' && message.image;
    const { images } = await api.post<{ images: ImageCheck[] }>('/images:check', { urls: [url] });
    expect(images.map(({ warnings }) => warnings)).to.deep.equal([['small']]);
    const { items: keys } = await api.get<Page<ApiKey>>('/api-keys');
    expect(keys.map(({ status }) => status)).to.deep.equal(['active', 'revoked']);
    const { items: templates } = await api.get<Page<ListedTemplate>>('/templates');
    expect(templates.map(({ name, kind, version }) => `${name}, ${kind} ${version}`)).to.deep.equal([
      'Menu of a season, card 2',
      'Talk to us, message 1',
      'Opening hours, message 1',
    ]);
    const { utm } = await api.get<TenantSettings>('/tenant-settings');
    expect(utm).to.include({ source: 'harbor-coffee', campaign: '{campaign}' });
    const receiver = `${stack.addresses.sandbox}/sandbox/merchant/${ada.tenantId}-campaigns/events`;
    // The others come from approvals, automations, uploads and contacts that leave, which have tests of their own.
    const ofCampaigns = outgoingEventTypes.filter((type) =>
      /^(campaign|subtask|contact[.](clicked|tagged)|conversation[.]opened)/.test(type),
    );
    await eventually('events of campaigns have arrived, of every type', async () => {
      const response = await fetch(receiver);
      const told = (await response.json()) as { items: { signature: string; body: { type: string } }[] };
      expect(told.items.filter(({ signature }) => signature !== 'valid')).to.deep.equal([]);
      expect(told.items.map(({ body }) => body.type)).to.include.members(ofCampaigns);
      return true;
    });
    const { items: audiences } = await api.get<Page<SavedAudience>>('/audiences?serviceNumberId=sn-harbor');
    const segments = audiences.filter(({ type }) => type === 'segment').map(({ name }) => name);
    expect(segments).to.have.members(['Reached this month, said nothing', 'Cupping club, still around']);
    const followUp = found.find(({ audience, status }) => audience.type === 'segment' && status === 'draft');
    const { serviceNumberId, audience } = followUp ?? expect.fail('no draft is for a segment');
    const counted = await api.post<AudiencePreview>('/audiences:preview', { serviceNumberId, audience });
    expect(counted.reachableCount).to.be.within(1, 4999);
    const { items: repeats } = await api.get<Page<Repeat>>('/repeats');
    expect(repeats.map(({ status, sends, lastOutcome }) => [status, sends, lastOutcome])).to.deep.equal([
      ['active', 1, 'sent'],
    ]);
    const { items: automations } = await api.get<Page<Automation>>('/automations');
    expect(automations.map(({ name, status }) => [name, status])).to.deep.equal([
      ['Clicked, but did not talk to us', 'active'],
      ['Welcome to new followers', 'active'],
    ]);
    expect(automations.map(({ counts }) => counts.entered > 0)).to.deep.equal([true, true]);
    const cupping = found.find(({ name }) => name === 'Tickets for the cupping');
    const { items: steps } = await api.get<{ items: CampaignStep[] }>(`/campaigns/${cupping?.id}/steps`);
    expect(steps.map(({ state, campaignStatus }) => [state, campaignStatus])).to.deep.equal([
      ['sent', 'completed'],
      ['waiting', null],
    ]);
    const again = await campaigns();
    expect(again.map(({ id, status }) => [id, status])).to.deep.equal(found.map(({ id, status }) => [id, status]));
  });

  it('has an audience whose members came and went, who are known at each time', async () => {
    const api = await apiAs(stack, ada);
    const { items } = await api.get<Page<SavedAudience>>('/audiences?limit=200&serviceNumberId=sn-harbor');
    const { audienceId, serviceNumberId } = items.find(({ name }) => name === 'Cupping club, still around') ?? {};
    const hits = async (daysAgo: number) => {
      const asOf = daysAgo === 0 ? {} : { asOf: new Date(Date.now() - daysAgo * 86_400_000).toISOString() };
      const asked = { serviceNumberId, audience: { type: 'contacts', audienceId }, ...asOf };
      return (await api.post<AudiencePreview>('/audiences:preview', asked)).hitCount;
    };
    expect([await hits(40), await hits(20), await hits(8), await hits(2)]).to.deep.equal([0, 90, 60, 80]);
    // Of these, one in nine has been given the tag of the lapsed today.
    expect(await hits(0)).to.equal(70);
  });

  it('has a campaign whose links led to orders, with what they brought in and what went back', async () => {
    const api = await apiAs(stack, ada);
    const kiln = (await campaigns()).find(({ name }) => name === 'From the kiln');
    await eventually('its results say so', async () => {
      const { revenue } = await api.get<Results>(`/campaigns/${kiln?.id}/results`);
      expect(revenue?.totals[0]).to.include({ orders: 5, refunded: 120 });
      return true;
    });
  });
});
