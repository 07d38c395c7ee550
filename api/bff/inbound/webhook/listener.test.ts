import { expect } from 'chai';
import { createNonce } from '#domain/signature.ts';
import { useBff } from '#test/support/fixtures/services.ts';
import { clickEvent } from '#test/support/outreach/webhook-events.ts';
import { installed, signedCall } from '#test/support/services/bff.ts';

describe('a webhook', () => {
  const bff = useBff();

  it('is answered in the same way, header by header, whether or not the framework serves it', async () => {
    const integration = await installed(bff);
    const used = createNonce();
    await signedCall(bff, '/webhook', integration, clickEvent(), { nonce: used });
    const wrong = clickEvent({ occurredAt: 'yesterday' });
    const calls: [number, unknown, Record<string, unknown>][] = [
      [200, clickEvent(), { headers: { 'x-request-id': 'given' } }],
      [200, clickEvent({ eventType: 'label.added', data: {} }), {}],
      [401, clickEvent(), { secret: 'another-secret' }],
      [401, clickEvent(), { headers: { authorization: '' } }],
      [409, clickEvent(), { nonce: used }],
      [400, wrong, {}],
      [400, null, { raw: '{' }],
      [401, clickEvent(), { secret: 'another-secret', headers: { 'content-encoding': 'gzip' } }],
      [415, clickEvent(), { headers: { 'content-encoding': 'gzip' } }],
      [413, null, { raw: 'x'.repeat(1_048_577) }],
    ];
    for (const [status, body, options] of calls) {
      const answers = [];
      // The address with a query is served as all other routes are.
      for (const path of ['/webhook', '/webhook?framework']) {
        const answer = await signedCall(bff, path, integration, body, options);
        const { date, 'x-request-id': requestId, ...headers } = Object.fromEntries(answer.headers);
        expect(date).to.be.a('string');
        expect(answer.body['requestId'] ?? requestId).to.equal(requestId);
        answers.push({ status: answer.status, headers, body: { ...answer.body, requestId: null } });
      }
      expect(answers[0]?.status).to.equal(status);
      expect(answers[0]).to.deep.equal(answers[1]);
    }
  });
});
