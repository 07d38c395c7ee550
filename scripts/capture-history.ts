import { join } from 'node:path';
import { eventually } from '../test/support/eventually.ts';
import { startStack } from '../test/support/stack.ts';
import { collectHistories, writeHistories } from './capture/histories.ts';
import { playOutreach } from './capture/outreach-story.ts';
import { projectFolder } from './start/services.ts';

/**
 * Records histories for test/replay from a real run of every service, with one of everything that can happen to a
 * campaign. To be repeated only where a workflow is changed on purpose in a way that no older run can follow.
 */
const stack = await startStack();
try {
  const release = await playOutreach(stack);
  const captured = await eventually(
    'every Schedule has run',
    async () => {
      const found = await collectHistories(stack.temporal.client);
      const closed = new Set(found.filter(({ open }) => !open).map(({ type }) => type));
      return closed.has('sweepOutreach') && closed.has('sweepOrders') && found;
    },
    { timeoutMs: 60_000, intervalMs: 1000 },
  );
  await release();
  console.log(writeHistories(join(projectFolder, 'test/histories'), captured));
} catch (error) {
  console.error(stack.logs());
  throw error;
} finally {
  await stack.stop();
}
process.exit(0);
