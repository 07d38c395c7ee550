import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { recordingLauncher } from '#test/support/services/outreach-flows.ts';
import { openSendingSite, type SendingSite } from '#test/support/services/sending-site.ts';

describe('a sweep', () => {
  const database = useDatabase('outreach');
  const launcher = recordingLauncher();
  let refusal: Error;
  let site: SendingSite;

  before(async () => {
    const repeatSchedule = async ({ repeatId }: { repeatId: string }, times: Date[]) => {
      if (repeatId === 'broken') throw refusal;
      await recordingLauncher().repeatSchedule({ tenantId: '', repeatId }, times);
    };
    site = await openSendingSite(database, { launcher: { ...launcher, repeatSchedule } });
  });
  after(() => site.close());

  /** Two repeats whose Schedules are stale, and a step that nobody looks at. @returns what the sweep starts of it. */
  async function sweep(): Promise<{ asked: string[]; stale: string[]; failure: unknown }> {
    const { tenantId } = site.tenant;
    const { campaignId } = await site.seedSend({ chunks: [] });
    await rows(
      database,
      `insert into campaign_repeat (repeat_id, tenant_id, service_number_id, name, calendar, zone, skip_reached, status,
         pause_reason, started_by, created_at, updated_at)
       select id, :tenantId, 'sn-1', id, '{}', 'UTC', false, 'paused', 'operator', 'u1', now(), now()
       from unnest(array['broken', 'sound']) as id
       on conflict (repeat_id) do update set schedule_stale = true`,
      { tenantId },
    );
    await rows(
      database,
      `insert into campaign_step (campaign_id, position, tenant_id, state, next_look_at)
       values (:campaignId, 1, :tenantId, 'waiting', now() - interval '1 hour')`,
      { campaignId, tenantId },
    );
    launcher.asked.length = 0;
    const failure = await site
      .run(() => site.activities.sweepOutreachRows())
      .then(
        () => null,
        (error: unknown) => error,
      );
    const stale = await database('campaign_repeat').where({ schedule_stale: true }).pluck('repeat_id');
    return { asked: launcher.asked.filter((one) => one === `steps:${campaignId}`), stale, failure };
  }

  it('comes to its end although one Schedule cannot be written, and tries that again', async () => {
    refusal = new Error('schedule is too large');
    const { asked, stale, failure } = await sweep();
    expect([stale, asked.length, failure]).to.deep.equal([['broken'], 1, null]);
  });

  it('does everything else, and fails, while the workflow server is away', async () => {
    refusal = new Error('Failed to create schedule', {
      cause: Object.assign(new Error('no connection'), { code: 14 }),
    });
    const { asked, failure } = await sweep();
    expect([asked.length, failure]).to.deep.equal([1, refusal]);
  });
});
