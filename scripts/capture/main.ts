import { join } from 'node:path';
import { startStack } from '#test/support/services/stack.ts';
import { startTestCompletions } from '#test/support/doubles/chat-completions.ts';
import { collectHistories, writeHistories } from './histories.ts';
import { playOutreach } from './outreach-story.ts';
import { playSweeps } from './sweep-story.ts';
import { projectFolder } from '../start/services.ts';

/**
 * Records histories for test/replay from a real run of every service, with one of everything that can happen to a
 * campaign: each path that no recording has taken yet, of the workflow types that are passed as arguments, or of all.
 */
const types = new Set(process.argv.slice(2));
const provider = await startTestCompletions();
const env = { TOOL_API_ENABLED: 'true', AI_BASE_URL: provider.baseUrl, AI_MODEL: 'recorded' };
const stack = await startStack({ env });
try {
  const release = await playOutreach(stack, provider);
  const releaseSweeps = await playSweeps(stack);
  const captured = await collectHistories(stack.temporal.client);
  await Promise.all([release(), releaseSweeps()]);
  const wanted = captured.filter(({ type }) => types.size === 0 || types.has(type));
  console.log(writeHistories(join(projectFolder, 'test/histories'), wanted));
} catch (error) {
  console.error(stack.logs(), error);
  throw error;
} finally {
  await provider.close();
  await stack.stop();
}
process.exit(0);
