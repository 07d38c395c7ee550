import { MockActivityEnvironment } from '@temporalio/testing';
import { createOutreachActivities } from '#activities/outreach/index.ts';
import type { TestEvaluation } from '#activities/outreach/variants.ts';
import { rows } from '#db/database.ts';
import type { Results } from '#domain/api/campaign.ts';
import type { Message } from '#domain/api/messages.ts';
import type { VariantTest } from '#domain/api/variant-test.ts';
import type { Variants } from '#domain/api/variants.ts';
import { type PlatformCall, startRecordingPlatform } from '../doubles/recording-platform.ts';
import { testDeps } from '../services/outreach-flows.ts';
import type { ApiResponse, CallOptions } from '../services/backend.ts';
import type { TwoTenants } from '../services/two-tenants.ts';
import { eventCommand, inboxOf } from './inbox-events.ts';

/** A card with one button that replies. */
export const card = (title: string, bizEventCode = 'buy'): Message => ({
  type: 'buttons',
  title,
  text: 'Fresh today.',
  actions: [{ type: 'Postback', label: `Order ${title}`, data: { bizEventCode } }],
});

/** A test of the campaign's own messages against `B`, decided as given. */
export const against = (
  shares: [number, number],
  winner: Partial<Variants['winner']> = {},
  messages: Message[] = [card('B', 'later')],
): Variants => ({
  name: 'A',
  sharePercent: shares[0],
  others: [{ name: 'B', sharePercent: shares[1], messages }],
  winner: { by: { type: 'clicks' }, decide: 'hand', afterHours: 24, otherwise: 'best', minimum: 0, ...winner },
});

/** The title of the card that a broadcast sends, and to whom. */
export const sentBy = ({ body }: PlatformCall): { title: string; contactIds: string[] } => {
  const [first] = body['messages'] as [{ title: string }];
  return { title: first.title, contactIds: (body['audience'] as { contactIds: string[] }).contactIds };
};

/** Sends of the tenant `a` of a backend whose platform records what it receives; `now` is the clock of both. */
export async function openVariantSite(backend: TwoTenants, now: () => Date) {
  const platform = await startRecordingPlatform();
  const deps = testDeps(backend.db, platform.baseUrl, { now });
  const activities = createOutreachActivities(deps);
  const run = <Result>(work: () => Promise<Result>) => new MockActivityEnvironment().run(work) as Promise<Result>;
  const inbox = inboxOf(backend.db, now);
  const integration = { tenantId: 'a', tenantIntegrationId: 'ti-a' };
  const keyOf = (campaignId: string) => ({ tenantId: 'a', campaignId });

  /** As an operator who has just signed in: hours pass here. */
  const call = async (method: string, path: string, options: CallOptions = {}): Promise<ApiResponse> =>
    backend.call(method, path, { token: await backend.token('a'), ...options });
  async function read<Body>(path: string): Promise<Body> {
    const response = await call('GET', path);
    if (response.status !== 200) throw new Error(`${path}: ${JSON.stringify(response.body)}`);
    return response.body as Body;
  }
  /** Freezes and submits what may be submitted, of every send of the campaign. */
  async function submit(campaignId: string): Promise<void> {
    const sends = await rows<{ dispatchId: string; number: number }>(
      backend.db,
      'select dispatch_id, number from dispatch where campaign_id = :campaignId order by number',
      { campaignId },
    );
    for (const send of sends) {
      const whole = { ...keyOf(campaignId), ...send };
      await run(() => activities.freezeAudience(whole));
      const plan = await run(() => activities.planDispatch(whole));
      for (const range of plan.ranges)
        await run(() => activities.submitBroadcasts({ tenantId: 'a', dispatchId: send.dispatchId, ...range }));
    }
  }
  return {
    platform,
    call,
    deps,
    activities,
    run,
    submit,
    /** One round of polling everything that the platform has of it. */
    poll: async (campaignId: string): Promise<void> => {
      await rows(
        backend.db,
        'update broadcast_task set next_poll_at = :now where campaign_id = :campaignId and task_id is not null',
        {
          campaignId,
          now: now(),
        },
      );
      await run(() => activities.pollTasks({ ...keyOf(campaignId), status: null })).catch(
        (error: { type?: string }) => {
          if (error.type !== 'PollAgain') throw error;
        },
      );
    },
    look: (campaignId: string): Promise<TestEvaluation> => run(() => activities.lookAtVariants(keyOf(campaignId))),
    test: (campaignId: string) => read<VariantTest>(`/campaigns/${campaignId}/variants`),
    results: (campaignId: string) => read<Results>(`/campaigns/${campaignId}/results`),
    /** So many of the contacts of broadcasts with this card press its button, each a minute after the one before. */
    click: async (title: string, count: number, from = now()): Promise<void> => {
      const sent = platform.of('A1').filter((call) => sentBy(call).title === title);
      const presses = sent.flatMap((call) => {
        const [{ actions }] = call.body['messages'] as [{ actions: [{ type: string; label: string; data: string }] }];
        const taskId = `task-${String(call.headers['idempotency-key'])}`;
        return sentBy(call).contactIds.map((contactId) => ({ taskId, contactId, action: actions[0] }));
      });
      const commands = presses.slice(0, count).map(({ taskId, contactId, action }, index) =>
        eventCommand(integration as never, 'notice.clicked', {
          taskId,
          contactId,
          noticeId: `notice-${taskId}-${contactId}`,
          actionIndex: 0,
          action,
          serviceNumberId: 'sn-1',
          clickedAt: new Date(from.getTime() + index * 1000).toISOString(),
        }),
      );
      if (commands.length < count) throw new Error(`only ${commands.length} contacts got ${title}`);
      for (let start = 0; start < commands.length; start += 200) {
        await inbox.store(...commands.slice(start, start + 200));
        await inbox.handle();
      }
    },
    close: async () => {
      await deps.close();
      await platform.close();
    },
  };
}

export type VariantSite = Awaited<ReturnType<typeof openVariantSite>>;
