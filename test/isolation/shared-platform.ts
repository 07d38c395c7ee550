import type { PlatformCall, RecordingPlatform } from '../support/doubles/recording-platform.ts';

const integrationOf = ({ headers }: PlatformCall): string =>
  /^PLATFORM ([^:]+):/.exec(headers.authorization ?? '')?.[1] ?? '';

/**
 * Makes the platform number its tasks and entry sources per integration, so that two tenants have the same ids. A
 * task is polled a few times before it is completed.
 */
export function numberPerIntegration(platform: RecordingPlatform): void {
  const tasks = new Map<string, { contacts: number; asked: number }>();
  const counts = new Map<string, number>();
  const next = (kind: string, call: PlatformCall): string => {
    const name = `${kind}:${integrationOf(call)}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return `${kind}-${counts.get(name)}`;
  };
  platform.behave((call) => {
    if (call.route === 'A1') {
      const taskId = next('task', call);
      const { contactIds } = call.body['audience'] as { contactIds: string[] };
      tasks.set(`${integrationOf(call)} ${taskId}`, { contacts: contactIds.length, asked: 0 });
      return { status: 201, body: { taskId, estimatedRecipientCount: contactIds.length } };
    }
    if (call.route === 'F1') return { status: 201, body: { sourceId: next('source', call) } };
    if (call.route !== 'A2') return null;
    const taskId = call.path.split('/').at(-1) ?? '';
    const task = tasks.get(`${integrationOf(call)} ${taskId}`);
    if (!task) return { status: 404, body: { code: 'task_not_found', message: 'no such task' } };
    task.asked += 1;
    const sent = task.contacts;
    const status = task.asked < 3 ? 'sending' : 'completed';
    const summary = {
      sent: status === 'completed' ? sent : 0,
      delivered: status === 'completed' ? sent : 0,
      failed: 0,
      read: 0,
    };
    const at = new Date().toISOString();
    return {
      status: 200,
      body: {
        taskId,
        status,
        recipientCount: sent,
        summary,
        startedAt: at,
        finishedAt: status === 'completed' ? at : null,
      },
    };
  });
}
