import { randomBytes } from 'node:crypto';
import { Client, WorkflowFailedError } from '@temporalio/client';
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { expect } from 'chai';
import { createPayloadCodec } from '#api/runtime/payload-codec.ts';
import { converting } from '#api/runtime/temporal.ts';
import type { KeyRing } from '#domain/keys/key-ring.ts';
import { sealedWorkflowBundle, workflowBundle } from '#scripts/build/targets.ts';
import { taskQueues, workerOptions } from '#temporal.config.ts';
import { productionBundle } from '../support/services/outreach-worker.ts';
import { fixture } from '../support/fixtures/fixture.ts';
import { createNamespace } from '../support/servers/temporal.ts';

const TEXT = 'told-by-a-failure-4711';
const ring: KeyRing = [{ id: 'p1', key: randomBytes(32).toString('base64') }];

/** Bytes as text, so that what is in clear can be found. */
const inClear = (history: unknown): string =>
  JSON.stringify(history, (_key, value: unknown) => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString();
    return typeof value === 'bigint' ? String(value) : value;
  });

describe('texts of failures at Temporal', function () {
  this.timeout(120_000);
  const namespace = fixture(async () => {
    const value = await createNamespace();
    return { value, close: value.close };
  });

  /** A run of production's code, of which an activity fails, and with it the workflow. @returns both, and what the server has of them. */
  async function failing(payloadKeys: KeyRing | undefined, workflowId: string) {
    const { connection, nativeConnection, namespace: name } = namespace;
    const worker = await Worker.create({
      ...workerOptions,
      ...converting({ payloadKeys }),
      connection: nativeConnection,
      namespace: name,
      taskQueue: taskQueues.outreach,
      workflowBundle: await productionBundle(payloadKeys ? sealedWorkflowBundle : workflowBundle),
      activities: {
        expireTagsBatch: () => Promise.reject(ApplicationFailure.nonRetryable(TEXT, 'Told', { details: TEXT })),
      },
    });
    const client = new Client({ connection, namespace: name, ...converting({ payloadKeys }) });
    const failure: unknown = await worker.runUntil(
      client.workflow
        .execute('expireTemporaryTags', { workflowId, taskQueue: taskQueues.outreach, args: [] })
        .catch((error: unknown) => error),
    );
    const history = await client.workflow.getHandle(workflowId).fetchHistory();
    return { failure, history, events: history.events ?? [] };
  }

  it('are sealed with the payloads, of activities and of workflows, and read by whoever has the keys', async () => {
    const { failure, events } = await failing(ring, 'sealed');
    const failures = events.flatMap(
      (event) =>
        event.activityTaskFailedEventAttributes?.failure ?? event.workflowExecutionFailedEventAttributes?.failure ?? [],
    );
    expect(failures).to.have.length(2);
    const text = inClear(events);
    expect(text).not.to.include(TEXT);
    expect(text).not.to.match(/\bat \S+ \(|\.ts:\d+/);
    const codec = createPayloadCodec(ring);
    for (const { encodedAttributes, cause } of failures)
      for (const sealed of [encodedAttributes, ...(cause ? [cause.encodedAttributes] : [])]) {
        expect(sealed?.metadata?.['encoding']?.toString()).to.equal('binary/encrypted');
        const [opened] = await codec.decode(sealed ? [sealed] : []);
        expect(JSON.parse(Buffer.from(opened?.data ?? []).toString())).to.have.property('message');
      }
    expect(failure).to.be.instanceOf(WorkflowFailedError);
    const { cause } = failure as WorkflowFailedError;
    expect(cause).to.be.instanceOf(ActivityFailure);
    expect((cause as ActivityFailure).cause?.message).to.equal(TEXT);
  });

  it('stay readable for staff where payloads are not sealed, and such runs go on with keys', async () => {
    const { events, history } = await failing(undefined, 'readable');
    const messages = events.flatMap(({ activityTaskFailedEventAttributes: failed }) => failed?.failure?.message ?? []);
    expect(messages).to.deep.equal([TEXT]);
    const sealing = {
      workflowBundle: await productionBundle(sealedWorkflowBundle),
      ...converting({ payloadKeys: ring }),
    };
    await Worker.runReplayHistory(sealing, history, 'readable');
  });
});
