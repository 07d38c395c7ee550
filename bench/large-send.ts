import type { AudiencePreview } from '../domain/api/audiences.ts';
import type { Campaign, Progress } from '../domain/api/campaign.ts';
import type { DryRun } from '../domain/api/dry-run.ts';
import type { CampaignLift } from '../domain/api/lift.ts';
import { type Stack, startStack } from '../test/support/services/stack.ts';
import { installVastTenant, peakMemory, uploadEverybody } from '../test/support/services/vast-tenant.ts';
import { eventually } from '../test/support/time/eventually.ts';
import { elapsed } from './elapsed.ts';

const CONTACTS = 1_000_000;
const waiting = { timeoutMs: 300_000, intervalMs: 100 };

/**
 * Sends to an audience of 1,000,000 contacts, of which a share may be held back; seconds per step, from its call to its
 * effect.
 */
async function send(stack: Stack, holdoutPercent: number | null) {
  const tenant = await installVastTenant(stack, CONTACTS);
  const { api, sandbox, serviceNumberId } = tenant;
  const [{ audienceId }, uploadSeconds] = await elapsed(() => uploadEverybody(stack, tenant, CONTACTS));
  const audience = { type: 'contacts', audienceId };
  const preview = { serviceNumberId, audience };
  const [, countSeconds] = await elapsed(() => api.post<AudiencePreview>('/audiences:preview', preview));
  const { id } = await api.post<Campaign>('/campaigns', {
    name: 'To everybody',
    serviceNumberId,
    messages: [{ type: 'text', text: 'Good morning.' }],
    audience,
    schedule: { type: 'immediate' },
    holdoutPercent,
  });
  const [, dryRunSeconds] = await elapsed(() => api.post<DryRun>(`/campaigns/${id}:dry-run`));
  const asked = { expectedReachableCount: CONTACTS };
  const [, freezeSeconds] = await elapsed(() => api.post<Campaign>(`/campaigns/${id}:send`, asked));
  const progress = () => api.get<Progress>(`/campaigns/${id}/progress`);
  const submitted = async () => {
    const { audienceCount, preparing } = await progress();
    const { total } = await sandbox.get<{ total: number }>('/sandbox/tasks?limit=1');
    return preparing.contacts === 0 && total === Math.ceil(audienceCount / 1000);
  };
  const [, submissionSeconds] = await elapsed(() => eventually('every sub-task is submitted', submitted, waiting));
  const completed = async () => (await progress()).status === 'completed';
  const [, completionSeconds] = await elapsed(() => eventually('the campaign is completed', completed, waiting));
  const [, liftSeconds] = await elapsed(() => api.get<CampaignLift>(`/campaigns/${id}/lift`));
  return {
    uploadSeconds,
    countSeconds,
    dryRunSeconds,
    freezeSeconds,
    submissionSeconds,
    completionSeconds,
    liftSeconds,
  };
}

/** @param given `holdout`: how much of the audience is held back, in percent; nobody is where it is absent. */
export async function largeSend({ holdout }: { holdout?: number }) {
  const env = { PLATFORM_CALLS_PER_SECOND: '10000' };
  const stack = await startStack({ services: ['sandbox', 'backend', 'bff'], env });
  try {
    const seconds = await send(stack, holdout ?? null);
    const memory = (name: 'backend' | 'bff') => peakMemory(stack.child(name).pid);
    return { contacts: CONTACTS, ...seconds, backendMiB: memory('backend'), bffMiB: memory('bff') };
  } finally {
    await stack.stop();
  }
}
