import { join } from 'node:path';
import { ScheduleNotFoundError } from '@temporalio/client';
import { expect } from 'chai';
import { createOutreachActivities } from '#activities/outreach/index.ts';
import { createSweepActivities } from '#activities/outreach/sweep.ts';
import { rows } from '#db/database.ts';
import { createRepeat } from '#commands/outreach/repeats/create-repeat.ts';
import { findRepeat } from '#db/outreach/repeats/repeats.ts';
import { moveRepeat } from '#commands/outreach/repeats/move-repeat.ts';
import { collectHistories, writeHistories } from '#scripts/capture/histories.ts';
import { projectFolder } from '#scripts/start/services.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { useOutreachWorker, usePlatform } from '#test/support/fixtures/outreach.ts';
import { seedTenant, type TestTenant } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { stepsWorkflowId } from '#workflows/contracts/follow-steps.ts';
import { runRepeatWorkflowId } from '#workflows/contracts/run-repeat.ts';

describe('runRepeat', function () {
  this.timeout(120_000);
  const database = useDatabase('outreach');
  const platform = usePlatform();
  const worker = useOutreachWorker(database, { platform });
  let tenant: TestTenant;

  before(async () => {
    tenant = await seedTenant(database, testEncryption);
    await rows(
      database,
      `insert into contact_profile (tenant_id, service_number_id, contact_id, display_name, follow_state, last_event_at)
       select :tenantId, 'sn-1', 'c-' || n, 'Contact ' || n, 'following', now() from generate_series(1, 3) as n`,
      { tenantId: tenant.tenantId },
    );
  });

  const author = () => ({ tenantId: tenant.tenantId, userId: 'u1', requestId: null });

  async function made(): Promise<{ tenantId: string; repeatId: string }> {
    const campaignId = crypto.randomUUID();
    await rows(
      database,
      `insert into campaign (campaign_id, tenant_id, service_number_id, name, channels, messages, audience, schedule, status,
         created_by)
       values (:campaignId, :tenantId, 'sn-1', 'Template', '{default}', '[{"type":"text","text":"Hello"}]',
         '{"type":"contacts","contactIds":["c-1","c-2"]}', '{"type":"immediate"}', 'draft', 'u1')`,
      { campaignId, tenantId: tenant.tenantId },
    );
    const body = {
      name: 'Daily',
      campaignId,
      zone: 'Asia/Hong_Kong',
      until: null,
      maxRuns: null,
      skipReached: false,
      calendar: { type: 'daily' as const, at: '09:00' },
    };
    const { repeatId } = await createRepeat(database, author(), body, new Date());
    return { tenantId: tenant.tenantId, repeatId };
  }

  /** Puts its next run into the past. */
  const makeDue = async ({ repeatId }: { repeatId: string }, ms: number) => {
    const past = new Date(Math.floor((Date.now() - ms) / 60_000) * 60_000);
    const hongKong = new Date(past.getTime() + 8 * 3_600_000).toISOString();
    await rows(
      database,
      `update campaign_repeat set next_at = :past, next_local_time = :local, schedule_stale = false,
         calendar = jsonb_build_object('type', 'daily', 'at', :time::text) where repeat_id = :repeatId`,
      { past, local: hongKong.slice(0, 16), time: hongKong.slice(11, 16), repeatId },
    );
  };
  const schedule = ({ repeatId }: { repeatId: string }) =>
    worker.client.schedule.getHandle(runRepeatWorkflowId({ repeatId }));
  const isThere = async (key: { repeatId: string }) => {
    try {
      return (await schedule(key).describe()).info.nextActionTimes;
    } catch (error) {
      if (error instanceof ScheduleNotFoundError) return null;
      throw error;
    }
  };
  const sweep = () => createSweepActivities(worker.deps).sweepOutreachRows();
  const sentTasks = async ({ repeatId }: { repeatId: string }) =>
    (
      await rows<{ taskId: string | null }>(
        database,
        `select t.task_id from repeat_run u join broadcast_task t using (campaign_id) where u.repeat_id = :repeatId`,
        { repeatId },
      )
    ).map(({ taskId }) => taskId);

  it('has an id that staff can guess', () => {
    expect(runRepeatWorkflowId({ repeatId: 'r-1' })).to.equal('repeat:r-1');
  });

  it('is begun by its Schedule, sends to the platform, and tells the Schedule the next times', async () => {
    const key = await made();
    await sweep();
    const times = await isThere(key);
    const { nextAt } = (await findRepeat(database, key)) ?? {};
    expect(times?.[0]).to.deep.equal(nextAt);
    expect(times).to.have.length(10);
    await makeDue(key, 60_000);
    const before = platform.of('A1').length;
    await schedule(key).trigger();
    await eventually('the platform has a task', async () => {
      const tasks = await sentTasks(key);
      return tasks.length === 1 && tasks[0] !== null;
    });
    expect(platform.of('A1')).to.have.length(before + 1);
    await eventually('the Schedule knows the next times', async () => {
      const after = await findRepeat(database, key);
      const [next] = (await isThere(key)) ?? [];
      return after?.nextAt && next?.getTime() === after.nextAt.getTime();
    });
    // Whoever fires again finds nothing due.
    await schedule(key).trigger();
    await eventually('a second run has ended', async () => {
      const runs = [];
      for await (const run of worker.client.workflow.list({ query: `WorkflowType = 'runRepeat'` }))
        runs.push(run.status.name);
      return runs.length >= 2 && runs.every((status) => status === 'COMPLETED');
    });
    expect(await sentTasks(key)).to.have.length(1);
  });

  it('has what follows its campaign looked at from the moment it is sent', async () => {
    const key = await made();
    const steps = [
      {
        after: { amount: 1, unit: 'hours' },
        condition: { outcome: 'not_clicked' },
        messages: [{ type: 'text', text: 'Still there?' }],
      },
    ];
    await rows(
      database,
      `update campaign set steps = :steps::jsonb
       where campaign_id = (select campaign_id from campaign_repeat where repeat_id = :repeatId)`,
      { ...key, steps: JSON.stringify(steps) },
    );
    await makeDue(key, 60_000);
    const { runDueRepeat } = createOutreachActivities(worker.deps);
    expect(await runDueRepeat(key)).to.deep.equal({ sends: 1 });
    const [run] = await rows<{ campaignId: string }>(
      database,
      'select campaign_id from repeat_run where repeat_id = :repeatId',
      key,
    );
    const handle = worker.client.workflow.getHandle(stepsWorkflowId(run?.campaignId ?? ''));
    expect((await handle.describe()).status.name).to.equal('RUNNING');
    await handle.terminate('over');
  });

  it('is begun by the sweep if its Schedule was lost, which is then there again', async () => {
    const key = await made();
    await sweep();
    await schedule(key).delete();
    await makeDue(key, 120_000);
    await Promise.all([sweep(), sweep()]);
    await eventually('the Schedule is there again', async () => (await isThere(key)) !== null);
    await eventually('the platform has a task', async () => (await sentTasks(key)).filter(Boolean).length === 1);
    const handle = worker.client.workflow.getHandle(runRepeatWorkflowId(key));
    await handle.result();
    const described = await handle.describe();
    expect(described.searchAttributes).to.deep.include({ TenantId: [key.tenantId], BizStatus: ['SENT'] });
  });

  it('has no Schedule once it is paused', async () => {
    const key = await made();
    await sweep();
    expect(await isThere(key)).not.to.equal(null);
    await moveRepeat(database, author(), key.repeatId, { action: 'pause', now: new Date() });
    await sweep();
    expect(await isThere(key)).to.equal(null);
  });

  it('waits while its row is locked; RECORD_HISTORIES=on keeps these runs for test/replay', async () => {
    const key = await made();
    await makeDue(key, 60_000);
    const handle = worker.client.workflow.getHandle(runRepeatWorkflowId(key));
    await database.transaction(async (transaction) => {
      await rows(transaction, 'select 1 from campaign_repeat where repeat_id = :repeatId for update', { ...key });
      await worker.launcher.repeat(key);
      await eventually(
        'it has begun',
        async () => ((await handle.describe()).raw.pendingActivities ?? []).length === 1,
      );
      if (process.env['RECORD_HISTORIES'] !== 'on') return;
      const captured = await collectHistories(worker.client);
      const own = captured.filter(({ type }) => type === 'runRepeat');
      writeHistories(join(projectFolder, 'test/histories'), own);
    });
    expect(await handle.result()).to.deep.equal({ sends: 1, times: 10 });
  });
});
