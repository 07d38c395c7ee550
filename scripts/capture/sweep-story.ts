import { rows } from '#db/database.ts';
import { eventually } from '#test/support/time/eventually.ts';
import type { Stack } from '#test/support/services/stack.ts';
import { taskQueues } from '#temporal.config.ts';

const sweeps = [
  { type: 'sweepOutreach', taskQueue: taskQueues.outreach, schema: 'outreach', table: 'broadcast_task' },
  { type: 'sweepOrders', taskQueue: taskQueues.orders, schema: 'orders', table: 'payment_attempt' },
] as const;

/** A sweep of each service, and one that cannot read its rows until what is returned is called. */
export async function playSweeps({ temporal: { client }, database }: Stack): Promise<() => Promise<void>> {
  const play = async ({ type, taskQueue, schema, table }: (typeof sweeps)[number]) => {
    const start = (story: string) =>
      client.workflow.start(type, { taskQueue, workflowId: `${type}-${story}`, args: [] });
    await (await start('once')).result();
    const owner = database.connect(schema, 'owner');
    await rows(owner, `revoke select on ${table} from ${schema}`, {});
    const open = await start('open');
    await eventually('it tries again', async () => {
      const { raw } = await open.describe();
      return (raw.pendingActivities ?? []).some(({ attempt }) => Number(attempt) > 1);
    });
    return () => rows(owner, `grant select on ${table} to ${schema}`, {});
  };
  const releases = await Promise.all(sweeps.map(play));
  return async () => void (await Promise.all(releases.map((release) => release())));
}
