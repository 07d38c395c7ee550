import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { registerSearchAttributes } from '../../scripts/start/temporal-server.ts';
import { eventually } from '../../test/support/time/eventually.ts';
import { sharedTemporal } from '../../test/support/servers/servers.ts';
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
