import { expect } from 'chai';
import { campaignPhaseMs, type CampaignWork, standingOf } from './standing.ts';

const now = new Date('2026-03-01T12:00:00Z');
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const sweep = { startedAt: ago(0.1), completedAt: ago(0.1) };

const quiet: CampaignWork = {
  status: 'sending',
  pauseReason: null,
  cancelRequested: false,
  changedAt: ago(100),
  approvalSince: null,
  choiceSince: null,
  editSince: null,
  preparedAt: null,
  unsubmittedSince: null,
  unsubmittedFailing: null,
  pacedUntil: null,
  settledAt: null,
  openTasks: 0,
  scheduledTasks: 0,
  openFailing: null,
  pollDueAt: null,
  reportedAt: null,
  begunAt: null,
  unknownSince: null,
  pausedUntil: null,
  startedElsewhere: false,
};
const standing = (work: Partial<CampaignWork>, runs = sweep) => {
  const found = standingOf({ ...quiet, ...work }, runs, now);
  return found && [found.phase, found.reason, found.since];
};

describe('why a campaign stands still', () => {
  it('asks nothing of one with nothing to do, or whose time has not come', () => {
    expect(standing({})).to.equal(null);
    expect(standing({ status: 'scheduled', openTasks: 3, scheduledTasks: 3, pollDueAt: ago(-600) })).to.equal(null);
  });

  it('names each phase once its time is over, and not a moment before', () => {
    const works: [keyof typeof campaignPhaseMs, (since: Date) => Partial<CampaignWork>, string][] = [
      ['approval', (since) => ({ status: 'draft', approvalSince: since }), 'approval'],
      ['paused', (since) => ({ status: 'paused', pauseReason: 'late', changedAt: since }), 'late'],
      ['choice', (since) => ({ choiceSince: since }), 'choice'],
      ['adoption', (since) => ({ unsubmittedSince: since, startedElsewhere: true }), 'adoption'],
      ['change', (since) => ({ editSince: since }), 'unexplained'],
      ['cancel', (since) => ({ cancelRequested: true, scheduledTasks: 1, changedAt: since }), 'unexplained'],
      ['prepare', (since) => ({ preparedAt: since }), 'unexplained'],
      ['submit', (since) => ({ unsubmittedSince: since }), 'unexplained'],
      ['poll', (since) => ({ openTasks: 1, pollDueAt: since, reportedAt: ago(1) }), 'unexplained'],
      ['platform', (since) => ({ openTasks: 1, reportedAt: since }), 'platform_unchanged'],
      ['unknown', (since) => ({ unknownSince: since }), 'outcome_unknown'],
    ];
    expect(works.map(([phase]) => phase)).to.deep.equal(Object.keys(campaignPhaseMs));
    for (const [phase, workSince, reason] of works) {
      const minutes = campaignPhaseMs[phase] / 60_000;
      // Beside it, everything else is long ago: it counts as well, where it is later.
      const early = { changedAt: ago(10_000) };
      expect(standing({ ...early, ...workSince(ago(minutes)) }), phase).to.equal(null);
      const since = ago(minutes + 0.01);
      expect(standing({ ...early, ...workSince(since) }), phase).to.deep.equal([phase, reason, since]);
    }
  });

  it('counts what was settled, reported or commanded last as progress', () => {
    const submitting = { unsubmittedSince: ago(60) };
    expect(standing({ ...submitting, settledAt: ago(1) })).to.equal(null);
    expect(standing({ ...submitting, settledAt: ago(3) })).to.deep.equal(['submit', 'unexplained', ago(3)]);
    expect(standing({ ...submitting, changedAt: ago(1) })).to.equal(null);
    expect(standing({ openTasks: 1, reportedAt: ago(100), begunAt: ago(29) })).to.equal(null);
  });

  it('expects nothing to be submitted of one that is paused, cancelled or being changed', () => {
    const submitting = { unsubmittedSince: ago(60), preparedAt: ago(60) };
    expect(standing({ ...submitting, status: 'paused', pauseReason: 'operator' })).to.equal(null);
    expect(standing({ ...submitting, cancelRequested: true })).to.equal(null);
    expect(standing({ ...submitting, editSince: ago(1) })).to.equal(null);
  });

  it('says what is known of the platform: its pause first, then how calls fail', () => {
    const failing = { since: ago(5), with: 'no_response' as const };
    const work = { unsubmittedSince: ago(60), unsubmittedFailing: failing };
    const found = standingOf({ ...quiet, ...work }, sweep, now);
    expect(found).to.include({ reason: 'platform_no_response', until: null });
    expect(found?.reasonSince).to.deep.equal(failing.since);
    const paused = standingOf({ ...quiet, ...work, pausedUntil: ago(-10) }, sweep, now);
    expect(paused).to.deep.include({ reason: 'platform_pause', until: ago(-10), reasonSince: null });
    expect(standing({ ...work, pausedUntil: ago(1) })?.[1]).to.equal('platform_no_response');
    const polling = { openTasks: 2, pollDueAt: ago(-1), openFailing: { ...failing, with: 'unauthorized' as const } };
    expect(standing(polling)).to.deep.equal(['poll', 'platform_unauthorized', ago(5)]);
  });

  it('blames the worker before the platform, of which nothing new is known then', () => {
    const work = { unsubmittedSince: ago(60), unsubmittedFailing: { since: ago(50), with: 'error' as const } };
    const away = { startedAt: ago(3), completedAt: ago(3) };
    expect(standing(work, away)?.[1]).to.equal('worker_away');
    expect(standingOf({ ...quiet, ...work }, away, now)?.reasonSince).to.deep.equal(ago(3));
    expect(standing(work, { startedAt: ago(0.1), completedAt: ago(3) })?.[1]).to.equal('engine_away');
    expect(standing(work, { startedAt: ago(1.9), completedAt: ago(1.9) })?.[1]).to.equal('platform_error');
  });
});
