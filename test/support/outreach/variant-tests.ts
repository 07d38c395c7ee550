import { expect } from 'chai';
import type { Results } from '#domain/api/campaign.ts';
import type { TestPart, VariantTest } from '#domain/api/variant-test.ts';
import { fixture } from '../fixtures/fixture.ts';
import { useTwoTenants } from '../fixtures/services.ts';
import { campaignBody, contactId } from '../services/backend.ts';
import { against, card, openVariantSite, sentBy, type VariantSite } from './variant-sends.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
const start = new Date('2026-11-26T08:00:00Z');

/** The figures of all parts together are those of the campaign's results. */
function expectSums(test: VariantTest, results: Results): void {
  const parts: TestPart[] = [...test.variants, ...(test.rest ? [test.rest] : [])];
  const sum = (of: (part: TestPart) => number) => parts.reduce((total, part) => total + of(part), 0);
  expect(sum(({ contacts }) => contacts)).to.equal(results.audienceCount);
  for (const name of Object.keys(results.outcomes) as (keyof typeof results.outcomes)[])
    expect(
      sum(({ outcomes }) => outcomes[name]),
      name,
    ).to.equal(results.outcomes[name]);
  for (const name of Object.keys(results.summary) as (keyof typeof results.summary)[])
    expect(
      sum(({ summary }) => summary[name]),
      name,
    ).to.equal(results.summary[name]);
  expect(sum(({ clicks }) => clicks.total)).to.equal(results.clicks.total);
  expect(sum(({ clicks }) => clicks.uniqueContacts)).to.equal(results.clicks.uniqueContacts);
  for (const { contacts, outcomes } of parts)
    expect(Object.values(outcomes).reduce((total, count) => total + count, 0)).to.equal(contacts);
}

/** Sends of campaigns with variants to 2,000 contacts, at a time that the tests move. */
export function useVariantTests() {
  const clock = { now: start };
  const backend = useTwoTenants({ contacts: 2000 });
  const site: VariantSite = fixture(async () => {
    const value = await openVariantSite(backend, () => clock.now);
    return { value, close: () => value.close() };
  });
  const setTime = (now: Date) => {
    clock.now = now;
    backend.setNow(now);
  };

  beforeEach(() => {
    setTime(start);
    site.platform.calls.length = 0;
    site.platform.behave(() => null);
  });
  after(() => backend.setNow(null));

  const pass = (ms: number) => setTime(new Date(clock.now.getTime() + ms));
  const everyone = Array.from({ length: 2000 }, (_, n) => contactId(n + 1));
  const post = async (path: string, body: unknown = {}) => {
    const response = await site.call('POST', path, { body });
    expect(response.status, JSON.stringify(response.body)).to.be.below(300);
    return response.body;
  };
  const draft = async (more: Parameters<typeof campaignBody>[0] = {}): Promise<string> =>
    (await post('/campaigns', campaignBody(more))).id;
  async function send(variants = against([20, 20]), more: object = {}): Promise<string> {
    const audience = { type: 'contacts', contactIds: everyone } as const;
    const id = await draft({ audience, messages: [card('A')], variants, ...more });
    await post(`/campaigns/${id}:send`);
    return id;
  }
  /** Sent, submitted, and polled until the platform has begun: every broadcast completes at once. */
  async function running(variants = against([20, 20])): Promise<string> {
    const id = await send(variants);
    await site.submit(id);
    await site.poll(id);
    pass(MINUTE);
    return id;
  }
  return {
    clock,
    backend,
    site,
    pass,
    everyone,
    post,
    draft,
    send,
    running,
    choose: (id: string, name: string) => site.call('POST', `/campaigns/${id}/variants:choose`, { body: { name } }),
    contactsOf: (title: string) =>
      site.platform.of('A1').flatMap((call) => (sentBy(call).title === title ? sentBy(call).contactIds : [])),
    auditOf: (id: string) => backend.db('audit_log').where({ object_id: id, action: 'campaign.choose_variant' }),
    /** The test, whose figures add up to the campaign's. */
    added: async (id: string): Promise<VariantTest> => {
      const test = await site.test(id);
      expectSums(test, await site.results(id));
      return test;
    },
  };
}
