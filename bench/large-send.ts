import type { AudiencePreview } from '../domain/api/audiences.ts';
import type { Campaign, Progress } from '../domain/api/campaign.ts';
import type { DryRun } from '../domain/api/dry-run.ts';
import { type Stack, startStack } from '../test/support/services/stack.ts';
import { installVastTenant, peakMemory, uploadEverybody, VAST_CONTACTS } from '../test/support/services/vast-tenant.ts';
import { eventually } from '../test/support/time/eventually.ts';
import { elapsed } from './elapsed.ts';

const waiting = { timeoutMs: 300_000, intervalMs: 100 };

/** Sends to an audience of 1,000,000 contacts; seconds per step, from its call to its effect. */
async function send(stack: Stack) {
  const tenant = await installVastTenant(stack);
  const { api, sandbox, serviceNumberId } = tenant;
  const [{ audienceId }, uploadSeconds] = await elapsed(() => uploadEverybody(stack, tenant));
  const audience = { type: 'contacts', audienceId };
  const preview = { serviceNumberId, audience };
  const [, countSeconds] = await elapsed(() => api.post<AudiencePreview>('/audiences:preview', preview));
  const { id } = await api.post<Campaign>('/campaigns', {
    name: 'To everybody',
    serviceNumberId,
    messages: [{ type: 'text', text: 'Good morning.' }],
    audience,
    schedule: { type: 'immediate' },
  });
  const [, dryRunSeconds] = await elapsed(() => api.post<DryRun>(`/campaigns/${id}:dry-run`));
  const asked = { expectedReachableCount: VAST_CONTACTS };
  const [, freezeSeconds] = await elapsed(() => api.post<Campaign>(`/campaigns/${id}:send`, asked));
  const submitted = async () =>
    (await sandbox.get<{ total: number }>('/sandbox/tasks?limit=1')).total === VAST_CONTACTS / 1000;
  const [, submissionSeconds] = await elapsed(() => eventually('every sub-task is submitted', submitted, waiting));
  const completed = async () => (await api.get<Progress>(`/campaigns/${id}/progress`)).status === 'completed';
  const [, completionSeconds] = await elapsed(() => eventually('the campaign is completed', completed, waiting));
  return { uploadSeconds, countSeconds, dryRunSeconds, freezeSeconds, submissionSeconds, completionSeconds };
}

export async function largeSend() {
  const env = { PLATFORM_CALLS_PER_SECOND: '10000' };
  const stack = await startStack({ services: ['sandbox', 'backend', 'bff'], env });
  try {
    const seconds = await send(stack);
    const memory = (name: 'backend' | 'bff') => peakMemory(stack.child(name).pid);
    return { contacts: VAST_CONTACTS, ...seconds, backendMiB: memory('backend'), bffMiB: memory('bff') };
  } finally {
    await stack.stop();
  }
}
