import type { Campaign, CampaignBody, SubTask } from '#domain/api/campaign.ts';
import type { Page } from '#domain/api/primitives.ts';
import { eventually } from '../time/eventually.ts';
import type { TestTenant } from '../services/tenant.ts';

/** What a test specifies about a campaign; by default it goes to all contacts of the tenant at once. */
export type GivenCampaign = Partial<Omit<CampaignBody, 'messages'>> & { messages?: unknown[] };

export const plainMessage = { type: 'text', text: 'Hello' };

export const cardMessage = {
  type: 'buttons',
  title: 'Winter menu',
  text: 'Cinnamon is back.',
  actions: [{ type: 'Url', label: 'See it', url: 'https://harbor-coffee.example/winter' }],
};

export function draftCampaign(tenant: TestTenant, given: GivenCampaign): Promise<Campaign> {
  return tenant.api.post<Campaign>('/campaigns', {
    name: 'A campaign',
    serviceNumberId: tenant.serviceNumberId,
    messages: [plainMessage],
    audience: { type: 'contacts', contactIds: tenant.contactIds },
    schedule: { type: 'immediate' },
    ...given,
  });
}

export const subTasksOf = async (tenant: TestTenant, id: string): Promise<SubTask[]> =>
  (await tenant.api.get<Page<SubTask>>(`/campaigns/${id}/tasks`)).items;

interface BroadcastCall {
  path: string;
  /** Null where the connection was destroyed before a response. */
  status: number | null;
}

/** The calls that made broadcasts of the tenant's service number, in their order, with their bodies. */
export async function broadcastCallsOf({ sandbox, serviceNumberId }: TestTenant): Promise<BroadcastCall[]> {
  const { items } = await sandbox.get<{ items: BroadcastCall[] }>('/sandbox/calls?route=A1&bodies=1');
  return items.filter(({ path }) => path.includes(`/${serviceNumberId}/`));
}

/** Sends it and waits until the platform has delivered it. */
export async function sendCampaign(
  tenant: TestTenant,
  given: GivenCampaign,
): Promise<{ campaign: Campaign; tasks: SubTask[] }> {
  const { id } = await draftCampaign(tenant, given);
  await tenant.api.post(`/campaigns/${id}:send`);
  const isCompleted = async () => {
    const found = await tenant.api.get<Campaign>(`/campaigns/${id}`);
    return found.status === 'completed' && found;
  };
  const campaign = await eventually('the campaign is completed', isCompleted);
  return { campaign, tasks: await subTasksOf(tenant, id) };
}
