import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  type ApiResponse,
  installBody,
  signedCall,
  type SignedCallOptions,
  startTestBff,
  type TestBff,
  type TestIntegration,
} from './bff.ts';
import { eventually } from '../time/eventually.ts';

/**
 * A BFF with Temporal and a worker, and helpers for tests of lifecycle calls. Its deadline is far longer than a busy
 * machine needs; to get 503, `hasty` calls another process of the same BFF with a shorter deadline.
 */
export async function startLifecycleBff() {
  const patient = await startTestBff({ temporal: true, lifecycleDeadlineMs: 90_000 });
  const impatient = await startTestBff({ sharing: patient, lifecycleDeadlineMs: 4000 });
  const close = async () => {
    await impatient.close();
    await patient.close();
  };
  const bff = { ...patient, close };
  return { bff, hasty: lifecycleCalls(impatient), ...lifecycleCalls(bff), ...lifecycleEffects(bff) };
}

export type LifecycleBff = Awaited<ReturnType<typeof startLifecycleBff>>;

function lifecycleCalls(bff: TestBff) {
  return {
    /** Forgets the received calls and the behaviour set up; call it before each test. */
    reset: (): void => {
      bff.backend.behave(() => null);
      bff.platform.behave(() => null);
      bff.backend.calls.length = 0;
      bff.platform.calls.length = 0;
    },
    install: (integration: TestIntegration, over: object = {}, options: SignedCallOptions = {}) =>
      signedCall(bff, '/install', integration, { ...installBody(integration), ...over }, options),
    call: (path: string, integration: TestIntegration, body: object = {}, options: SignedCallOptions = {}) =>
      signedCall(bff, path, integration, { tenantIntegrationId: integration.tenantIntegrationId, ...body }, options),
    /** An event of a type that is discarded: it only shows whether its signature is accepted. */
    webhook: (integration: TestIntegration, secret = integration.secret) =>
      signedCall(
        bff,
        '/webhook',
        integration,
        { eventId: randomUUID(), eventType: 'label.added', occurredAt: '2026-11-20T09:00:00Z', scope: {}, data: {} },
        { secret },
      ),
  };
}

function lifecycleEffects(bff: TestBff) {
  const slotsOf = (integration: TestIntegration): Promise<{ status: string; error: string | null }[]> =>
    bff.rows('embed_slot').where({ tenant_integration_id: integration.tenantIntegrationId }).orderBy('slot');
  return {
    slotsOf,
    slotsRegistered: (integration: TestIntegration) =>
      eventually('the slots are registered', async () => {
        const slots = await slotsOf(integration);
        return slots.length === 4 && slots.every((slot) => slot.status === 'registered');
      }),
    rowOf: async ({ tenantIntegrationId }: TestIntegration) =>
      (await bff.rows('tenant_integration').where({ tenant_integration_id: tenantIntegrationId }).first()) as
        Record<string, unknown> | undefined,
    backendOf: (integration: TestIntegration) => bff.backend.integrations.get(integration.tenantIntegrationId),
    /** Embed registrations that the platform received for an integration. */
    configurations: (integration: TestIntegration) =>
      bff.platform.calls.filter(
        ({ path, headers }) =>
          path === '/openapi/v1/embed/configurations' &&
          headers.authorization?.includes(` ${integration.tenantIntegrationId}:`),
      ),
    workflow: (id: string) => {
      if (!bff.temporal) throw new Error('started with Temporal');
      return bff.temporal.client.workflow.getHandle(id);
    },
  };
}

/** An error response as problem+json. */
export function expectCode(response: ApiResponse, status: number, code: string): void {
  expect(response.body, JSON.stringify(response.body)).to.include({ status, code });
  expect(response.status).to.equal(status);
  expect(response.headers.get('content-type')).to.match(/^application\/problem\+json/);
}
