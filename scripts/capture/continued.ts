import { join } from 'node:path';
import { launchTemporal } from '#test/support/servers/servers.ts';
import { startOrdersService } from '#test/orders/support/orders-service.ts';
import { startStack } from '#test/support/services/stack.ts';
import { projectFolder } from '../start/services.ts';
import { playContinuedOrders } from './continued-orders.ts';
import { playContinuedOutreach } from './continued-outreach.ts';
import { collectHistories, writeHistories } from './histories.ts';

/**
 * Records, for test/replay, runs that continue as new and what they continue as, of every workflow that can: on a
 * server of its own that suggests it after a few events, where others wait for thousands.
 */
process.env['TEST_TEMPORAL_ADDRESS'] = await launchTemporal(['limit.historyCount.suggestContinueAsNew=4']);
const stack = await startStack({ services: ['sandbox', 'backend', 'bff'] });
const orders = await startOrdersService();
try {
  await playContinuedOutreach(stack);
  await playContinuedOrders(orders);
  const captured = [...(await collectHistories(stack.temporal.client)), ...(await collectHistories(orders.client))];
  const wanted = captured.filter(({ state, continues }) => state === 'continued' || continues !== undefined);
  console.log(writeHistories(join(projectFolder, 'test/histories'), wanted));
} catch (error) {
  console.error(stack.logs(), error);
  throw error;
} finally {
  await stack.stop();
  await orders.stop();
}
process.exit(0);
