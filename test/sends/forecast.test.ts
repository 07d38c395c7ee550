import { expect } from 'chai';
import pMap from 'p-map';
import type { Campaign } from '../../domain/api/campaign.ts';
import type { DryRun } from '../../domain/api/dry-run.ts';
import type { ForecastComparison } from '../../domain/api/forecast.ts';
import { type Stack, startStack } from '../support/services/stack.ts';
import { fillContacts, installTenant, type TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

/** `FORECAST_SENDS=100` measures the error of the duration, on a machine that does nothing else. */
const measured = Number(process.env['FORECAST_SENDS'] ?? 0);
const LEARNED = 3;
const CONTACTS = 30_000;

/** Numbers from 0 to 1 that are the same each time. */
const shareOf = (n: number) => ((n * 7919 + 104_729) % 1000) / 1000;

type Finished = ForecastComparison & { actual: NonNullable<ForecastComparison['actual']> };

describe('the forecast of a rehearsal', () => {
  let stack: Stack;
  let tenant: TestTenant;

  before(async () => {
    stack = await startStack({ services: ['sandbox', 'backend', 'bff'], env: { POLL_INTERVAL_MS: '2000' } });
    tenant = await installTenant(stack, { tenantId: 'forecast', serviceNumberId: 'sn-1', contacts: 10 });
    await fillContacts(stack, tenant, CONTACTS);
    // As in the demonstration where the duration is measured; otherwise as far from a poll as can be.
    await tenant.sandbox.put('/sandbox/behaviour', { startDelayMs: 800, sendDurationMs: measured > 0 ? 4000 : 2800 });
  });
  after(() => stack?.stop());

  async function draft(contacts: number): Promise<string> {
    const { id } = await tenant.api.post<Campaign>('/campaigns', {
      serviceNumberId: tenant.serviceNumberId,
      name: `To ${contacts}`,
      messages: [{ type: 'text', text: 'Hello' }],
      audience: { type: 'contacts', contactIds: tenant.contactIds.slice(0, contacts) },
      schedule: { type: 'immediate' },
    });
    return id;
  }

  async function send(contacts: number): Promise<{ rehearsed: DryRun; finished: Finished }> {
    const id = await draft(contacts);
    const rehearsed = await tenant.api.post<DryRun>(`/campaigns/${id}:dry-run`);
    expect((await tenant.api.get<ForecastComparison>(`/campaigns/${id}/forecast`)).actual).to.equal(null);
    await tenant.api.post(`/campaigns/${id}:send`, {});
    const finished = await eventually<Finished | undefined>(
      'the platform has finished it',
      async () => {
        const found = await tenant.api.get<ForecastComparison>(`/campaigns/${id}/forecast`);
        return found.actual ? { ...found, actual: found.actual } : undefined;
      },
      { timeoutMs: 60_000, intervalMs: 200 },
    );
    return { rehearsed, finished };
  }

  const sends = (count: number, from: number) =>
    pMap(
      Array.from({ length: count }, (_, n) => 1 + Math.floor(shareOf(from + n) ** 3 * CONTACTS)),
      send,
      { concurrency: 2 },
    );

  it('learns from what was sent, and is kept beside what the send took', async () => {
    const first = await draft(1500);
    const { forecast } = await tenant.api.post<DryRun>(`/campaigns/${first}:dry-run`);
    expect(forecast).to.deep.equal({
      submissions: 2,
      durationSeconds: null,
      polls: null,
      temporalActions: null,
      basedOnSends: 0,
    });
    await sends(LEARNED, 0);
    const { rehearsed, finished } = await send(2500);
    expect(rehearsed.forecast.basedOnSends).to.equal(LEARNED);
    expect(finished.forecast).to.deep.include(rehearsed.forecast);
    const { submissions, polls, temporalActions } = finished.actual;
    expect({ submissions, polls }).to.deep.equal({ submissions: 3, polls: rehearsed.forecast.polls });
    expect(temporalActions).to.be.closeTo(rehearsed.forecast.temporalActions ?? 0, 3);
    expect(finished.actual.durationSeconds).to.be.greaterThan(3.6);
  });

  (measured > 0 ? it : it.skip)('says within a tenth how long each of many sends takes', async function () {
    this.timeout(measured * 10_000);
    const done = await sends(measured, LEARNED);
    const errors = done.map(({ finished: { forecast, actual } }) =>
      Math.abs((forecast?.durationSeconds ?? 0) / actual.durationSeconds - 1),
    );
    const actions = done.map(({ finished: { forecast, actual } }) =>
      Math.abs((forecast?.temporalActions ?? 0) / (actual.temporalActions ?? 1) - 1),
    );
    const polls = done.map(({ finished: { forecast, actual } }) => Math.abs((forecast?.polls ?? 0) / actual.polls - 1));
    const mean = (of: number[]) => of.reduce((sum, one) => sum + one, 0) / of.length;
    const shown = { duration: errors, polls, actions };
    for (const [name, of] of Object.entries(shown))
      process.stdout.write(
        `${name}: mean error ${(mean(of) * 100).toFixed(1)} %, worst ${(Math.max(...of) * 100).toFixed(1)} %\n`,
      );
    expect(Math.max(...errors)).to.be.below(0.1);
  });
});
