import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { firstRow, rows } from '#db/database.ts';
import { replayEvent } from '#commands/outreach/inbox/replay-event.ts';
import { storeEvents } from '#db/outreach/inbox/intake.ts';
import { findDueSubTasks } from '#db/outreach/rules/no-response.ts';
import { tagUnresponsive } from '#commands/outreach/rules/tag-unresponsive.ts';
import { updateRule } from '#commands/outreach/rules/update-rule.ts';
import { assignTag } from '#commands/outreach/tags/assign-tag.ts';
import { unassignTag } from '#commands/outreach/tags/unassign-tag.ts';
import { archiveTag } from '#commands/outreach/tags/archive-tag.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { seedSend, seedTenant, type TestSend, type TestTenant } from '#test/support/outreach/rows.ts';
import { readRule, readTag, seedRule, seedTag, taggedContacts } from '#test/support/outreach/rules.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { handleBatch } from '../inbox/batch.ts';
import { eventHandlers } from '../inbox/handlers/index.ts';

const dayMs = 86_400_000;

describe('tags that an operator took back', () => {
  const database = useDatabase('outreach');
  let tenant: TestTenant;
  let tagId: string;
  beforeEach(async () => {
    await rows(database, `update tenant_integration set status = 'UNINSTALLED'`, {});
    tenant = await seedTenant(database, testEncryption);
    tagId = await seedTag(database, tenant.tenantId);
  });

  const author = () => ({ tenantId: tenant.tenantId, userId: 'u1', requestId: null });
  const tagged = () => taggedContacts(database, tagId);
  const takeBack = (contactIds: string[], at = new Date()) => unassignTag(database, author(), tagId, contactIds, at);

  /** A send whose sub-tasks ended `daysAgo`. */
  async function sent(daysAgo: number, chunks = [3]): Promise<TestSend> {
    const send = await seedSend(database, tenant.tenantId, { chunks });
    await rows(
      database,
      `update broadcast_task set status = 'completed', finished_at = :at, task_id = 'task-' || key
       where campaign_id = :campaignId`,
      { campaignId: send.campaignId, at: new Date(Date.now() - daysAgo * dayMs) },
    );
    return send;
  }

  describe('after an event', () => {
    let send: TestSend;
    let ruleId: string;
    beforeEach(async () => {
      send = await sent(1);
      ruleId = await seedRule(database, tenant.tenantId, { targetTagId: tagId });
    });

    const handle = async () => {
      while ((await handleBatch(database, 0, eventHandlers, new Date())).taken > 0);
    };
    async function click(noticeId: string, contactId = 'c0-1', eventId: string = randomUUID()): Promise<string> {
      const at = new Date().toISOString();
      const taskId = `task-${send.keys[0]}`;
      const action = { type: 'Url', url: 'https://shop.example/more' };
      const payload = JSON.stringify({ taskId, noticeId, actionIndex: 1, action, contactId, clickedAt: at });
      const { tenantIntegrationId } = tenant;
      const event = { tenantIntegrationId, eventId, occurredAt: at, serviceNumberId: 'sn-1', payload };
      await storeEvents(database, [{ ...event, eventType: 'notice.clicked' }], 1, new Date());
      await handle();
      return eventId;
    }

    it('A9: neither a repeat nor a replay of the event gives the tag again; a new click does', async () => {
      const eventId = await click('n1');
      await click('n1', 'c0-2');
      expect(await tagged()).to.deep.equal(['c0-1', 'c0-2']);
      await takeBack(['c0-1']);
      await click('n1', 'c0-1', eventId);
      await click('n1');
      await rows(database, `update event_inbox set status = 'failed' where event_id = :eventId`, { eventId });
      await replayEvent(database, author(), eventId);
      await handle();
      expect(await tagged()).to.deep.equal(['c0-2']);
      expect((await readTag(database, tagId))?.contactCount).to.equal(1);
      expect((await readRule(database, tenant.tenantId, ruleId)).hitCount).to.equal(2);
      await click('n2');
      expect(await tagged()).to.deep.equal(['c0-1', 'c0-2']);
    });

    it('A9: another rule still gives it, also where both apply to the same event', async () => {
      await click('n1');
      const { status } = (await readTag(database, tagId)) ?? {};
      expect(status).to.equal('active');
      await takeBack(['c0-1']);
      const other = await seedRule(database, tenant.tenantId, { targetTagId: tagId });
      await click('n1');
      expect(await tagged()).to.deep.equal(['c0-1']);
      const given = await firstRow(
        database,
        'select source_rule_id as rule_id from tag_assignment where tag_id = :tagId',
        { tagId },
      );
      expect(given).to.deep.equal({ ruleId: other });
    });

    it('A9: an operator may give it again, and take it back again', async () => {
      await click('n1');
      await takeBack(['c0-1']);
      await rows(
        database,
        `insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, last_event_at)
         values (:tenantId, 'sn-1', 'c0-1', 'following', now())`,
        { tenantId: tenant.tenantId },
      );
      await assignTag(database, author(), tagId, ['c0-1'], new Date());
      await takeBack(['c0-1']);
      await click('n1');
      expect(await tagged()).to.deep.equal([]);
    });

    it('A9: many at once are remembered in one statement, and forgotten once the tag is archived', async () => {
      for (const contactId of ['c0-1', 'c0-2', 'c0-3']) await click('n1', contactId);
      await takeBack(['c0-1', 'c0-2', 'c0-3']);
      const remembered = () => rows(database, 'select 1 from removed_assignment where tag_id = :tagId', { tagId });
      expect(await remembered()).to.have.length(3);
      await archiveTag(database, author(), tagId, { now: new Date() });
      expect(await remembered()).to.deep.equal([]);
    });
  });

  describe('after silence', () => {
    const rule = () =>
      seedRule(database, tenant.tenantId, { triggerEvent: 'no_response_for_N_days', days: 2, targetTagId: tagId });
    const change = (ruleId: string, patch: object) =>
      updateRule(database, author(), ruleId, { patch, now: new Date() });
    /** How many sub-tasks a scan looked at. */
    async function scan(now = new Date()): Promise<number> {
      const due = await findDueSubTasks(database, { now, limit: 50 });
      for (const subTask of due) await tagUnresponsive(database, subTask, now);
      return due.length;
    }

    it('A9, finding 11: a new name keeps the version and rescans nothing', async () => {
      await sent(10);
      await sent(80);
      const ruleId = await rule();
      expect(await scan()).to.equal(2);
      expect(await change(ruleId, { name: 'Renamed' })).to.include({ name: 'Renamed', version: 1 });
      expect(await scan()).to.equal(0);
      const versions = await rows(
        database,
        'select version, name from smart_tag_rule_version where rule_id = :ruleId',
        {
          ruleId,
        },
      );
      expect(versions).to.deep.equal([{ version: 1, name: 'Renamed' }]);
    });

    it('A9, finding 11: a rescan with a new definition does not give back what an operator took back', async () => {
      await sent(10);
      const ruleId = await rule();
      await scan();
      await takeBack(['c0-2']);
      await sent(20);
      expect(await change(ruleId, { days: 3 })).to.include({ version: 2 });
      expect(await scan()).to.equal(2);
      expect(await tagged()).to.deep.equal(['c0-1', 'c0-3']);
      // The silence after a later campaign is a new cause.
      const now = new Date(Date.now() + 5 * dayMs);
      await sent(0);
      await scan(now);
      expect(await tagged()).to.deep.equal(['c0-1', 'c0-2', 'c0-3']);
    });
  });
});
