import { expect } from 'chai';
import { searchAttributes } from '../../../temporal.config.ts';
import { createNamespace, createTimeSkipping } from './temporal.ts';

describe('Temporal for tests', () => {
  it('returns a namespace of its own with our search attributes', async () => {
    const test = await createNamespace();
    const { customAttributes } = await test.connection.operatorService.listSearchAttributes({
      namespace: test.namespace,
    });
    expect(customAttributes).to.include.all.keys(...searchAttributes);
    await test.client.workflow.start('nobodyRunsThis', { taskQueue: 'none', workflowId: 'one' });
    await test.client.workflow.getHandle('one').terminate();
    await test.close();
  });

  it('returns a server that skips time', async () => {
    const environment = await createTimeSkipping();
    const start = await environment.currentTimeMs();
    await environment.sleep('30 days');
    expect((await environment.currentTimeMs()) - start).to.be.at.least(30 * 24 * 3_600_000);
    await environment.teardown();
  });
});
