import { ScheduleOverlapPolicy } from '@temporalio/client';
import { expect } from 'chai';
import { eventually } from '#test/support/time/eventually.ts';
import { createNamespace, type TestNamespace } from '#test/support/servers/temporal.ts';
import { ensureSchedule, type ScheduleDefinition } from './schedules.ts';

describe('Schedules', () => {
  let temporal: TestNamespace;
  before(async () => {
    temporal = await createNamespace();
  });
  after(() => temporal?.close());

  const swept: ScheduleDefinition = {
    id: 'sweep',
    type: 'sweepOutreach',
    taskQueue: 'outreach',
    when: { every: '15 seconds' },
    catchupWindow: '1 minute',
    longest: '2 minutes',
    summary: 'Starts again what is missing',
  };
  const ensure = (more: Partial<ScheduleDefinition> = {}) => ensureSchedule(temporal.client, { ...swept, ...more });
  const describeSchedule = (id = swept.id) => temporal.client.schedule.getHandle(id).describe();
  /** When it was last changed; undefined before. */
  const changedAt = async () => (await describeSchedule()).info.lastUpdatedAt;

  it('are created once, even by several processes concurrently', async () => {
    const found = await Promise.all([1, 2, 3].map(() => ensure()));
    expect(found.filter((outcome) => outcome === 'created')).to.have.length(1);
    expect(found.filter((outcome) => outcome === 'updated')).to.have.length(0);
    expect(await changedAt()).to.equal(undefined);
  });

  it('start a run as soon as they are created and report it, and never again for that reason', async () => {
    // Not due by itself in the meantime, at any time of day.
    const sweeps: Partial<ScheduleDefinition> = { id: 'at-once', when: { every: '3650 days' }, startsAtOnce: true };
    const runs = async () => (await describeSchedule('at-once')).info.numActionsTaken;
    expect(await ensure(sweeps)).to.equal('created');
    await eventually('the first run is started', async () => (await runs()) === 1);
    // It blocks the next one as any other run does.
    await temporal.client.schedule.getHandle('at-once').trigger(ScheduleOverlapPolicy.SKIP);
    await eventually(
      'the next is skipped',
      async () => (await describeSchedule('at-once')).info.numActionsSkippedOverlap === 1,
    );
    expect(await ensure(sweeps)).to.equal('unchanged');
    expect(await ensure({ ...sweeps, summary: 'Another' })).to.equal('updated');
    expect(await runs()).to.equal(1);
  });

  it('are updated to another definition, each part of it, and only when it differs', async () => {
    const changes: Partial<ScheduleDefinition>[] = [
      { when: { every: '1 minute' } },
      { when: { hour: 0, minute: 5 } },
      { when: { hour: 4, minute: 5 } },
      { catchupWindow: '1 day' },
      { longest: '1 hour' },
      { args: [{ days: 90 }] },
      { type: 'scanNoResponse' },
      { summary: 'Something else' },
    ];
    for (const change of changes) {
      expect(await ensure(change), JSON.stringify(change)).to.equal('updated');
      expect(await ensure(change), JSON.stringify(change)).to.equal('unchanged');
    }
    const { spec, policies, action } = await describeSchedule();
    expect(spec.intervals?.map(({ every }) => every)).to.deep.equal([15_000]);
    expect(policies).to.deep.include({ overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: 60_000 });
    expect(action).to.include({ workflowType: 'sweepOutreach', staticSummary: 'Something else' });
    expect(action.args).to.deep.equal([]);
  });

  it('stay paused, whoever paused them, and revert manual changes to their definition', async () => {
    // The server applies what it has received only after it has responded, and an update that waits together with a
    // pause after the pause: sent right after one another, the pause is lost. So a schedule that nothing has updated.
    const kept: Partial<ScheduleDefinition> = { id: 'kept', when: { every: '3650 days' } };
    const handle = temporal.client.schedule.getHandle('kept');
    const intervals = async () => (await handle.describe()).spec.intervals?.map(({ every }) => every) ?? [];
    const defined = 3650 * 86_400_000;
    await ensure(kept);
    await handle.pause('maintenance');
    await eventually('it is paused', async () => (await handle.describe()).state.paused);
    expect(await ensure(kept)).to.equal('unchanged');
    await handle.update(({ spec: _spec, ...schedule }) => ({
      ...schedule,
      spec: { intervals: [{ every: '1 hour' }] },
    }));
    await eventually('the manual change is applied', async () => (await intervals()).includes(3_600_000));
    expect(await ensure(kept)).to.equal('updated');
    await eventually('it is reverted', async () => (await intervals()).includes(defined));
    expect((await handle.describe()).state).to.include({ paused: true, note: 'maintenance' });
  });
});
