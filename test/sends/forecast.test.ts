import { expect } from 'chai';
import pMap from 'p-map';
import type { Campaign } from '#domain/api/campaign.ts';
import type { DryRun } from '#domain/api/dry-run.ts';
import type { ForecastComparison, SendForecast } from '#domain/api/forecast.ts';
import { type Stack, startStack } from '../support/services/stack.ts';
import { fillContacts, installTenant, type TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

/** `FORECAST_SENDS=100` measures the error of the duration, on a machine that does nothing else. */
const measured = Number(process.env['FORECAST_SENDS'] ?? 0);
const LEARNED = 3;
/** A forecast is learned from so many sends at most. */
const LEARNED_AT_MOST = 20;
const CONTACTS = 30_000;

/** Numbers from 0 to 1 that are the same each time. */
const shareOf = (n: number) => ((n * 7919 + 104_729) % 1000) / 1000;

type Measures = Pick<SendForecast, 'durationSeconds' | 'polls' | 'temporalActions'>;
type Finished = ForecastComparison & { actual: NonNullable<ForecastComparison['actual']> };

describe('the forecast of a rehearsal', () => {
  let stack: Stack;
  let tenant: TestTenant;

  before(async () => {
    stack = await startStack({
      services: ['sandbox', 'backend', 'bff'],
      env: { POLL_INTERVAL_MS: '2000', LIMIT_DRY_RUNS_PER_MINUTE: '1000' },
    });
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
    expect(submissions).to.equal(3);
    // How often a busy machine polls, and how many activities it repeats, is not foreseen.
    expect(polls).to.be.within(1, 40);
    expect(rehearsed.forecast.temporalActions).to.be.within(8, 60);
    expect(temporalActions).to.be.within(8, 60);
    expect(finished.actual.durationSeconds).to.be.greaterThan(3.6);
  });

  const mean = (of: number[]) => of.reduce((sum, one) => sum + one, 0) / of.length;
  /** How far forecasts were off, as shares of what was, by measure. */
  function errorsOf(done: { finished: Finished }[]) {
    const off = (of: (values: Measures) => number) =>
      done.map(({ finished: { forecast, actual } }) => Math.abs((forecast ? of(forecast) : 0) / of(actual) - 1));
    return {
      duration: off(({ durationSeconds }) => durationSeconds ?? 0),
      polls: off(({ polls }) => polls ?? 0),
      actions: off(({ temporalActions }) => temporalActions ?? 1),
    };
  }
  function show(what: string, errors: ReturnType<typeof errorsOf>): void {
    for (const [name, of] of Object.entries(errors))
      process.stdout.write(
        `${what}: ${name}: mean error ${(mean(of) * 100).toFixed(1)} %, worst ${(Math.max(...of) * 100).toFixed(1)} %\n`,
      );
  }

  if (measured > 0)
    it('says within a tenth how long each of many sends takes', async function () {
      this.timeout(measured * 20_000);
      show('while it learns', errorsOf(await sends(LEARNED_AT_MOST - LEARNED, LEARNED)));
      const errors = errorsOf(await sends(measured, LEARNED_AT_MOST));
      show('then', errors);
      expect(Math.max(...errors.duration)).to.be.below(0.1);
    });
});
