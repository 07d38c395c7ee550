import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { readTasks, type TestSend } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { openSendingSite, type SendingSite } from '#test/support/services/sending-site.ts';
import { firstRow, rows } from '#db/database.ts';
import { erase } from '#commands/outreach/erasure/erase.ts';
import { beginErasure } from '#commands/outreach/erasure/begin-erasure.ts';
import { readProgress } from '#db/outreach/sends/progress.ts';
import { retryFailed } from '#commands/outreach/sends/retry-failed.ts';
import { withoutResponse } from '#db/outreach/rules/no-response.ts';

describe('a send that has frozen somebody who is erased', () => {
  const database = useDatabase('outreach');
  let site: SendingSite;
  beforeEach(async () => {
    site = await openSendingSite(database);
  });
  afterEach(() => site.close());

  const now = () => new Date();
  async function eraseContact({ tenantId }: TestSend, contactId: string): Promise<void> {
    const author = { tenantId, userId: 'admin', requestId: null };
    await erase(
      database,
      testEncryption,
      await beginErasure(database, testEncryption, author, { contactId, reason: 'x', now: now() }),
      now,
    );
  }
  const named = () =>
    site.platform.of('A1').flatMap(({ body }) => (body['audience'] as { contactIds: string[] }).contactIds);

  it('A14: leaves the contact out of what is submitted, and keeps every count', async () => {
    const send = await site.seedSend({ chunks: [2, 1] });
    await eraseContact(send, 'c0-1');
    await eraseContact(send, 'c1-1');
    expect(await site.submit(send)).to.deep.equal({ waitUntil: null });
    expect(named()).to.deep.equal(['c0-2']);
    const tasks = await readTasks(database, send);
    expect(tasks.map(({ status, errorCode, contactCount }) => [status, errorCode, contactCount])).to.deep.equal([
      ['sending', null, 2],
      ['rejected', 'contacts_erased', 1],
    ]);
    const progress = await readProgress(database, send, new Date());
    expect(progress).to.deep.include({ audienceCount: 3, preparing: { contacts: 0 } });
    expect(Object.values(progress?.subTasks ?? {}).reduce((sum, { contacts }) => sum + contacts, 0)).to.equal(3);
  });

  it('A14: is not retried for erased contacts, nor for what is left of a retried sub-task', async () => {
    const send = await site.seedSend({ chunks: [1, 2] });
    await rows(
      database,
      `update broadcast_task set status = 'rejected', error_code = 'invalid_request', finished_at = now()
       where campaign_id = :campaignId and chunk = 1`,
      { campaignId: send.campaignId },
    );
    await eraseContact(send, 'c0-1');
    await eraseContact(send, 'c1-2');
    await site.submit(send);
    const author = { tenantId: send.tenantId, userId: 'u1', requestId: null };
    const request = { idempotencyKey: null, asked: [], now: now() };
    const { dispatch } = await retryFailed(database, author, send.campaignId, request);
    expect(dispatch).to.not.equal(null);
    await site.submit({ ...send, dispatchId: dispatch?.dispatchId ?? '' });
    expect(named()).to.deep.equal(['c1-1']);
    const again = await retryFailed(database, author, send.campaignId, request).catch((error: unknown) => error);
    expect(again).to.include({ code: 'invalid_state' });
    const progress = await readProgress(database, send, new Date());
    expect(progress?.audienceCount).to.equal(3);
    expect(Object.values(progress?.subTasks ?? {}).reduce((sum, { contacts }) => sum + contacts, 0)).to.equal(3);
  });

  it('A14: takes nobody erased for somebody who did not respond', async () => {
    const send = await site.seedSend({ chunks: [3] });
    await eraseContact(send, 'c0-2');
    const inTime = { tenantId: ':tenantId', campaignId: ':campaignId', cutOff: ':now::timestamptz' };
    const found = await firstRow<{ contacts: string[] }>(
      database,
      `select array_agg(p.contact_id order by p.contact_id) as contacts from dispatch_recipient p
       where p.dispatch_id = :dispatchId and ${withoutResponse(inTime)}`,
      { ...send, now: now() },
    );
    expect(found?.contacts).to.deep.equal(['c0-1', 'c0-3']);
  });
});
