import { expect } from 'chai';
import { testDeps, testEncryption } from '#test/support/services/outreach-flows.ts';
import { seedTenant } from '#test/support/outreach/rows.ts';
import { createPlatformTasks } from './platform-tasks.ts';
import { useTestDatabase } from '#test/support/fixtures/database.ts';
import { usePlatform } from '#test/support/fixtures/outreach.ts';

describe('submitting a broadcast while a caller waits', () => {
  const test = useTestDatabase();
  const platform = usePlatform();

  it('submits once, and the error says what is certain', async () => {
    const database = test.connect('outreach');
    const { tenantId } = await seedTenant(database, testEncryption);
    const deps = testDeps(database, platform.baseUrl);
    const tasks = createPlatformTasks(deps);
    const submit = (key: string, tenant = tenantId) =>
      tasks.submitBroadcast(tenant, 'sn-1', {
        key,
        broadcast: {
          name: 'Test',
          channels: ['default'],
          messages: [{ type: 'text', text: 'Hello' }],
          audience: { type: 'contacts', contactIds: ['c'] },
          schedule: { type: 'immediate' },
        },
      });
    const failed = async (key: string, tenant = tenantId) => {
      const submitted = await submit(key, tenant);
      if (submitted.taskId !== null) return submitted;
      const { code, message } = submitted.problem;
      return [code, message.includes('may have been sent')];
    };
    expect(await submit('test-1')).to.deep.equal({ taskId: 'task-test-1' });
    platform.behave(() => ({ status: 400, body: { code: 'contact_not_found', message: 'no such contact' } }));
    expect(await failed('test-2')).to.deep.equal(['invalid_content', false]);
    platform.behave(() => 'reset');
    expect(await failed('test-3')).to.deep.equal(['unavailable', true]);
    expect(await failed('test-4', 'nobody')).to.deep.equal(['unavailable', false]);
    expect(platform.of('A1').map(({ headers }) => headers['idempotency-key'])).to.deep.equal([
      'test-1',
      'test-2',
      'test-3',
    ]);
    await deps.close();
  });
});
