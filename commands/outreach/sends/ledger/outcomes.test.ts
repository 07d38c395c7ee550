import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { readCampaign, readTasks, seedSend, seedTenant, type TestSend } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { type Database, rows } from '#db/database.ts';
import { claimApproved } from '../approval/claim-approved.ts';
import { abandonSubmissions } from './abandon-submissions.ts';
import { claimSubTask } from '#db/outreach/sends/ledger/ledger.ts';
import {
  recordAccepted,
  recordPostponed,
  recordRejected,
  recordUnauthorized,
  recordUnknown,
  splitOffUnknownContacts,
} from './outcomes.ts';
import { type Submission } from '#db/outreach/sends/ledger/outcomes.ts';

describe('the outcome of a submission that another attempt has taken over', () => {
  const database = useDatabase('outreach');
  const now = new Date();
  const reason = { code: 'invalid_postback', message: 'no' };
  const accepted = (taskId: string) => ({
    taskId,
    estimatedRecipientCount: 2,
    status: 'sending' as const,
    nextPollAt: now,
    pollIntervalMs: 1000,
  });

  /** A sub-task of two contacts that `first` left behind, and that `second` is submitting now. */
  async function takenOver() {
    const { tenantId } = await seedTenant(database, testEncryption);
    const send = await seedSend(database, tenantId, { chunks: [2] });
    const range = { tenantId, dispatchId: send.dispatchId, from: 0, to: 0, now };
    const first = await claimApproved(database, claimSubTask, { ...range, owner: 'first' });
    expect(await abandonSubmissions(database, { ...range, before: now, repeatable: true })).to.equal(1);
    const second = await claimApproved(database, claimSubTask, { ...range, owner: 'second' });
    expect(second?.key).to.equal(first?.key);
    const by = (owner: string): Submission => ({ ...send, key: second?.key ?? '', owner, now });
    return { send, by };
  }

  const late: Record<string, (database: Database, submission: Submission) => Promise<unknown>> = {
    accepted: (on, submission) => recordAccepted(on, submission, accepted('late')),
    rejected: (on, submission) => recordRejected(on, submission, reason),
    unknown: (on, submission) => recordUnknown(on, submission, 'timed out'),
    postponed: (on, submission) => recordPostponed(on, submission, { ...reason, nextAttemptAt: now, failure: 'error' }),
    unauthorized: (on, submission) => recordUnauthorized(on, submission, 'no'),
    'split off': (on, submission) => splitOffUnknownContacts(on, submission, { ...reason, contactIds: ['c0-1'] }),
  };

  for (const [name, record] of Object.entries(late))
    it(`is not stored: ${name}`, async () => {
      const { send, by } = await takenOver();
      expect(await record(database, by('first'))).to.be.oneOf([false, null]);
      const tasks = await rows(
        database,
        'select status, submitting_by, task_id, error_code, contact_count from broadcast_task where campaign_id = :campaignId',
        { campaignId: send.campaignId },
      );
      expect(tasks).to.deep.equal([
        { status: 'submitting', submittingBy: 'second', taskId: null, errorCode: 'outcome_unknown', contactCount: 2 },
      ]);
      expect(await recordAccepted(database, by('second'), accepted('own'))).to.equal(true);
      expect((await readTasks(database, send))[0]).to.include({ status: 'sending', taskId: 'own' });
    });

  it('pauses no campaign either: unauthorized', async () => {
    const { send, by } = await takenOver();
    await recordUnauthorized(database, by('first'), 'no');
    expect(await readCampaign(database, send)).to.include({ status: 'sending', pauseReason: null });
  });
});

describe('the outcome of a submission', () => {
  const database = useDatabase('outreach');
  const now = new Date();
  const reason = { code: 'contact_not_found', message: 'no such contact' };

  async function submitting(): Promise<{ send: TestSend; submission: Submission }> {
    const { tenantId } = await seedTenant(database, testEncryption);
    const send = await seedSend(database, tenantId, { chunks: [2] });
    const range = { tenantId, dispatchId: send.dispatchId, from: 0, to: 99 };
    const claimed = await claimApproved(database, claimSubTask, { ...range, owner: 'me', now });
    return { send, submission: { ...send, key: claimed?.key ?? '', owner: 'me', now } };
  }
  const tasksOf = async (send: TestSend) =>
    (await readTasks(database, send)).map(({ status, contactCount }) => [status, contactCount]);

  it('that it was certainly not done makes it due again, or cancels it if its campaign is', async () => {
    for (const [cancelled, status] of [
      [false, 'pending'],
      [true, 'cancelled'],
    ] as const) {
      const { send, submission } = await submitting();
      await database('campaign').where({ campaign_id: send.campaignId }).update({ cancel_requested: cancelled });
      await recordPostponed(database, submission, { ...reason, nextAttemptAt: now, failure: 'error' });
      expect(await tasksOf(send)).to.deep.equal([[status, 2]]);
    }
  });

  it('that contacts are unknown leaves them in it, and moves the others to a new one', async () => {
    const { send, submission } = await submitting();
    const key = await splitOffUnknownContacts(database, submission, { ...reason, contactIds: ['c0-1', 'stranger'] });
    expect(key).to.be.a('string');
    expect(await tasksOf(send)).to.deep.equal([
      ['rejected', 1],
      ['pending', 1],
    ]);
  });

  it('that none or all of its contacts are unknown rejects the whole', async () => {
    for (const contactIds of [['stranger'], ['c0-1', 'c0-2']]) {
      const { send, submission } = await submitting();
      expect(await splitOffUnknownContacts(database, submission, { ...reason, contactIds })).to.equal(null);
      expect(await tasksOf(send)).to.deep.equal([['rejected', 2]]);
    }
  });
});
