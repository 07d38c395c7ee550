import { type Launcher, type OutreachDeps, sleepFor } from '#activities/outreach/deps.ts';
import { createPacing } from '#activities/outreach/pacing/pacing.ts';
import { createPlatformGateway } from '#clients/platform/gateway.ts';
import { createHttpExchange } from '#clients/http/exchange.ts';
import type { Database } from '#db/database.ts';
import { createClickTokens } from '#domain/campaigns/revenue/click-token.ts';
import { createEncryption } from '#db/encryption.ts';

/** Of the links of campaigns. */
export const testClickTokens = createClickTokens(['the-tests-secret-of-click-tokens']);

export const testEncryption = createEncryption([{ id: null, key: Buffer.alloc(32, 7).toString('base64') }]);

/** A launcher that only records its requests. */
export function recordingLauncher(): Launcher & { asked: string[] } {
  const asked: string[] = [];
  const note = (what: string) => {
    asked.push(what);
    return Promise.resolve('started' as const);
  };
  return {
    asked,
    dispatch: (send) => note(`dispatch:${send.campaignId}:${send.number}`),
    polling: (campaign) => note(`poll:${campaign.campaignId}`),
    closing: (campaign) => note(`close:${campaign.campaignId}`),
    sourceUpdates: (campaign) => note(`entry-sources:${campaign.campaignId}`),
    variantTest: (campaign) => note(`variants:${campaign.campaignId}`),
    steps: (campaign) => note(`steps:${campaign.campaignId}`),
    automations: ({ serviceNumberId }) => note(`automations:${serviceNumberId}`),
    end: async ({ campaignId, kind, number }) => void (await note(`end:${kind}:${campaignId}:${number}`)),
    repeat: ({ repeatId }) => note(`repeat:${repeatId}`),
    repeatSchedule: async ({ repeatId }, times) => void (await note(`repeat-schedule:${repeatId}:${times.length}`)),
    inbox: async (partition) => void (await note(`inbox:${partition}`)),
  };
}

/** Dependencies of the outreach activities with a real database and a platform over real HTTP. */
export function testDeps(
  database: Database,
  baseUrl: string,
  more: Partial<OutreachDeps> = {},
): OutreachDeps & { close(): Promise<void> } {
  // No test here is about slow responses of a busy machine; still shorter than the wait for a submission.
  const exchange = createHttpExchange({ timeoutMs: 15_000, connections: 64 });
  const silent = () => {};
  const { now = () => new Date(), encryption = testEncryption } = more;
  const log = { info: silent, warn: silent, error: silent };
  return {
    database,
    encryption,
    gateway: createPlatformGateway({ baseUrl, exchange }),
    launcher: recordingLauncher(),
    textModel: null,
    clickTokens: testClickTokens,
    pacing: createPacing({ database, encryption, now, log, perSecond: 10_000 }),
    log,
    traces: null,
    settings: {
      PLATFORM_APP_ID: 'outreach',
      PLATFORM_A1_IDEMPOTENT: false,
      POLL_INTERVAL_MS: 20,
      SCHEDULE_GRACE_MS: 3_600_000,
      AUTOMATIONS_WINDOW_MS: 400,
      INBOX_PARTITIONS: 2,
      RETENTION_EVENTS_DAYS: 90,
      RETENTION_RECIPIENTS_DAYS: 400,
      RETENTION_TIMELINE_DAYS: 400,
      RETENTION_AUDIT_DAYS: 1095,
      RETENTION_UNINSTALLED_DAYS: null,
    },
    now,
    drainMs: 20_000,
    sleep: sleepFor,
    close: () => exchange.destroy(),
    ...more,
  };
}
