import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { eventually } from '#test/support/time/eventually.ts';

const EVENTS = 3000;

describe('POST /smart-tag-rules/{ruleId}:backtest', () => {
  const backend = useTwoTenants({ contacts: 1 });
  const day = 86_400_000;
  const period = () => ({
    from: new Date(Date.now() - day).toISOString(),
    to: new Date(Date.now() + day).toISOString(),
  });

  async function createRule(token: string, triggerEvent = 'session.created'): Promise<string> {
    const tag = { name: 'Target', serviceNumberId: 'sn-1', kind: 'permanent' };
    const { tagId } = (await backend.call('POST', '/tags', { token, body: tag })).body;
    const body = { name: 'Talkers', triggerEvent, matchCondition: { all: [] }, targetTagId: tagId };
    return (await backend.call('POST', '/smart-tag-rules', { token, body })).body.ruleId;
  }
  let ours: string;
  before(async () => {
    ours = await createRule(backend.operator);
    await rows(
      backend.db,
      `insert into event_inbox (tenant_integration_id, event_id, tenant_id, event_type, service_number_id, partition,
         payload, occurred_at, status)
       select tenant_integration_id, 'e' || n, tenant_id, 'session.created', 'sn-1', 0,
         jsonb_build_object('sessionId', 's' || n, 'sourceId', 'src', 'contactId', 'c' || n)::text, now(), 'processed'
       from tenant_integration, generate_series(1, :events::int) n where tenant_id = 'a'`,
      { events: EVENTS },
    );
  });

  const backtest = (ruleId: string, token = backend.operator, signal?: AbortSignal) =>
    fetch(`${backend.base}/internal/v1/smart-tag-rules/${ruleId}:backtest`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(period()),
      ...(signal && { signal }),
    });

  /** Backtests of our rule stop at their first page until `work` ends. */
  async function whileHeld<T>(work: (waits: () => Promise<unknown>) => Promise<T>): Promise<T> {
    const locker = await backend.db.transaction();
    try {
      await locker.raw('lock table conversation in access exclusive mode');
      return await work(() =>
        eventually('it waits', async () => {
          const waiting = await rows(locker, `select 1 from pg_locks where not granted and locktype = 'relation'`, {});
          return waiting.length === 1;
        }),
      );
    } finally {
      await locker.rollback();
    }
  }

  it('finding 9: responds 503 with Retry-After while another of the tenant is under way; other tenants are served', async () => {
    // It does not read the table that is locked.
    const theirs = await createRule(backend.foreign, 'notice.clicked');
    const first = await whileHeld(async (waits) => {
      const underWay = backtest(ours);
      await waits();
      const second = await backtest(ours);
      expect([second.status, second.headers.get('retry-after')]).to.deep.equal([503, '10']);
      expect(await second.json()).to.include({ code: 'unavailable' });
      expect((await backtest(theirs, backend.foreign)).status).to.equal(200);
      return { underWay };
    });
    expect((await first.underWay).status).to.equal(200);
    expect((await backtest(ours)).status).to.equal(200);
  });

  it('finding 9: reads no further once its caller has left', async () => {
    let pages = 0;
    const count = ({ sql }: { sql: string }) => void (pages += Number(sql.includes('from event_inbox')));
    backend.db.on('query', count);
    await backtest(ours);
    // Those that sort the events into kinds, and one that reads an event of each.
    const all = 2;
    expect(pages, 'for a caller who stays').to.equal(all);
    await whileHeld(async (waits) => {
      const caller = new AbortController();
      const left = backtest(ours, backend.operator, caller.signal).catch((error: unknown) => error);
      await waits();
      caller.abort();
      expect(await left).to.include({ name: 'AbortError' });
      // By the time the service has served this, it knows that the caller left.
      await backend.call('GET', `/smart-tag-rules/${ours}`);
    });
    await eventually('it has ended', async () => (await backtest(ours)).status === 200);
    backend.db.removeListener('query', count);
    expect(pages, 'one more, and those of the last').to.equal(all + 1 + all);
  });
});
