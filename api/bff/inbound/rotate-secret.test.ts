import { expect } from 'chai';
import { beginRotation } from '#commands/bff/begin-rotation.ts';
import { createNonce } from '#domain/signature.ts';
import { installed } from '#test/support/services/bff.ts';
import { expectCode, type LifecycleBff } from '#test/support/services/bff-lifecycle.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { lifecycleWorkflowId } from '#workflows/contracts/lifecycle.ts';
import { useLifecycleBff } from '#test/support/fixtures/services.ts';

describe('POST /rotate-secret', () => {
  const test = useLifecycleBff();
  let bff: LifecycleBff['bff'];
  let call: LifecycleBff['call'];
  let hasty: LifecycleBff['hasty'];
  let webhook: LifecycleBff['webhook'];
  let rowOf: LifecycleBff['rowOf'];
  let backendOf: LifecycleBff['backendOf'];
  let workflow: LifecycleBff['workflow'];
  before(async () => {
    ({ bff, call, hasty, webhook, rowOf, backendOf, workflow } = test);
  });
  beforeEach(() => test.reset());

  const secrets = () => [createNonce(), createNonce()].join('');

  it('makes both sides use the new secret, and accepts both inbound during the grace period', async () => {
    const integration = await installed(bff);
    const newSecret = secrets();
    const response = await call('/rotate-secret', integration, { newSecret, graceSeconds: 600 });
    expect(response.status).to.equal(200);
    expect(Date.parse(String(response.body['rotatedAt']))).to.be.closeTo(Date.now(), 100_000);
    expect(backendOf(integration)).to.include({ secret: newSecret, rotatedAt: response.body['rotatedAt'] });
    expect((await webhook(integration)).status).to.equal(200);
    expect((await webhook(integration, newSecret)).status).to.equal(200);
    const row = await rowOf(integration);
    const until = row?.['replacedAcceptedUntil'] as Date;
    expect(until.getTime() - Date.parse(String(response.body['rotatedAt']))).to.equal(600_000);
    expect(JSON.stringify(row)).to.not.include(newSecret);
    expect(bff.log()).to.not.include(newSecret);
  });

  it('ends the grace period of the previous rotation', async () => {
    const integration = await installed(bff);
    const [second, third] = [secrets(), secrets()];
    expect((await call('/rotate-secret', integration, { newSecret: second })).status).to.equal(200);
    expect((await call('/rotate-secret', integration, { newSecret: third }, { secret: second })).status).to.equal(200);
    expect((await webhook(integration)).status).to.equal(401);
    expect((await webhook(integration, second)).status).to.equal(200);
    expect((await webhook(integration, third)).status).to.equal(200);
  });

  it('without a grace period ends the previous secret at once', async () => {
    const integration = await installed(bff);
    const newSecret = secrets();
    expect((await call('/rotate-secret', integration, { newSecret, graceSeconds: 0 })).status).to.equal(200);
    expect((await webhook(integration)).status).to.equal(401);
    expect((await webhook(integration, newSecret)).status).to.equal(200);
  });

  it('repeated with the replaced secret gives the same response, even after the grace period', async () => {
    const integration = await installed(bff);
    const newSecret = secrets();
    const first = await call('/rotate-secret', integration, { newSecret, graceSeconds: 0 });
    bff.backend.calls.length = 0;
    const again = await call('/rotate-secret', integration, { newSecret, graceSeconds: 0 });
    expect(again.status).to.equal(200);
    expect(again.body).to.deep.equal(first.body);
    const byNew = await call('/rotate-secret', integration, { newSecret }, { secret: newSecret });
    expect(byNew.body).to.deep.equal(first.body);
    expect(bff.backend.calls).to.deep.equal([]);
  });

  it('accepts the replaced secret for nothing else', async () => {
    const integration = await installed(bff);
    const newSecret = secrets();
    await call('/rotate-secret', integration, { newSecret, graceSeconds: 0 });
    expectCode(await call('/rotate-secret', integration, { newSecret: secrets() }), 401, 'unauthorized');
    expectCode(await call('/update', integration, { serviceNumbers: [] }), 401, 'unauthorized');
    expect(backendOf(integration)?.secret).to.equal(newSecret);
  });

  it('changes nothing if the backend is down: 503, the old secret stays, and it may be retried', async () => {
    const integration = await installed(bff);
    const newSecret = secrets();
    const nonce = createNonce();
    await bff.backend.stop();
    const response = await hasty.call('/rotate-secret', integration, { newSecret }, { nonce });
    await bff.backend.start();
    expectCode(response, 503, 'unavailable');
    expect(response.headers.get('retry-after')).to.match(/^\d+$/);
    expect(backendOf(integration)?.secret).to.equal(integration.secret);
    expect((await webhook(integration)).status).to.equal(200);
    expect((await webhook(integration, newSecret)).status).to.equal(401);
    await eventually('the rotation is over', async () => (await bff.rows('secret_rotation')).length === 0);
    expect((await call('/rotate-secret', integration, { newSecret }, { nonce })).status).to.equal(200);
    expect(backendOf(integration)?.secret).to.equal(newSecret);
  });

  it('takes the secret back from a backend that stored it but whose responses were lost', async () => {
    const integration = await installed(bff);
    const newSecret = secrets();
    bff.backend.behave((request) =>
      request.path.endsWith(':rotate') && request.json['newSecret'] === newSecret ? 'reset' : null,
    );
    const response = await hasty.call('/rotate-secret', integration, { newSecret });
    expectCode(response, 503, 'unavailable');
    await eventually('the previous secret is back', () => backendOf(integration)?.secret === integration.secret);
    expect((await webhook(integration)).status).to.equal(200);
    expect((await webhook(integration, newSecret)).status).to.equal(401);
    bff.backend.behave(() => null);
    await eventually('the rotation is over', async () => (await bff.rows('secret_rotation')).length === 0);
    expect((await call('/rotate-secret', integration, { newSecret })).status).to.equal(200);
  });

  it('without a worker responds 503 in time, and does not take effect later', async () => {
    const integration = await installed(bff);
    const newSecret = secrets();
    await bff.stopWorker();
    try {
      expectCode(await hasty.call('/rotate-secret', integration, { newSecret }), 503, 'unavailable');
    } finally {
      await bff.startWorker();
    }
    const id = lifecycleWorkflowId(integration.tenantIntegrationId, 1);
    expect(await workflow(id).result()).to.deep.equal({ kind: 'not_rotated' });
    expect(backendOf(integration)?.secret).to.equal(integration.secret);
    expect(id).to.equal(`lifecycle:${integration.tenantIntegrationId}:1`);
  });

  it('called 10 times concurrently with the same secret rotates once', async () => {
    const integration = await installed(bff);
    const newSecret = secrets();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => call('/rotate-secret', integration, { newSecret })),
    );
    expect(responses.map((response) => response.status)).to.deep.equal(Array.from({ length: 10 }, () => 200));
    expect(new Set(responses.map((response) => response.body['rotatedAt'])).size).to.equal(1);
    const given = bff.backend.of(/:rotate$/).map(({ json }) => json['newSecret']);
    expect(new Set(given), 'retries a slow call and never reverts it').to.deep.equal(new Set([newSecret]));
    const second = workflow(lifecycleWorkflowId(integration.tenantIntegrationId, 2));
    expect(await second.describe().catch((error: Error) => error.name)).to.equal('WorkflowNotFoundError');
  });

  it('repeated by a call that was looked up before the first took effect keeps the grace period of the replaced secret', async () => {
    const integration = await installed(bff);
    const { tenantIntegrationId } = integration;
    const newSecret = secrets();
    const response = await call('/rotate-secret', integration, { newSecret });
    const late = { tenantIntegrationId, newSecret, graceSeconds: 600, expiresInMs: 60_000 };
    const begun = await beginRotation(bff.database, late);
    expect(begun).to.deep.equal({ kind: 'current', rotatedAt: new Date(String(response.body['rotatedAt'])) });
    expect(await bff.rows('secret_rotation')).to.deep.equal([]);
    expect((await webhook(integration)).status).to.equal(200);
  });

  it('treats a null grace period as absent: a day', async () => {
    const integration = await installed(bff);
    const newSecret = secrets();
    expect((await call('/rotate-secret', integration, { newSecret, graceSeconds: null })).status).to.equal(200);
    const [row] = await bff
      .rows('tenant_integration')
      .where({ tenant_integration_id: integration.tenantIntegrationId });
    expect(Date.parse(row.replacedAcceptedUntil)).to.be.within(Date.now() + 86_000_000, Date.now() + 86_400_000);
  });

  it('rejects a short secret, a grace period out of range, and the current secret', async () => {
    const integration = await installed(bff);
    expectCode(await call('/rotate-secret', integration, { newSecret: 'short' }), 400, 'invalid_request');
    for (const graceSeconds of [-1, 604_801, 1.5, '1']) {
      const response = await call('/rotate-secret', integration, { newSecret: secrets(), graceSeconds });
      expectCode(response, 400, 'invalid_request');
    }
    expectCode(await call('/rotate-secret', integration, { newSecret: integration.secret }), 422, 'invalid_content');
  });
});
