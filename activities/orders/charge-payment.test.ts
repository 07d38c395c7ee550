import { expect } from 'chai';
import { type ChargeOutcome, GatewayUnclear, type PaymentGateway } from '#clients/payment-gateway/client.ts';
import { requestCancel } from '#db/orders/payments.ts';
import { openedPayment, seedOrder, seedTenants } from '#test/orders/support/order-rows.ts';
import { triple } from '#test/orders/support/shop.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { createChargeActivities } from './charge-payment.ts';

describe('sending the charge of a payment', () => {
  const database = useDatabase('orders');
  before(() => seedTenants(database));

  /** Sends the charge of a payment to a gateway that makes none. */
  async function send(name: string, outcome: ChargeOutcome, earlier: { sends?: number; expired?: boolean } = {}) {
    const ref = { orderId: name, attempt: 1 };
    await seedOrder(database, name);
    await openedPayment(database, name);
    await database('payment_attempt')
      .where({ order_id: name })
      .update({ charge_sends: earlier.sends ?? 0, ...(earlier.expired ? { expires_at: new Date() } : {}) });
    const createCharge: PaymentGateway['createCharge'] = async () => {
      if (name.startsWith('cancelled')) await requestCancel(database, ref);
      return outcome;
    };
    const gateway = { createCharge } as unknown as PaymentGateway;
    const { createCharge: activity } = createChargeActivities({
      database,
      gateway,
      maxOpenHolds: 20,
      traces: null,
      callbackUrl: '',
    });
    const result = await activity(ref).catch((error: unknown) => error as Error);
    const { orderStatus, pointsStatus, paymentStatus } = await database('customer_order')
      .where({ order_id: name })
      .first('order_status', 'points_status', 'payment_status');
    const at = triple({ orderStatus, pointsStatus, paymentStatus });
    return 'kind' in result ? [result.kind, at] : [(result.cause as Error).constructor, at];
  }
  const rejected: ChargeOutcome = { kind: 'rejected', code: 'shop_closed' };
  const invalid: ChargeOutcome = { kind: 'invalid', code: 'bad' };
  const unreached: ChargeOutcome = { kind: 'not_reached', reason: 'ECONNREFUSED' };

  it('ends the payment where the gateway rejects it, the first time or again', async () => {
    expect(await send('first', rejected)).to.deep.equal(['refused', '40/0/40']);
    expect(await send('again', rejected, { sends: 1 })).to.deep.equal(['refused', '40/0/40']);
    expect(await send('malformed', invalid)).to.deep.equal(['refused', '40/0/40']);
    expect(await send('away', unreached)).to.deep.equal(['not_reached', '0/0/0']);
  });

  it('leaves the outcome open where a repetition is invalid or does not arrive: an earlier send may have made a charge', async () => {
    expect(await send('made', invalid, { sends: 1 })).to.deep.equal([GatewayUnclear, '20/0/10']);
    expect(await send('lost', unreached, { sends: 1 })).to.deep.equal([GatewayUnclear, '20/0/10']);
  });

  it('ends it with its hold, when nobody can pay a charge any more', async () => {
    expect(await send('late', invalid, { sends: 1, expired: true })).to.deep.equal(['expired', '50/0/40']);
    expect(await send('too-late', rejected, { sends: 1, expired: true })).to.deep.equal(['expired', '50/0/40']);
  });

  it('is a cancel where the payer asked for it meanwhile, whatever the gateway says', async () => {
    for (const [index, outcome] of [rejected, invalid, unreached].entries())
      expect(await send(`cancelled-${index}`, outcome)).to.deep.equal(['expired', '60/0/40']);
    expect(await send('cancelled-late', rejected, { sends: 1, expired: true })).to.deep.equal(['expired', '60/0/40']);
  });
});
