import { expect } from 'chai';
import type { Knex } from 'knex';
import { rows } from '#db/database.ts';
import type { CampaignStep } from '#domain/api/campaign-steps.ts';
import type { Campaign } from '#domain/api/campaign.ts';
import type { Step } from '#domain/api/steps.ts';
import { dispatchWorkflowId } from '#workflows/contracts/dispatch-campaign.ts';
import { stepsWakeSignal, stepsWorkflowId } from '#workflows/contracts/follow-steps.ts';
import { useStack } from '../support/fixtures/stack.ts';
import { inOrder } from '../support/in-order.ts';
import { sendCampaign } from '../support/outreach/campaigns.ts';
import { card } from '../support/outreach/variant-sends.ts';
import { installTenant, type TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

const PAUSE_LOCK = 770_044;
const titles = ['First', 'Second', 'Third', 'Fourth'];

/** Changes of rows before which the backend is made to wait: what its transaction did before is not committed. */
const places = {
  'its campaign is made': 'insert on campaign for each row',
  'it is decided about': `update on campaign_step for each row when (new.state = 'sent')`,
  'its sub-task is submitted': `update on broadcast_task for each row when (new.status = 'submitting')`,
};

const waitingForPause = `
  select pid from pg_locks where locktype = 'advisory' and not granted and objid = ${PAUSE_LOCK}
    and database = (select oid from pg_database where datname = current_database())`;
const waitingForCampaigns = `
  select pid, mode from pg_locks where relation = 'campaign'::regclass and not granted
    and database = (select oid from pg_database where datname = current_database())`;

const following = (title: string): Step => ({
  after: { amount: 1, unit: 'hours' },
  condition: { outcome: 'not_clicked' },
  messages: [card(title)],
});

describe('kill -9 of the backend while it sends what follows a campaign', function () {
  this.timeout(300_000);
  inOrder(this);
  const stack = useStack({ services: ['sandbox', 'backend', 'bff'] });
  let owner: Knex;
  let tenant: TestTenant;
  let id: string;

  before(async () => {
    tenant = await installTenant(stack, { tenantId: 'crash', serviceNumberId: 'sn-crash', contacts: 5 });
    owner = stack.database.connect('outreach', 'owner');
    await owner.raw(`create function pause() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(${PAUSE_LOCK}); return new; end $$`);
    const [first = '', ...others] = titles;
    const sent = await sendCampaign(tenant, { messages: [card(first)], steps: others.map(following) });
    ({ id } = sent.campaign);
  });
  const held: Knex.Transaction[] = [];
  const hold = async () => {
    const transaction = await owner.transaction();
    held.push(transaction);
    return transaction;
  };
  afterEach(async function () {
    // What a test that failed has locked would keep the suite from ending.
    for (const transaction of held.splice(0)) if (!transaction.isCompleted()) await transaction.rollback();
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  const stepAt = async (position: number) => {
    const { items } = await tenant.api.get<{ items: CampaignStep[] }>(`/campaigns/${id}/steps`);
    return items[position - 1];
  };

  /** Everything was submitted three hours earlier than it was, so that the next step is due. */
  async function makeDue(): Promise<void> {
    await owner.raw(`update broadcast_task set submitted_at = submitted_at - interval '3 hours',
      started_at = started_at - interval '3 hours' where status = 'completed'`);
    await stack.temporal.client.workflow.getHandle(stepsWorkflowId(id)).signal(stepsWakeSignal);
  }

  /** From now on the backend waits at the place; `release` lets it go on, and does not return before nobody waits there. */
  async function pauseAt(place: keyof typeof places): Promise<{ release(): Promise<void> }> {
    const holder = await hold();
    await holder.raw(`select pg_advisory_xact_lock(${PAUSE_LOCK})`);
    await owner.raw(`create trigger pause before ${places[place]} execute function pause()`);
    return {
      release: async () => {
        await holder.commit();
        const [, table] = / on (\w+)/.exec(places[place]) ?? [];
        await owner.raw(`drop trigger pause on ${table}`);
      },
    };
  }

  /** Kills the backend once `waiting` finds connections that wait; PostgreSQL, too, ends what they had begun. */
  async function killOnce(what: string, waiting: string): Promise<void> {
    await eventually(what, async () => (await rows(owner, waiting, {})).length > 0);
    await stack.kill('backend');
    await rows(owner, `select pg_terminate_backend(pid) from (${waiting}) as w`, {});
  }

  async function sentAndFinished(position: number): Promise<void> {
    await stack.restart('backend');
    await eventually(
      `step ${position} is sent and finished`,
      async () => {
        const step = await stepAt(position);
        return step?.state === 'sent' && step.campaignStatus === 'completed';
      },
      { timeoutMs: 60_000 },
    );
  }

  for (const place of ['its campaign is made', 'it is decided about'] as const)
    it(`before ${place}: nothing of the first step is left`, async () => {
      const pause = await pauseAt(place);
      await makeDue();
      await killOnce('it waits', waitingForPause);
      await pause.release();
      expect((await rows(owner, 'select state from campaign_step where position = 1', {}))[0]).to.deep.equal({
        state: 'waiting',
      });
      expect(await rows(owner, 'select campaign_id from campaign', {})).to.have.length(1);
      if (place === 'its campaign is made') await stack.restart('backend');
      else await sentAndFinished(1);
    });

  it('after the second is decided about, and before the workflow of its send is started', async () => {
    const pause = await pauseAt('it is decided about');
    await makeDue();
    await eventually('it waits', async () => (await rows(owner, waitingForPause, {})).length > 0);
    const locker = await hold();
    // Granted when the transaction that waits is committed; what starts the workflow then reads the campaign's name.
    const locked = Promise.resolve(locker.raw('lock table campaign in access exclusive mode'));
    await eventually('the lock is asked for', async () => (await rows(owner, waitingForCampaigns, {})).length > 0);
    await pause.release();
    await locked;
    await killOnce('the name is read', waitingForCampaigns);
    await locker.commit();
    const [decided] = await rows<{ state: string; campaignId: string; number: number }>(
      owner,
      `select state, d.campaign_id, d.number from campaign_step join dispatch d on d.campaign_id = step_campaign_id
       where position = 2`,
      {},
    );
    expect(decided?.state).to.equal('sent');
    const workflowId = dispatchWorkflowId(decided?.campaignId ?? '', decided?.number ?? 0);
    const handle = stack.temporal.client.workflow.getHandle(workflowId);
    expect(await handle.describe().catch((error: Error) => error.name)).to.equal('WorkflowNotFoundError');
    await sentAndFinished(2);
  });

  it('before the sub-task of the third is submitted', async () => {
    const pause = await pauseAt('its sub-task is submitted');
    await makeDue();
    await killOnce('it waits', waitingForPause);
    await pause.release();
    await sentAndFinished(3);
  });

  it('and each contact has each message once', async () => {
    interface Task {
      taskId: string;
      contactIds: string[];
      messages: { title: string }[];
    }
    const { items } = await tenant.sandbox.get<{ items: Task[] }>(`/sandbox/tasks?tenant=crash&limit=1000`);
    const tasks = await Promise.all(items.map(({ taskId }) => tenant.sandbox.get<Task>(`/sandbox/tasks/${taskId}`)));
    for (const contactId of tenant.contactIds) {
      const own = tasks.filter(({ contactIds }) => contactIds.includes(contactId));
      expect(own.flatMap(({ messages }) => messages.map(({ title }) => title))).to.have.members(titles);
      expect(own).to.have.length(titles.length);
    }
    const campaigns = await tenant.api.get<{ items: Campaign[] }>('/campaigns');
    expect(campaigns.items).to.have.length(titles.length);
  });
});
