import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { readCampaign, readTasks } from '#test/support/outreach/rows.ts';
import { openSendingSite } from '#test/support/services/sending-site.ts';

describe('a send that becomes late while it is submitted', () => {
  const database = useDatabase('outreach');

  it('waits as late with what was not submitted within the grace period', async () => {
    const clock = { skew: 0 };
    const slow = await openSendingSite(database, { now: () => new Date(Date.now() + clock.skew) });
    try {
      const send = await slow.seedSend({
        chunks: Array.from({ length: 30 }, () => 1),
        at: new Date(Date.now() - 60_000),
      });
      slow.platform.behave(() => {
        clock.skew = 3_700_000;
        return null;
      });
      expect(await slow.submit(send)).to.deep.equal({ waitUntil: null });
      const statuses = (await readTasks(database, send)).map(({ status }) => status);
      const calls = slow.platform.of('A1').length;
      expect(calls, 'those under way at once').to.be.within(1, 8);
      expect(statuses.filter((status) => status === 'sending')).to.have.length(calls);
      expect(statuses.filter((status) => status === 'pending')).to.have.length(30 - calls);
      expect(await readCampaign(database, send)).to.include({ status: 'paused', pauseReason: 'late' });
    } finally {
      await slow.close();
    }
  });
});
