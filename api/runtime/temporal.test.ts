import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { expect } from 'chai';
import { msToTs } from '@temporalio/common/lib/time';
import { SettingsError } from '#domain/settings/settings.ts';
import { parseTemporalSettings } from '#domain/settings/temporal.ts';
import { registerSearchAttributes } from '#scripts/start/temporal-server.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { sharedTemporal } from '#test/support/servers/servers.ts';
import { authorityFile, startTlsProxy } from '#test/support/servers/tls/proxy.ts';
import { openTemporal } from './temporal.ts';

describe('whether Temporal is ready', () => {
  it('reports in one line which search attributes its namespace lacks, until they exist', async () => {
    const address = await sharedTemporal();
    const namespace = `bare-${randomUUID()}`;
    const owner = await Connection.connect({ address });
    await owner.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs('1 day') });
    const temporal = openTemporal({ namespace, connection: { address } });
    const reason = () => temporal.ping().then(() => 'ready', String);
    const lacking = `Error: namespace ${namespace} lacks the search attributes TenantId, CampaignId, OrderId, BizStatus, as Keywords`;
    await eventually('the namespace is known', async () => (await reason()) === lacking);
    await registerSearchAttributes(owner, namespace);
    await eventually('they are known', async () => (await reason()) === 'ready');
    await temporal.connection.close();
    await owner.close();
  });
});

describe('TLS to Temporal', () => {
  it('trusts the authority that the settings name, and without them no unknown one', async () => {
    const proxy = await startTlsProxy(await sharedTemporal());
    const reason = async (tls: Record<string, string>): Promise<string> => {
      const settings = parseTemporalSettings({ TEMPORAL_ADDRESS: `localhost:${proxy.port}`, ...tls });
      const { connection } = openTemporal(settings);
      const soon = connection.withDeadline(Date.now() + 5000, () => connection.workflowService.getSystemInfo({}));
      const found = await soon.then(() => 'connected', String);
      await connection.close();
      return found;
    };
    expect(await reason({ TEMPORAL_TLS_CA: authorityFile })).to.equal('connected');
    // An API key alone asks for TLS by the machine's own authorities.
    expect(await reason({ TEMPORAL_API_KEY: 'a-key' })).to.not.equal('connected');
    expect(() =>
      openTemporal({ namespace: 'default', connection: { address: 'a:1', tls: { authoritiesFile: 'no.pem' } } }),
    ).to.throw(SettingsError, 'TEMPORAL_TLS_CA');
    proxy.stop();
  });
});
