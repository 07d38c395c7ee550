import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { startStack } from '../support/services/stack.ts';
import { temporaryFolder } from '../support/servers/servers.ts';

/** Every file of ours that the processes of a stack have loaded, by what V8 reports of their coverage. */
function loadedFiles(folder: string): Set<string> {
  const reports = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage);
  const urls = reports.flatMap(({ result }) => result.map(({ url }) => url));
  return new Set(urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url)));
}

interface Coverage {
  result: { url: string }[];
}

/** The services' files that hold modules of OpenTelemetry, among those that were loaded while they ran. */
async function loadedOfOpenTelemetry(env: Record<string, string>): Promise<string[]> {
  const folder = temporaryFolder();
  const services = ['backend', 'orders', 'bff'] as const;
  const stack = await startStack({ services, env: { ...env, NODE_V8_COVERAGE: folder } });
  try {
    for (const service of services) await stack.kill(service, 'SIGTERM');
  } finally {
    await stack.stop();
  }
  const loaded = loadedFiles(folder);
  for (const service of services) expect([...loaded].some((file) => file.endsWith(`${service}.mjs`))).to.equal(true);
  return [...loaded].filter((file) => readFileSync(file, 'utf8').includes('OTEL_BSP_SCHEDULE_DELAY'));
}

describe('without traces', function () {
  this.timeout(120_000);

  it('no module of OpenTelemetry is loaded, and with them those in files of their own', async () => {
    expect(await loadedOfOpenTelemetry({})).to.deep.equal([]);
    const nobody = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
    const names = new Set(
      (await loadedOfOpenTelemetry(nobody)).map((file) => basename(file).replace(/-\w+\.mjs$/, '.mjs')),
    );
    expect(names).to.deep.equal(new Set(['open-telemetry.mjs', 'traced-workflow-bundle.js']));
  });
});
