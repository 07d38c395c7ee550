import { expect } from 'chai';
import { readTasks } from '../../../test/support/outreach/rows.ts';
import { openSendingSite } from '../../../test/support/services/sending-site.ts';
import { useDatabase } from '../../../test/support/fixtures/database.ts';

describe('the statements of a send', () => {
  const database = useDatabase('outreach');

  it('are at most five for each sub-task: a token, the claim with the contacts, the begin and the end of the call, the outcome', async () => {
    const site = await openSendingSite(database);
    try {
      const cost = async (subTasks: number) => {
        const send = await site.seedSend({ chunks: Array.from({ length: subTasks }, () => 20) });
        const counted = { statements: 0, rows: 0 };
        const asked = () => void (counted.statements += 1);
        const answered = (response: { rows?: unknown[] }) => void (counted.rows += response.rows?.length ?? 0);
        database.on('query', asked).on('query-response', answered);
        await site.submit(send);
        database.off('query', asked).off('query-response', answered);
        const states = (await readTasks(database, send)).map(({ status }) => status);
        expect(states).to.deep.equal(states.map(() => 'sending'));
        return counted;
      };
      const [few, many] = [await cost(20), await cost(100)];
      // Several tokens come at once if several calls wait for them.
      expect(many.statements - few.statements).to.be.within(4 * 80, 5 * 80);
      // One for each of them, and none for a contact.
      expect(many.rows - few.rows).to.be.at.most(5 * 80);
    } finally {
      await site.close();
    }
  });
});
