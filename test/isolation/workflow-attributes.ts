import type { Client } from '@temporalio/client';
import { expect } from 'chai';
import { searchAttributes } from '#temporal.config.ts';
import * as workflows from '#workflows/index.ts';
import { eventually } from '../support/time/eventually.ts';
import { currentDetails } from '../support/services/outreach-worker.ts';

type Type = keyof typeof workflows;

const lifecycle = ['TenantId', 'BizStatus'];
const campaign = ['TenantId', 'CampaignId', 'BizStatus'];
const order = ['TenantId', 'OrderId', 'BizStatus'];

/** What staff can filter each type by. Drains and sweeps work for all tenants at once. */
const expected: Record<Type, string[]> = {
  installTenant: lifecycle,
  registerSlots: lifecycle,
  rotateSecret: lifecycle,
  uninstallTenant: lifecycle,
  dispatchCampaign: campaign,
  pollTaskStatus: campaign,
  closeCampaign: campaign,
  updateEntrySources: campaign,
  testVariants: ['TenantId', 'CampaignId'],
  payOrder: order,
  refundCharge: order,
  reconcileCharges: lifecycle,
  reconcileShops: ['BizStatus'],
  checkLedger: ['BizStatus'],
  aiCopywriting: lifecycle,
  runRepeat: lifecycle,
  expireTemporaryTags: ['BizStatus'],
  scanNoResponse: ['BizStatus'],
  deleteOldPayloads: ['BizStatus'],
  applyRetention: ['BizStatus'],
  followSteps: ['TenantId', 'CampaignId'],
  driveAutomations: ['TenantId'],
  handleInbox: [],
  sweepOutreach: ['BizStatus'],
  sweepOrders: ['BizStatus'],
};

/**
 * Checks every workflow of the namespace: each type has run, and states its subject and the right tenant.
 * @param owners tenant of each campaign and order.
 */
export async function checkWorkflows(client: Client, owners: Map<string, string>): Promise<void> {
  const seen = await eventually(
    'a workflow of every type has run',
    async () => {
      const types = new Map<string, string[]>();
      for await (const { type, workflowId } of client.workflow.list())
        types.set(type, [...(types.get(type) ?? []), workflowId]);
      return Object.keys(expected).every((type) => types.has(type)) && types;
    },
    { timeoutMs: 60_000, intervalMs: 250 },
  );
  expect([...seen.keys()].toSorted()).to.deep.equal(Object.keys(workflows).toSorted());
  for (const [type, ids] of seen) {
    for (const workflowId of ids.slice(0, 4)) {
      // What a run sets itself is visible after its first step.
      await eventually(`${workflowId} says what it is about`, async () => {
        await checkWorkflow(client, type as Type, workflowId, owners);
        return true;
      });
    }
  }
}

async function checkWorkflow(
  client: Client,
  type: Type,
  workflowId: string,
  owners: Map<string, string>,
): Promise<void> {
  const described = await client.workflow.getHandle(workflowId).describe();
  const given = described.searchAttributes as Record<string, string[] | undefined>;
  const names = searchAttributes.filter((name) => given[name] !== undefined);
  expect(names.toSorted(), workflowId).to.deep.equal(expected[type].toSorted());
  const about = given['CampaignId']?.[0] ?? given['OrderId']?.[0];
  if (about !== undefined) expect(given['TenantId'], workflowId).to.deep.equal([owners.get(about)]);
  expect(await described.staticSummary(), workflowId)
    .to.be.a('string')
    .and.not.equal('');
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  const unnamed = events?.filter((event) => event.timerStartedEventAttributes && !event.userMetadata?.summary);
  expect(unnamed, `${workflowId}: timers say what they wait for`).to.deep.equal([]);
  expect(await currentDetails(client, workflowId), workflowId)
    .to.be.a('string')
    .and.not.equal('');
}
