import { expect } from 'chai';
import * as fc from 'fast-check';
import { Pool } from 'undici';
import { APP_SIGNATURE_HEADER, NONCE_HEADER } from '#domain/signature.ts';
import { clickEvent } from '../support/outreach/webhook-events.ts';
import { installed, startTestBff, type TestBff, type TestIntegration } from '../support/services/bff.ts';
import { useBff } from '../support/fixtures/services.ts';
import { heldMemory } from '../support/held-memory.ts';
import { type Call, forgeries, type Forger, validCall } from './forgery.ts';

/** `npm run test:all` sends 1,000,000. */
const FORGERIES = Number(process.env['FORGERIES'] ?? 2000);
const AT_ONCE = 32;
/** One call in so many is as the platform sends it. */
const VALID_IN = 100;
/** The first of them fill pools, caches and compiled code. */
const WARM_UP = Math.min(5000, FORGERIES / 4);
/** Bytes a forgery, as for the reads and webhooks of `memory.test.ts`; one line of the log would already be more. */
const MOST_KEPT = 400;

const ENOUGH_FOR_MEMORY = 20_000;

const kinds = Object.keys(forgeries);

describe('forged webhooks', function () {
  this.timeout(Math.max(240_000, FORGERIES * 10));
  const bff = useBff();
  const oldSecret = 'what-was-the-secret-until-last-week';
  let target: TestIntegration;
  let own: TestIntegration;
  let pool: Pool;
  before(async () => {
    [target, own] = [await installed(bff), await installed(bff)];
    const { tenantIntegrationId: id } = target;
    const replaced = { replaced_secret_encrypted: bff.database.encryption.encrypt(oldSecret, id) };
    const ended = { replaced_accepted_until: new Date(Date.now() - 60_000) };
    const changed = await bff
      .rows('tenant_integration')
      .where({ tenant_integration_id: id })
      .update({ ...replaced, ...ended });
    expect(changed).to.equal(1);
    pool = new Pool(bff.url, { connections: AT_ONCE });
  });
  after(() => pool?.close());

  const valid = (integration: TestIntegration = target): Call =>
    validCall(integration.secret, integration.tenantIntegrationId, JSON.stringify(clickEvent()));

  async function statusOf({ tenantIntegrationId, nonce, body, signature }: Call, to = pool): Promise<number> {
    const headers = {
      'content-type': 'application/json',
      authorization: `PLATFORM ${tenantIntegrationId}:${signature}`,
      [NONCE_HEADER]: nonce,
      [APP_SIGNATURE_HEADER]: signature,
    };
    const response = await to.request({ method: 'POST', path: '/webhook', headers, body });
    await response.body.dump();
    return response.statusCode;
  }

  const delivered = (): number => [...bff.backend.events.values()].reduce((sum, times) => sum + times, 0);
  const storedNonces = async (): Promise<number> => Number((await bff.rows('nonce').count({ n: '*' }).first())?.['n']);

  it(`lets none of ${FORGERIES.toLocaleString('en')} in, and each of those between them that is none`, async () => {
    const seed = Date.now();
    const draws = fc.record({ kind: fc.constantFrom(...kinds), position: fc.nat(), bit: fc.nat({ max: 7 }) });
    const seen = valid();
    expect(await statusOf(seen)).to.equal(200);
    const wrong: string[] = [];
    let sent = 0;
    let accepted = 1;

    async function sendOne({ kind, position, bit }: { kind: string; position: number; bit: number }): Promise<void> {
      const forger: Forger = { target, own, oldSecret, seen, position, bit };
      const status = await statusOf(forgeries[kind]?.(valid(), forger) ?? seen);
      if (status !== 401) wrong.push(`${kind} at ${position}, bit ${bit}: ${status}`);
    }

    async function sender(most: number): Promise<void> {
      while (sent < most) {
        const count = Math.min(VALID_IN, most - sent);
        sent += count;
        for (const draw of fc.sample(draws, { seed: seed + sent, numRuns: count })) await sendOne(draw);
        expect(await statusOf(valid())).to.equal(200);
        accepted += 1;
        // The log is kept by the test, not by the service.
        bff.forgetLog();
      }
    }
    const send = (most: number) => Promise.all(Array.from({ length: AT_ONCE }, () => sender(most)));

    await send(WARM_UP);
    const held = await heldMemory();
    await send(FORGERIES);
    const kept = ((await heldMemory()) - held) / (FORGERIES - WARM_UP);
    process.stdout.write(`      ${wrong.length} let in or failed, ${Math.round(kept)} bytes a forgery stay\n`);
    expect(wrong.slice(0, 20), `seed ${seed}`).to.deep.equal([]);
    expect(accepted).to.be.above(FORGERIES / VALID_IN);
    expect(delivered()).to.equal(accepted);
    expect(await storedNonces()).to.equal(accepted);
    // Fewer than these still fill pools and compiled code.
    if (FORGERIES >= ENOUGH_FOR_MEMORY) expect(kept, 'bytes a forgery that stay').to.be.below(MOST_KEPT);
  });

  it('tries each way to forge, and each of them changes the call', () => {
    const seen = valid();
    for (const [kind, forge] of Object.entries(forgeries)) {
      const call = valid();
      for (const position of [0, 1, 31, 42, 1000])
        expect(forge(call, { target, own, oldSecret, seen, position, bit: 3 }), kind).not.to.deep.equal(call);
    }
  });

  it('rejects what was accepted once, at every process and after a restart', async () => {
    const calls = [valid(), valid(), valid()];
    for (const call of calls) expect(await statusOf(call)).to.equal(200);
    const before = bff.backend.events.size;
    const another: TestBff = await startTestBff({ sharing: bff });
    const there = new Pool(another.url);
    for (const call of calls) {
      expect(await statusOf(call)).to.equal(409);
      expect(await statusOf(call, there)).to.equal(409);
    }
    // At the same time, one of them is the first.
    const raced = valid();
    const statuses = await Promise.all([
      statusOf(raced),
      statusOf(raced, there),
      statusOf(raced),
      statusOf(raced, there),
    ]);
    expect(statuses.toSorted()).to.deep.equal([200, 409, 409, 409]);
    await there.close();
    await another.close();
    // The backend may have been told of it by both processes, and stores an event once.
    expect(bff.backend.events.size).to.equal(before + 1);
  });
});
