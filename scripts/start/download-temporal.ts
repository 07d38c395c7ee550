import { TestWorkflowEnvironment } from '@temporalio/testing';

/**
 * Downloads the development server through the SDK, by starting it once. A separate process, since the SDK's
 * runtime takes over signals.
 */
const [downloadDir, version] = process.argv.slice(2);
if (!downloadDir || !version) throw new Error('Usage: download-temporal <folder> <version>');

const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', version: `v${version}`, downloadDir } },
}).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message.split('\n')[0] : String(error));
  process.exit(1);
});
await environment.teardown();
