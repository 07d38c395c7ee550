import { expect } from 'chai';
import * as fc from 'fast-check';
import { subTaskStatuses, type SubTaskStatus } from '../api/campaign.ts';
import {
  type CampaignFacts,
  deriveStatus,
  nextTaskStatus,
  openSubTaskStatuses,
  type PlatformTaskStatus,
  platformTaskStatuses,
} from './states.ts';

const facts = (subTasks: CampaignFacts['subTasks'], more: Partial<CampaignFacts> = {}): CampaignFacts => ({
  preparing: false,
  status: 'sending',
  pauseReason: null,
  cancelRequested: false,
  endedByUninstall: false,
  beforeStart: false,
  subTasks,
  ...more,
});

describe('campaign status', () => {
  const cases: [string, CampaignFacts, string][] = [
    ['sends while one is open', facts({ completed: 3, sending: 1 }), 'sending'],
    ['is sending while one is unknown', facts({ completed: 3, unknown: 1 }), 'sending'],
    ['is scheduled before its time', facts({ scheduled: 2, rejected: 1 }, { beforeStart: true }), 'scheduled'],
    ['is sending once its time has come', facts({ scheduled: 2 }), 'sending'],
    ['is completed if all are', facts({ completed: 3 }), 'completed'],
    ['is partially failed if some are', facts({ completed: 2, failed: 1 }), 'partially_failed'],
    ['is failed if none is completed', facts({ failed: 1, rejected: 2 }), 'failed'],
    [
      'is cancelled if that was requested',
      facts({ cancelled: 1, completed: 1 }, { cancelRequested: true }),
      'cancelled',
    ],
    [
      'is completed if a cancel kept nobody from being sent to',
      facts({ completed: 2 }, { cancelRequested: true }),
      'completed',
    ],
    [
      'is sending again if a sub-task of a cancelled campaign turns out to have been sent',
      facts({ cancelled: 1, sending: 1 }, { cancelRequested: true, status: 'cancelled' }),
      'sending',
    ],
    [
      'stays cancelled by an uninstallation, even if an operator had requested a cancellation',
      facts({ sending: 1 }, { status: 'cancelled', cancelRequested: true, endedByUninstall: true }),
      'cancelled',
    ],
    ['is paused while something is pending', facts({ pending: 1, sending: 4 }, { pauseReason: 'late' }), 'paused'],
    ['sends while contacts are being prepared', facts({ cancelled: 3 }, { preparing: true }), 'sending'],
    ['is paused while contacts are being prepared', facts({}, { preparing: true, pauseReason: 'late' }), 'paused'],
    ['is failed if nobody was left to send to', facts({}), 'failed'],
    ['ends a pause when nothing is left to hold back', facts({ sending: 4 }, { pauseReason: 'operator' }), 'sending'],
    ['stays closed', facts({ sending: 1 }, { status: 'closed' }), 'closed'],
    ['stays a draft', facts({}, { status: 'draft' }), 'draft'],
  ];
  for (const [name, given, status] of cases) {
    it(name, () => expect(deriveStatus(given).status).to.equal(status));
  }

  const anyFacts = fc.record({
    status: fc.constantFrom('sending', 'scheduled', 'paused', 'completed', 'failed', 'partially_failed'),
    pauseReason: fc.constantFrom('operator', 'unauthorized', 'late', null),
    cancelRequested: fc.boolean(),
    endedByUninstall: fc.boolean(),
    beforeStart: fc.boolean(),
    preparing: fc.boolean(),
    subTasks: fc.dictionary(fc.constantFrom(...subTaskStatuses), fc.integer({ min: 0, max: 3 })),
  }) as fc.Arbitrary<CampaignFacts>;

  const sum = (given: CampaignFacts, names: readonly SubTaskStatus[]) =>
    names.reduce((total, name) => total + (given.subTasks[name] ?? 0), 0);

  it('has ended exactly when every sub-task has', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const ended = ['completed', 'partially_failed', 'failed', 'cancelled'].includes(deriveStatus(given).status);
        expect(ended).to.equal(!given.preparing && sum(given, openSubTaskStatuses) === 0);
      }),
    );
  });

  it('keeps a reason exactly while paused, and derives the same status from its own result', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const derived = deriveStatus(given);
        expect(derived.pauseReason !== null).to.equal(derived.status === 'paused');
        expect(deriveStatus({ ...given, ...derived })).to.deep.equal(derived);
      }),
    );
  });
});

describe('task status', () => {
  const after = (reports: PlatformTaskStatus[]) =>
    reports.reduce<SubTaskStatus>(
      (status, report) => nextTaskStatus({ status, statusAssumed: false }, report),
      'unknown',
    );

  it('never goes back, and keeps its end', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...platformTaskStatuses), { minLength: 1 }), (reports) => {
        fc.pre(!reports.includes('failed'));
        const firstEnd = reports.find((status) => ['completed', 'cancelled'].includes(status));
        expect(after(reports)).to.equal(firstEnd ?? (reports.includes('sending') ? 'sending' : 'scheduled'));
      }),
    );
  });

  it('A6: is no longer failed once the platform sends the task after all', () => {
    expect(after(['failed', 'sending'])).to.equal('sending');
    expect(after(['failed', 'scheduled'])).to.equal('failed');
    expect(after(['sending', 'failed', 'sending', 'completed', 'failed'])).to.equal('completed');
  });

  it('A4: yields to any report if it was assumed', () => {
    for (const reported of platformTaskStatuses)
      for (const status of platformTaskStatuses)
        expect(nextTaskStatus({ status, statusAssumed: true }, reported)).to.equal(reported);
  });
});
