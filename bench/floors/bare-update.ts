import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import Koa from 'koa';
import { z } from 'zod';
import { workerOptions } from '#temporal.config.ts';
import { answer, answerUpdate, type NoActivities } from './answer-workflow.ts';

/**
 * The baseline of a pay with cash: the least that a response from a durable workflow costs. One update-with-start per
 * request, one local and one normal activity that do nothing; no database, no gateway.
 */
const settings = z
  .object({ PORT: z.coerce.number(), TEMPORAL_ADDRESS: z.string(), TEMPORAL_NAMESPACE: z.string() })
  .parse(process.env);
const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } = settings;
const taskQueue = 'bare-update';

const activities: NoActivities = { nothing: () => Promise.resolve() };
const worker = await Worker.create({
  ...workerOptions,
  connection: await NativeConnection.connect({ address }),
  namespace,
  taskQueue,
  activities,
  workflowsPath: fileURLToPath(new URL('./answer-workflow.ts', import.meta.url)),
});
const client = new Client({ connection: await Connection.connect({ address }), namespace });

const app = new Koa();
app.use(async (ctx) => {
  if (ctx.method === 'POST') {
    const startWorkflowOperation = new WithStartWorkflowOperation(answer, {
      workflowId: randomUUID(),
      taskQueue,
      workflowIdConflictPolicy: 'FAIL',
    });
    await client.workflow.executeUpdateWithStart(answerUpdate, { startWorkflowOperation });
  }
  ctx.body = {};
});
app.listen(settings.PORT, '127.0.0.1');
await worker.run();
