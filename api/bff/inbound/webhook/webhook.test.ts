import { expect } from 'chai';
import type { FieldError } from '#domain/api/problem.ts';
import { createNonce } from '#domain/signature.ts';
import { installed, newIntegration, signedCall, type TestIntegration } from '#test/support/services/bff.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { rawConnection } from '#test/support/http/raw-connection.ts';
import { clickEvent } from '#test/support/outreach/webhook-events.ts';
import { useBff } from '#test/support/fixtures/services.ts';

describe('POST /webhook', () => {
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

  it('passes a verified event to the backend, with its data unchanged', async () => {
    const event = clickEvent();
    const raw = JSON.stringify(event).replace('"taskId":"task-1"', '"taskId":"task-1", "big": 12345678901234567890');
    const response = await send(event, { raw });
    expect(response.status).to.equal(200);
    expect(response.body).to.deep.equal({ received: true });
    const [call] = bff.backend.of(/inbox$/);
    expect(call?.headers.authorization).to.equal('Bearer internal-api-secret-of-the-test');
    expect(call?.headers['x-request-id']).to.equal(response.headers.get('x-request-id'));
    const [command] = (call?.json['events'] ?? []) as Record<string, unknown>[];
    expect(command).to.include({
      tenantIntegrationId: integration.tenantIntegrationId,
      eventId: event.eventId,
      eventType: 'notice.clicked',
      occurredAt: event.occurredAt,
      serviceNumberId: 'sn-1',
    });
    expect(command?.['payload'])
      .to.be.a('string')
      .and.match(/^\{"taskId":"task-1", "big": 12345678901234567890,/);
  });

  it('responds 200 to a duplicate event and leaves deduplication to the backend', async () => {
    const event = clickEvent();
    expect((await send(event)).status).to.equal(200);
    expect((await send(event)).status).to.equal(200);
    expect(times(event.eventId)).to.equal(2);
  });

  it('rejects anything not signed by a known integration with the same 401', async () => {
    const event = clickEvent();
    const stranger = newIntegration();
    const responses = [
      await send(event, { secret: 'another-secret' }),
      await signedCall(bff, '/webhook', stranger, event),
      await send(event, { headers: { authorization: '' } }),
      await send(event, { headers: { authorization: 'PLATFORM x:y' } }),
      await send(event, { headers: { 'x-platform-nonce': '' } }),
      await send(event, { nonce: createNonce().toUpperCase() }),
      await send(event, { nonce: `${createNonce()}0` }),
    ];
    for (const response of responses) {
      expect(response.status).to.equal(401);
      expect(response.body).to.include({ code: 'unauthorized', detail: responses[0]?.body['detail'] });
    }
    expect(bff.backend.calls).to.deep.equal([]);
  });

  it('rejects another body with the same signature', async () => {
    const nonce = createNonce();
    const raw = JSON.stringify(clickEvent());
    const { authorize } = await import('#domain/signature.ts');
    const authorization = authorize(integration.secret, { ...integration, nonce, body: raw });
    const response = await send(null, { nonce, raw: `${raw} `, headers: { authorization } });
    expect(response.status).to.equal(401);
  });

  it('responds 503 while nothing listens at the backend', async () => {
    await bff.backend.stop();
    try {
      const response = await send(clickEvent());
      expect(response.status).to.equal(503);
      expect(response.headers.get('retry-after')).to.match(/^\d+$/);
    } finally {
      await bff.backend.start();
    }
    expect((await send(clickEvent())).status).to.equal(200);
  });

  it('shares calls and statements among concurrent requests', async () => {
    const events = Array.from({ length: 200 }, () => clickEvent());
    const responses = await Promise.all(events.map((event) => send(event)));
    expect(responses.every((response) => response.status === 200)).to.equal(true);
    expect(events.every((event) => times(event.eventId) === 1)).to.equal(true);
    expect(bff.backend.of(/inbox$/).length).to.be.lessThan(100);
  });

  it('makes one call and two statements of what 32 senders send at once, and decrypts their secret once', async () => {
    const statements: string[] = [];
    const note = ({ sql }: { sql: string }) => {
      // Refusals of earlier tests are counted once a second.
      if (!sql.includes('webhook_refusal')) statements.push(sql);
    };
    await send(clickEvent());
    bff.backend.calls.length = 0;
    bff.database.connection.on('query', note);
    const { encryption } = bff.database;
    const { decrypt } = encryption;
    let decrypted = 0;
    encryption.decrypt = (...given) => {
      decrypted += 1;
      return decrypt(...given);
    };
    const rounds = 10;
    const sender = async () => {
      for (let round = 0; round < rounds; round += 1) expect((await send(clickEvent())).status).to.equal(200);
    };
    await Promise.all(Array.from({ length: 32 }, sender));
    bff.database.connection.off('query', note);
    encryption.decrypt = decrypt;
    // A busy machine may part a few of them.
    const calls = bff.backend.of(/inbox$/).length;
    expect(calls).to.be.lessThan(rounds * 1.5);
    expect(statements.length).to.be.at.most(calls * 2);
    expect(decrypted).to.be.at.most(calls);
  });

  it('does not let an event that the backend cannot accept hold up the others', async () => {
    const poison = clickEvent();
    bff.backend.behave((call) =>
      call.path.endsWith('/inbox') && call.text.includes(poison.eventId) ? { status: 500, body: {} } : null,
    );
    const events = Array.from({ length: 20 }, (_, index) => (index === 7 ? poison : clickEvent()));
    const responses = await Promise.all(events.map((event) => send(event)));
    expect(responses.map((response) => response.status)).to.deep.equal(
      events.map((event) => (event === poison ? 503 : 200)),
    );
  });

  for (const eventType of ['label.added', 'label.removed', 'notice.delivered', 'broadcast.completed']) {
    it(`discards ${eventType}, and uses up its nonce`, async () => {
      const nonce = createNonce();
      const response = await send(clickEvent({ eventType, data: { anything: true } }), { nonce });
      expect(response.status).to.equal(200);
      expect(response.body).to.deep.equal({ received: true, ignored: true });
      expect(bff.backend.of(/inbox$/)).to.deep.equal([]);
      expect(await nonces(nonce)).to.have.length(1);
    });
  }

  it('accepts null for optional fields of an event', async () => {
    const data = { contactId: 'c', serviceNumberId: 'sn-1', displayName: null, attributes: null };
    const contact = clickEvent({ eventType: 'contact.updated', scope: null, data });
    const session = clickEvent({
      eventType: 'session.created',
      scope: { serviceNumberId: null },
      data: { sessionId: 's', contactId: 'c', sourceId: null, serviceNumberId: null, channel: null, entryReason: null },
    });
    for (const event of [contact, session]) {
      expect((await send(event)).status).to.equal(200);
      expect(times(event.eventId)).to.equal(1);
    }
    expect((await send(clickEvent({ eventType: 'label.added', scope: null, data: {} }))).body).to.include({
      ignored: true,
    });
  });

  it('A8: accepts ids of 256 characters, and rejects numbers, empty and longer ones', async () => {
    const long = '號'.repeat(256);
    const ids = { taskId: long, noticeId: long, contactId: long };
    const event = clickEvent({ scope: { serviceNumberId: long }, data: { ...clickEvent().data, ...ids } });
    expect((await send({ ...event, eventId: long })).status).to.equal(200);
    for (const wrong of [4711, 0, Number('7251234567890123457'), '', `${long}號`]) {
      for (const [path, body] of [
        ['/eventId', { ...event, eventId: wrong }],
        ['/scope/serviceNumberId', { ...event, scope: { serviceNumberId: wrong } }],
        ...Object.keys(ids).map((name) => [`/data/${name}`, { ...event, data: { ...event.data, [name]: wrong } }]),
      ] as const) {
        const { status, body: problem } = await send(body);
        const [error] = problem['errors'] as FieldError[];
        expect([status, problem['code'], error?.path]).to.deep.equal([400, 'invalid_request', path]);
      }
    }
    expect(bff.backend.of(/inbox$/)).to.have.length(1);
  });

  it('accepts shortened ISO 8601 times, and passes them on in full', async () => {
    const event = clickEvent({ occurredAt: '2026-11-20T17:00+08' });
    expect((await send(event)).status).to.equal(200);
    const [command] = (bff.backend.of(/inbox$/)[0]?.json['events'] ?? []) as Record<string, unknown>[];
    expect(command?.['occurredAt']).to.equal('2026-11-20T09:00:00Z');
  });

  it('accepts an event whatever the text is that only describes', async () => {
    const ids = { contactId: 'c', serviceNumberId: 'sn-1' };
    const nested = (levels: number): object => (levels === 0 ? {} : { deeper: nested(levels - 1) });
    for (const data of [
      { displayName: 'Ann \ud83d' },
      { displayName: 'a\u0000b', language: 7, region: 'r'.repeat(65) },
      { displayName: '字'.repeat(5000), channel: ['a'] },
      { attributes: { 'k\u0000': 'v\udc00', list: [1, nested(20)] } },
      { attributes: 'none', note: 'a field that is not known\u0000' },
    ]) {
      const event = clickEvent({ eventType: 'contact.followed', scope: null, data: { ...ids, ...data } });
      expect((await send(event)).status, JSON.stringify(data)).to.equal(200);
      expect(times(event.eventId)).to.equal(1);
    }
    const broken = clickEvent({ eventType: 'contact.followed', data: { ...ids, contactId: 'c\ud83d' } });
    expect((await send(broken)).status, 'an id').to.equal(400);
  });

  const rejected: [string, unknown, string][] = [
    ['a click without a service number', clickEvent({ scope: {} }), '/scope/serviceNumberId'],
    ['a click without scope', { ...clickEvent(), scope: undefined }, '/scope/serviceNumberId'],
    ['no eventId', { ...clickEvent(), eventId: undefined }, '/eventId'],
    ['a time without zone', clickEvent({ occurredAt: '2026-11-20T09:00:00' }), '/occurredAt'],
    ['a time that the database cannot store', clickEvent({ occurredAt: '0000-01-01T00:00:00Z' }), '/occurredAt'],
    ['a click whose scope is null', clickEvent({ scope: { serviceNumberId: null } }), '/scope/serviceNumberId'],
    ['data that does not match its type', clickEvent({ data: { taskId: 't' } }), '/data/noticeId'],
    [
      'a number that its column cannot hold',
      clickEvent({
        eventType: 'session.closed',
        data: {
          sessionId: 's-1',
          closedAt: '2026-11-20T09:00:00Z',
          summary: { duration: 1, messageCount: 2_147_483_648 },
        },
      }),
      '/data/summary/messageCount',
    ],
    ['an id that cannot be stored', clickEvent({ data: { ...clickEvent().data, taskId: 'a\u0000b' } }), '/data/taskId'],
    ['an array', [], ''],
    ['null', null, ''],
  ];
  for (const [what, body, path] of rejected) {
    it(`rejects ${what} with 400 and its path, using up nothing`, async () => {
      const nonce = createNonce();
      const response = await send(body, { nonce });
      expect(response.status).to.equal(400);
      expect(response.body['code']).to.equal('invalid_request');
      expect((response.body['errors'] as { path: string }[]).map((error) => error.path)).to.include(path);
      expect(await nonces(nonce)).to.deep.equal([]);
    });
  }

  it('rejects what is not JSON with 400', async () => {
    const marked = `\ufeff${JSON.stringify(clickEvent())}`;
    for (const raw of ['', '{', 'x', '{"eventId":1e400}', `${'['.repeat(5000)}`, marked]) {
      expect((await send(null, { raw })).status, raw.slice(0, 20)).to.equal(400);
    }
  });

  it('accepts a body of 1 MiB and rejects a larger one with 413', async () => {
    const event = clickEvent({ eventType: 'label.added', data: { filling: '' } });
    const room = 1_048_576 - Buffer.byteLength(JSON.stringify(event));
    const fits = { ...event, data: { filling: 'x'.repeat(room) } };
    expect((await send(fits)).status).to.equal(200);
    const response = await send({ ...event, data: { filling: 'x'.repeat(room + 1) } });
    expect(response.status).to.equal(413);
    expect(response.body['code']).to.equal('too_large');
  });

  it('serves the next call on a connection after a body that was too large and announced no length', async () => {
    const caller = rawConnection(bff.url);
    const { tenantIntegrationId: id } = integration;
    const signed = [`authorization: PLATFORM ${id}:${'A'.repeat(43)}=`, `x-platform-nonce: ${createNonce()}`];
    const chunk = ['200000', 'x'.repeat(0x200000), '0', '', ''];
    caller.send('POST /webhook HTTP/1.1', 'host: bff', ...signed, 'transfer-encoding: chunked', '', ...chunk);
    await eventually('413', () => caller.heard().startsWith('HTTP/1.1 413'));
    caller.send('GET /healthz HTTP/1.1', 'host: bff', '', '');
    await eventually('the next response', () => caller.heard().includes('HTTP/1.1 200'));
    caller.close();
  });

  it('rejects an uninstalled integration with 410, before a used nonce and before an invalid body', async () => {
    const gone = await installed(bff);
    const nonce = createNonce();
    expect((await signedCall(bff, '/webhook', gone, clickEvent(), { nonce })).status).to.equal(200);
    await bff
      .rows('tenant_integration')
      .where({ tenant_integration_id: gone.tenantIntegrationId })
      .update({ status: 'UNINSTALLED' });
    const response = await signedCall(bff, '/webhook', gone, 'no event', { nonce });
    expect(response.status).to.equal(410);
    expect(response.body['code']).to.equal('gone');
    const unsigned = await signedCall(bff, '/webhook', gone, clickEvent(), { secret: 'wrong' });
    expect(unsigned.status).to.equal(401);
  });

  it('rejects a used nonce before an invalid body', async () => {
    const nonce = createNonce();
    expect((await send(clickEvent(), { nonce })).status).to.equal(200);
    expect((await send('no event', { nonce })).status).to.equal(409);
  });

  it('accepts the replaced secret until the grace period ends, and no longer', async () => {
    const rotated = await installed(bff);
    const former = rotated.secret;
    const { tenantIntegrationId: id } = rotated;
    const current = 'c'.repeat(40);
    const set = (acceptedUntil: Date) =>
      bff
        .rows('tenant_integration')
        .where({ tenant_integration_id: id })
        .update({
          secret_encrypted: bff.database.encryption.encrypt(current, id),
          replaced_secret_encrypted: bff.database.encryption.encrypt(former, id),
          replaced_accepted_until: acceptedUntil,
        });
    await set(new Date(Date.now() + 60_000));
    expect((await signedCall(bff, '/webhook', rotated, clickEvent())).status).to.equal(200);
    expect((await signedCall(bff, '/webhook', rotated, clickEvent(), { secret: current })).status).to.equal(200);
    await set(new Date(Date.now() - 1));
    expect((await signedCall(bff, '/webhook', rotated, clickEvent())).status).to.equal(401);
    expect((await signedCall(bff, '/webhook', rotated, clickEvent(), { secret: current })).status).to.equal(200);
  });

  it('responds 503 for an event of an integration that the backend does not have yet', async () => {
    const early = await installed(bff);
    bff.backend.integrations.delete(early.tenantIntegrationId);
    expect((await signedCall(bff, '/webhook', early, clickEvent())).status).to.equal(503);
  });

  it('logs no secret', async () => {
    await eventually('the calls are logged', () => bff.log().includes('served'));
    expect(bff.log()).to.not.include(integration.secret);
    expect(bff.log()).to.not.include('internal-api-secret-of-the-test');
  });
});
