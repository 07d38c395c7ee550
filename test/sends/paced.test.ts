import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { updateCampaign } from '#commands/outreach/sends/editing/update-campaign.ts';
import { retryFailed } from '#commands/outreach/sends/retry-failed.ts';
import { pauseCampaign } from '#commands/outreach/sends/pause-campaign.ts';
import { resumeCampaign } from '#commands/outreach/sends/resume-campaign.ts';
import { readProgress } from '#db/outreach/sends/progress.ts';
import { standingCampaigns } from '#db/outreach/overview/standing.ts';
import type { Pace } from '#domain/api/pace.ts';
import { useDatabase } from '../support/fixtures/database.ts';
import { readCampaign, readTasks, type TestSend } from '../support/outreach/rows.ts';
import { openSendingSite, type SendingSite } from '../support/services/sending-site.ts';

const MINUTE = 60_000;
const start = new Date('2026-11-25T12:00:00Z');
const later = (minutes: number) => new Date(start.getTime() + minutes * MINUTE);

describe('submitting at a pace', () => {
  const database = useDatabase('outreach');
  let site: SendingSite;
  let now: Date;

  beforeEach(async () => {
    now = start;
    site = await openSendingSite(database, { now: () => now });
  });
  afterEach(() => site.close());

  async function paced(pace: Pace, chunks: number[], at?: Date): Promise<TestSend> {
    const send = await site.seedSend({ chunks, ...(at && { at }) });
    await rows(database, 'update campaign set pace = :pace::jsonb where campaign_id = :campaignId', {
      pace: JSON.stringify(pace),
      campaignId: send.campaignId,
    });
    await rows(database, 'update dispatch set created_at = :at where campaign_id = :campaignId', {
      at: later(-60),
      campaignId: send.campaignId,
    });
    return send;
  }
  const plan = (send: TestSend) => site.run(() => site.activities.planDispatch({ ...send }));
  const submitAt = async (send: TestSend, minutes: number) => {
    now = later(minutes);
    const { waitUntil } = await site.submit(send);
    return { calls: site.platform.of('A1').length, waitUntil };
  };
  const author = () => ({ tenantId: site.tenant.tenantId, userId: 'operator', requestId: null });

  it('submits a sub-task when it is due, says when the next is, and none before', async () => {
    const send = await paced({ perMinute: 100 }, [100, 100, 50]);
    expect(await submitAt(send, 0)).to.deep.equal({ calls: 1, waitUntil: later(1).toISOString() });
    expect(await submitAt(send, 0.5)).to.deep.equal({ calls: 1, waitUntil: later(1).toISOString() });
    expect(await submitAt(send, 1)).to.deep.equal({ calls: 2, waitUntil: later(2).toISOString() });
    expect((await plan(send)).ranges).to.have.length(1);
    expect(await submitAt(send, 2)).to.deep.equal({ calls: 3, waitUntil: null });
  });

  it('keeps to its pace together if several processes submit at once', async () => {
    const send = await paced({ perMinute: 100 }, [100, 100, 100, 100]);
    await Promise.all([1, 2, 3, 4].map(() => site.submit(send)));
    expect(site.platform.of('A1')).to.have.length(1);
  });

  it('has no minute with more than its rate and a sub-task, also where it makes up for lateness and sub-tasks differ', async () => {
    const send = await paced({ perMinute: 10 }, [10, 10, 2, 10]);
    expect(await submitAt(send, 0)).to.deep.equal({ calls: 1, waitUntil: later(1).toISOString() });
    expect(await submitAt(send, 1.9)).to.deep.equal({ calls: 2, waitUntil: later(2).toISOString() });
    expect(await submitAt(send, 2)).to.deep.equal({ calls: 3, waitUntil: later(2.9).toISOString() });
    expect((await submitAt(send, 2.2)).calls).to.equal(3);
    expect((await submitAt(send, 2.9)).calls).to.equal(4);
  });

  const repace = (send: TestSend, pace: Pace | null) =>
    updateCampaign(database, author(), send.campaignId, {
      patch: { pace },
      now,
      checkStage: () => {},
      checkRevision: () => {},
      check: () => Promise.resolve(),
    });

  it('releases no sub-task early, however often its pace is changed', async () => {
    const send = await paced({ perMinute: 60 }, [60, 60, 60, 60, 60]);
    expect((await submitAt(send, 0)).calls).to.equal(1);
    for (const [minutes, perMinute] of [
      [0.1, 50],
      [0.2, 40],
      [0.3, 30],
    ] as const) {
      now = later(minutes);
      await repace(send, { perMinute });
      expect(await submitAt(send, minutes)).to.deep.equal({ calls: 1, waitUntil: later(1).toISOString() });
    }
    expect(await submitAt(send, 1)).to.deep.equal({ calls: 2, waitUntil: later(3).toISOString() });
    await repace(send, { perMinute: 600 });
    expect(await submitAt(send, 1.1)).to.deep.equal({ calls: 3, waitUntil: later(1.2).toISOString() });
    await repace(send, null);
    expect((await submitAt(send, 1.1)).calls).to.equal(5);
  });

  it('keeps to a pace that it gets while sub-tasks are being submitted', async () => {
    const send = await paced({ perMinute: 60 }, [60, 60, 60, 60, 60]);
    await rows(database, 'update campaign set pace = null where campaign_id = :campaignId', {
      campaignId: send.campaignId,
    });
    let changed: Promise<unknown> | null = null;
    site.platform.behave(async ({ route }) => {
      if (route === 'A1') await (changed ??= repace(send, { perMinute: 60 }));
      return null;
    });
    const { calls, waitUntil } = await submitAt(send, 0);
    // What was claimed before goes on: two calls at once at most.
    expect(calls).to.be.within(1, 3);
    expect(waitUntil).to.equal(later(1).toISOString());
    expect((await submitAt(send, 1)).calls).to.equal(calls + 1);
  });

  it('shares its pace with a retry', async () => {
    const send = await paced({ perMinute: 60 }, [60, 60, 60]);
    site.platform.behave(({ route }) => (route === 'A1' ? { status: 422, body: { code: 'invalid_postback' } } : null));
    await submitAt(send, 0);
    site.platform.behave(() => null);
    const request = { idempotencyKey: null, asked: [], now };
    const retried = await retryFailed(database, author(), send.campaignId, request);
    const retry = { ...send, dispatchId: retried.dispatch?.dispatchId ?? '' };
    for (const minutes of [0.5, 1, 2, 3]) {
      await submitAt(retry, minutes);
      await submitAt(send, minutes);
      expect(site.platform.of('A1'), `after ${minutes} minutes`).to.have.length(1 + Math.floor(minutes));
    }
    expect((await readTasks(database, send)).map(({ status }) => status)).to.have.members([
      'rejected',
      'sending',
      'sending',
      'sending',
    ]);
  });

  it('submits nothing in quiet hours, and what waits when they are over', async () => {
    const send = await paced({ quietHours: { from: '19:00', to: '21:30', zone: 'Asia/Taipei' } }, [5, 5]);
    expect(await submitAt(send, 0)).to.deep.equal({ calls: 0, waitUntil: later(90).toISOString() });
    expect(await submitAt(send, 90)).to.deep.equal({ calls: 2, waitUntil: null });
  });

  it('is looked at rarely while nothing may be submitted and no task is open, and at once when a sub-task is submitted', async () => {
    const quiet = await paced({ quietHours: { from: '19:00', to: '21:30', zone: 'Asia/Taipei' } }, [5]);
    await submitAt(quiet, 0);
    expect(await site.poll(quiet, 'sending')).to.equal(15 * MINUTE);
    now = later(85);
    expect(await site.poll(quiet, 'sending')).to.equal(5 * MINUTE + site.deps.settings.POLL_INTERVAL_MS);
    now = later(90);
    expect(await site.poll(quiet, 'sending')).to.equal(site.deps.settings.POLL_INTERVAL_MS);
    const slow = await paced({ perMinute: 10 }, [100, 100]);
    await submitAt(slow, 90);
    const [task] = await readTasks(database, slow);
    const nextPollAt = task?.nextPollAt?.getTime() ?? 0;
    expect(await site.poll(slow, 'sending')).to.be.at.most(Math.max(nextPollAt - now.getTime(), 10));
  });

  it('begins a scheduled campaign when it starts, not at the platform before, and is not late while it lasts', async () => {
    const send = await paced({ perMinute: 10 }, [10, 10, 10], later(30));
    expect(await submitAt(send, 0)).to.deep.equal({ calls: 0, waitUntil: later(30).toISOString() });
    expect(await submitAt(send, 30)).to.deep.equal({ calls: 1, waitUntil: later(31).toISOString() });
    expect(site.platform.of('A1')[0]?.body['schedule']).to.deep.equal({ type: 'immediate' });
    now = later(600);
    expect((await plan(send)).status).to.equal('sending');
    expect((await submitAt(send, 600)).calls).to.equal(2);
  });

  it('is late only after the first moment that its quiet hours allow', async () => {
    const quietHours = { from: '11:00', to: '20:00', zone: 'UTC' };
    const send = await paced({ quietHours }, [10], start);
    now = later(8 * 60);
    expect((await plan(send)).status).to.equal('sending');
    now = later(8 * 60 + 60 * 24 * 7);
    expect((await plan(send)).status).to.equal('paused');
    expect(await readCampaign(database, send)).to.include({ pauseReason: 'late' });
  });

  it('goes on at its pace after a pause', async () => {
    const send = await paced({ perMinute: 100 }, [100, 100, 100]);
    await submitAt(send, 0);
    await pauseCampaign(database, author(), send.campaignId, now);
    expect(await submitAt(send, 5)).to.deep.equal({ calls: 1, waitUntil: null });
    await resumeCampaign(database, author(), send.campaignId, now);
    expect(await submitAt(send, 5)).to.deep.equal({ calls: 2, waitUntil: later(6).toISOString() });
  });

  it('keeps back at the deadline what is left, and sends it if an operator resumes it', async () => {
    const send = await paced({ perMinute: 100, deadline: later(1.5).toISOString() }, [100, 100, 100, 70]);
    await submitAt(send, 0);
    expect(await submitAt(send, 1)).to.deep.equal({ calls: 2, waitUntil: later(1.5).toISOString() });
    const before = await readProgress(database, send, now);
    expect(before?.pace).to.deep.equal({
      nextAt: later(2).toISOString(),
      endsAt: later(1.5).toISOString(),
      left: 170,
      keptBack: 170,
    });
    expect(await submitAt(send, 1.5)).to.deep.equal({ calls: 2, waitUntil: null });
    expect(await readCampaign(database, send)).to.include({ status: 'paused', pauseReason: 'deadline' });
    expect((await plan(send)).ranges).to.deep.equal([]);
    const kept = await readProgress(database, send, now);
    expect(kept?.pace).to.deep.equal({ nextAt: null, endsAt: null, left: 170, keptBack: 170 });
    const audited = await database('audit_log')
      .where({ object_id: send.campaignId })
      .select('actor', 'action', 'after');
    expect(audited).to.deep.equal([
      {
        actor: 'service:pace',
        action: 'campaign.keep_back',
        after: { status: 'paused', pauseReason: 'deadline', deadline: later(1.5).toISOString(), contacts: 170 },
      },
    ]);
    await resumeCampaign(database, author(), send.campaignId, now);
    expect(await submitAt(send, 2)).to.deep.equal({ calls: 3, waitUntil: later(3).toISOString() });
    expect(await submitAt(send, 3)).to.deep.equal({ calls: 4, waitUntil: null });
    expect((await readTasks(database, send)).every(({ status }) => status === 'sending')).to.equal(true);
  });

  it('does not stand still while it waits for its next sub-task, and does once that is overdue', async () => {
    const send = await paced({ perMinute: 10 }, [100, 100]);
    await submitAt(send, 0);
    const standing = async (minutes: number) => {
      await rows(database, `update broadcast_task set created_at = :start, next_poll_at = null`, { start });
      await rows(database, `update broadcast_task set status = 'completed' where status = 'sending'`, {});
      await rows(database, 'update campaign set updated_at = :start', { start });
      const found = await standingCampaigns(database, { campaignId: send.campaignId }, later(minutes));
      return found.map(({ phase }) => phase);
    };
    expect(await standing(9)).to.deep.equal([]);
    expect(await standing(13)).to.deep.equal(['submit']);
  });
});
