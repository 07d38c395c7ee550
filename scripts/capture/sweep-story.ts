import type { Client } from '@temporalio/client';
import { rows } from '../../db/database.ts';
import { eventually } from '../../test/support/time/eventually.ts';
import type { Stack } from '../../test/support/services/stack.ts';
import { taskQueues } from '../../temporal.config.ts';
import type { SweepRounds } from '../../workflows/contracts/sweep-rounds.ts';

/** Milliseconds to the end of the minute. */
const shortly: SweepRounds = { everyMs: 10_000, forMs: 0 };

const sweeps = [
  { type: 'sweepOutreach', taskQueue: taskQueues.outreach, schema: 'outreach', table: 'broadcast_task' },
  { type: 'sweepOrders', taskQueue: taskQueues.orders, schema: 'orders', table: 'payment_attempt' },
] as const;

async function isFailing(client: Client, workflowId: string): Promise<boolean> {
  const { searchAttributes } = await client.workflow.getHandle(workflowId).describe();
  return JSON.stringify(searchAttributes).includes('FAILING');
}

/** A single round, rounds to their end, rounds of which one fails, and rounds that are still running. */
export async function playSweeps({ temporal: { client }, database }: Stack): Promise<void> {
  const play = async ({ type, taskQueue, schema, table }: (typeof sweeps)[number]) => {
    const start = (story: string, ...args: [SweepRounds?]) =>
      client.workflow.start(type, { taskQueue, workflowId: `${type}-${story}`, args });
    await (await start('once')).result();
    await (await start('rounds', shortly)).result();
    const owner = database.connect(schema, 'owner');
    await rows(owner, `revoke select on ${table} from ${schema}`, {});
    const failing = await start('failing', shortly);
    await eventually('a round has failed', () => isFailing(client, failing.workflowId), { timeoutMs: 90_000 });
    await rows(owner, `grant select on ${table} to ${schema}`, {});
    await failing.result();
    await start('open', { everyMs: 10_000, forMs: 900_000 });
  };
  await Promise.all(sweeps.map(play));
}
