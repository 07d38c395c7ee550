import { expect } from 'chai';
import { readTasks } from '#test/support/outreach/rows.ts';
import { openSendingSite } from '#test/support/services/sending-site.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';

/** So many that a further statement for each is more than what the send takes once. */
const SUB_TASKS = 100;

describe('the statements of a send', () => {
  const database = useDatabase('outreach');

  it('are at most five for each sub-task: a token, the claim with the contacts, the begin and the end of the call, the outcome', async () => {
    const site = await openSendingSite(database);
    try {
      const send = await site.seedSend({ chunks: Array.from({ length: SUB_TASKS }, () => 20) });
      const counted = { statements: 0, rows: 0 };
      const asked = () => void (counted.statements += 1);
      const answered = (response: { rows?: unknown[] }) => void (counted.rows += response.rows?.length ?? 0);
      database.on('query', asked).on('query-response', answered);
      await site.submit(send);
      database.off('query', asked).off('query-response', answered);
      const states = (await readTasks(database, send)).map(({ status }) => status);
      expect(states).to.deep.equal(states.map(() => 'sending'));
      // Several tokens come at once if several calls wait for them, and the send itself takes a few statements.
      expect(counted.statements).to.be.within(4 * SUB_TASKS, 5 * SUB_TASKS + SUB_TASKS / 2);
      // One for each of them, and none for a contact.
      expect(counted.rows).to.be.at.most(5 * SUB_TASKS);
    } finally {
      await site.close();
    }
  });
});
