import { expect } from 'chai';
import * as fc from 'fast-check';
import type { SubTask } from '#domain/api/campaign.ts';
import { campaignBody, contactId, insertContacts } from '#test/support/services/backend.ts';
import { rows } from '#db/database.ts';
import { useBackend } from '#test/support/fixtures/services.ts';
import { timesOf } from '#test/support/extent.ts';

const MOST = 3200;

describe('splitting a send', () => {
  const backend = useBackend();
  let token: string;
  before(async () => {
    await backend.install('t');
    await insertContacts(backend.db, 't', MOST);
    token = await backend.token('t');
  });

  const call = async (method: string, path: string, body?: unknown) => {
    const response = await backend.call(method, path, { token, ...(body === undefined ? {} : { body }) });
    expect(response.status, JSON.stringify(response.body)).to.be.lessThan(300);
    return response.body;
  };

  /**
   * Sends to these contacts, some named twice.
   * @returns sub-tasks as the API lists them, and the contacts in each.
   */
  async function send(contactIds: string[]) {
    const audience = { type: 'contacts' as const, contactIds };
    const { id } = await call('POST', '/campaigns', campaignBody({ audience }));
    await call('POST', `/campaigns/${id}:send`);
    const { items } = await call('GET', `/campaigns/${id}/tasks?limit=200`);
    const recipients = await rows<{ key: string; contactId: string; dispatchId: string }>(
      backend.db,
      `select t.key, r.contact_id, r.dispatch_id from dispatch_recipient r
       join broadcast_task t using (dispatch_id, chunk) where t.campaign_id = :id`,
      { id },
    );
    return { tasks: items as SubTask[], recipients };
  }

  const size = fc.oneof(
    fc.constantFrom(1, 2, 999, 1000, 1001, 1999, 2000, 2001, 3000, 3001),
    fc.integer({ min: 1, max: MOST }),
  );

  it('S0-AR2, S0-LM2, S0-LM3, S0-ERR2: puts every contact into exactly one sub-task of at most 1000, with the send as parent if there are several', async () => {
    const seed = Number(process.env['PROPERTY_SEED'] ?? Date.now() % 2_147_483_647);
    const given = fc.record({ count: size, first: fc.nat(), repeated: fc.nat({ max: 20 }) });
    await fc.assert(
      fc.asyncProperty(given, async ({ count, first, repeated }) => {
        const offset = first % (MOST - count + 1);
        const wanted = Array.from({ length: count }, (_, n) => contactId(offset + n + 1));
        const { tasks, recipients } = await send([...wanted.toReversed(), ...wanted.slice(0, repeated)]);
        expect(recipients.map((row) => row.contactId).toSorted()).to.deep.equal(wanted);
        expect(tasks).to.have.length(Math.ceil(count / 1000));
        const parents = new Set(recipients.map(({ dispatchId }) => dispatchId));
        expect([...parents]).to.have.length(1);
        for (const { key, contactCount, parentTaskId } of tasks) {
          expect(contactCount).to.be.within(1, 1000);
          expect(recipients.filter((row) => row.key === key)).to.have.length(contactCount);
          expect(parentTaskId).to.equal(tasks.length > 1 ? [...parents][0] : null);
        }
      }),
      { seed, numRuns: timesOf(10, 25) },
    );
    process.stderr.write(`      PROPERTY_SEED=${seed}\n`);
  });
});
