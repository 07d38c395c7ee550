import { expect } from 'chai';
import { createNonce } from '#domain/signature.ts';
import { installed, signedCall, startTestBff, type TestIntegration } from '#test/support/services/bff.ts';
import { clickEvent } from '#test/support/outreach/webhook-events.ts';
import { useBff } from '#test/support/fixtures/services.ts';

describe('the nonce of a webhook', () => {
  const bff = useBff();
  let integration: TestIntegration;
  before(async () => {
    integration = await installed(bff);
  });
  beforeEach(() => {
    bff.backend.behave(() => null);
    bff.backend.calls.length = 0;
  });

  const send = (body: unknown, options = {}) => signedCall(bff, '/webhook', integration, body, options);
  const times = (eventId: string) => bff.backend.events.get(`${integration.tenantIntegrationId}/${eventId}`) ?? 0;
  const nonces = async (nonce: string) => bff.rows('nonce').where({ nonce });

  it('rejects a nonce that got a 2xx, and keeps it for seven days', async () => {
    const nonce = createNonce();
    expect((await send(clickEvent(), { nonce })).status).to.equal(200);
    const again = clickEvent();
    const response = await send(again, { nonce });
    expect(response.status).to.equal(409);
    expect(response.body['code']).to.equal('nonce_replayed');
    expect(times(again.eventId)).to.equal(0);
    const [row] = (await nonces(nonce)) as { keptUntil: Date }[];
    const days = ((row?.keptUntil.getTime() ?? 0) - Date.now()) / 86_400_000;
    expect(days).to.be.within(6.99, 7.01);
  });

  it('allows another integration to use the same nonce', async () => {
    const nonce = createNonce();
    const other = await installed(bff);
    expect((await send(clickEvent(), { nonce })).status).to.equal(200);
    expect((await signedCall(bff, '/webhook', other, clickEvent(), { nonce })).status).to.equal(200);
  });

  it('responds 2xx to exactly one of 20 concurrent calls with the same nonce', async () => {
    const nonce = createNonce();
    const events = Array.from({ length: 20 }, () => clickEvent());
    const responses = await Promise.all(events.map((event) => send(event, { nonce })));
    const statuses = responses.map((response) => response.status).sort();
    expect(statuses).to.deep.equal([200, ...Array.from({ length: 19 }, () => 409)]);
    expect(events.filter((event) => times(event.eventId) > 0)).to.have.length(1);
  });

  it('responds 2xx to exactly one call with the same nonce at two processes', async () => {
    const other = await startTestBff({ sharing: bff });
    try {
      for (let round = 0; round < 5; round += 1) {
        const nonce = createNonce();
        const responses = await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            signedCall(index % 2 ? bff : other, '/webhook', integration, clickEvent(), { nonce }),
          ),
        );
        expect(responses.filter((response) => response.status === 200)).to.have.length(1);
        expect(responses.filter((response) => response.status === 409)).to.have.length(9);
      }
    } finally {
      await other.close();
    }
  });

  it('does not use up the nonce of a call that got 503, which may be retried unchanged', async () => {
    const nonce = createNonce();
    const event = clickEvent();
    bff.backend.behave((call) => (call.path.endsWith('/inbox') ? { status: 503, body: {} } : null));
    const response = await send(event, { nonce });
    expect(response.status).to.equal(503);
    expect(response.body['code']).to.equal('unavailable');
    expect(response.headers.get('retry-after')).to.match(/^\d+$/);
    expect(await nonces(nonce)).to.deep.equal([]);
    bff.backend.behave(() => null);
    expect((await send(event, { nonce })).status).to.equal(200);
    expect(times(event.eventId)).to.equal(1);
  });

  it('responds 2xx to one of 20 concurrent calls if the first of them fails', async () => {
    const nonce = createNonce();
    let failures = 0;
    bff.backend.behave((call) => (call.path.endsWith('/inbox') && failures++ === 0 ? 'reset' : null));
    const responses = await Promise.all(Array.from({ length: 20 }, () => send(clickEvent(), { nonce })));
    const statuses = responses.map((response) => response.status).sort();
    expect(statuses.filter((status) => status === 200)).to.have.length(1);
    expect(statuses.filter((status) => status === 503)).to.have.length(1);
    expect(statuses.filter((status) => status === 409)).to.have.length(18);
  });
});
