import { page } from '../http/route.ts';
import type { ApiResponse, Route } from '../http/route.ts';
import { html } from '../pages/html.ts';
import type { Html } from '../pages/html.ts';
import { showPage } from '../pages/layout.ts';
import { amountSchema, chargeOf, disputedOf, refundsOf, statusNow } from './charges.ts';
import type { Charge } from './charges.ts';
import { closeDispute, openDispute } from './disputes.ts';
import { cancelCharge } from './gateway.ts';
import { payCharge } from './payments.ts';
import type { PaymentDeps } from './payments.ts';
import { refundCharge } from './refunds.ts';

const money = ({ amount, currency }: Pick<Charge, 'amount' | 'currency'>): string =>
  `${currency} ${amount.toLocaleString('en', { minimumFractionDigits: currency === 'TWD' ? 0 : 2, maximumFractionDigits: 2 })}`;

/** Where the payer goes on: the shop may have named an address for each way, or none. */
function wayBack({ resultURL, cancelURL }: Charge, ended: boolean): Html {
  const address = ended ? (cancelURL ?? resultURL) : resultURL;
  if (address) return html`<a class="button" href="${address}">Back to the shop</a>`;
  return html`<p>Go back to the page you came from; you can close this one.</p>`;
}

/** What the gateway's own staff can do; the shop only hears of it. */
function deskRefund(charge: Charge): Html | null {
  const { left } = refundsOf(charge);
  if (left === 0) return null;
  return html`<label>
      Amount to refund at the desk
      <input name="amount" type="number" min="0.01" max="${left}" step="0.01" value="${left}" />
    </label>
    <button name="do" value="refund">Refund at the desk</button>`;
}

/** What the payer claims through their bank, and how the bank decides. */
function disputes(charge: Charge): Html {
  const rows = (charge.disputes ?? []).map(
    ({ disputeId, amount, outcome }) =>
      html`<p>
        ${money({ ...charge, amount })} disputed
        ${
          outcome
            ? html`<span class="pill ${outcome}">${outcome}</span>`
            : html`<button name="do" value="won:${disputeId}">Won by the shop</button>
                <button name="do" value="lost:${disputeId}">Lost to the payer</button>`
        }
      </p>`,
  );
  return html`${rows}<label>
      Amount that the payer disputes
      <input name="disputed" type="number" min="0.01" max="${charge.amount}" step="0.01" value="${charge.amount}" />
    </label>
    <button name="do" value="dispute">Dispute at the bank</button>`;
}

function paymentPage(charge: Charge): ApiResponse {
  const status = statusNow(charge);
  const pending = status === 'pending';
  const ended = status === 'expired' || status === 'cancelled';
  const buttons = pending
    ? html`<button class="primary" name="do" value="pay">Pay ${money(charge)}</button>
        <button name="do" value="cancel">Cancel</button>`
    : html`<p class="notice">This charge is <span class="pill ${status}">${status}</span></p>
        ${ended && html`<button name="do" value="late">Pay late all the same</button>`}
        ${status === 'paid' && deskRefund(charge)} ${!ended && disputes(charge)} ${wayBack(charge, ended)}`;
  const body = html`<main class="card narrow payment">
    <p class="quiet">Development payment page · no money moves</p>
    <h1>${money(charge)}</h1>
    <p>${charge.description ?? 'An order'}</p>
    <dl>
      <dt>Order</dt>
      <dd>${charge.orderNo}</dd>
      <dt>Shop</dt>
      <dd>${charge.shopId}</dd>
      <dt>Payable until</dt>
      <dd><time>${charge.expiresAt}</time></dd>
    </dl>
    <form method="post">${buttons}</form>
  </main>`;
  return showPage({ title: `Pay ${money(charge)}`, body, bare: true, look: 'centered' });
}

function goneNotes(charge: Charge): Html[] {
  const { currency } = charge;
  const gone = { refunded: refundsOf(charge).refunded, disputed: disputedOf(charge) };
  return Object.entries(gone)
    .filter(([, amount]) => amount > 0)
    .map(([how, amount]) => html`<br /><span class="quiet">${money({ amount, currency })} ${how}</span>`);
}

function listPage(charges: Charge[]): ApiResponse {
  const rows = charges
    .slice(-200)
    .toReversed()
    .map(
      (charge) =>
        html`<tr>
          <td><a href="/payment-gateway/pay/${charge.chargeId}">${charge.chargeId}</a></td>
          <td>${charge.orderNo}</td>
          <td>${charge.shopId}</td>
          <td class="number">${money(charge)}${goneNotes(charge)}</td>
          <td><span class="pill ${statusNow(charge)}">${statusNow(charge)}</span></td>
          <td>${charge.createdAt}</td>
        </tr>`,
    );
  const table = html`<table>
    <thead>
      <tr>
        <th>Charge</th>
        <th>Order</th>
        <th>Shop</th>
        <th class="number">Amount</th>
        <th>Status</th>
        <th>Created</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
  const body = html`<main>
    <h1>Payments</h1>
    <p class="quiet">Charges of the development payment gateway, newest first.</p>
    ${charges.length > 0 ? table : html`<p class="empty">No charge yet. Paying an order makes one.</p>`}
  </main>`;
  return showPage({ title: 'Payments', body });
}

/** What a button of the page does that is not the payer's to press: the gateway's desk, and the bank. @returns whether it was one */
function actAtTheDesk(deps: PaymentDeps, charge: Charge, form: URLSearchParams): boolean {
  const wanted = form.get('do') ?? '';
  const [, outcome, disputeId] = /^(won|lost):(.+)$/.exec(wanted) ?? [];
  if (wanted === 'refund') refundCharge(deps, charge, { amount: amountSchema.parse(Number(form.get('amount'))) });
  else if (wanted === 'dispute')
    openDispute(deps, charge, { amount: amountSchema.parse(Number(form.get('disputed'))) });
  else if (outcome === 'won' || outcome === 'lost') closeDispute(deps, charge, { disputeId, outcome });
  else return false;
  return true;
}

/** The hosted payment page, and a list of all charges. */
export function paymentPages(deps: PaymentDeps): Route[] {
  const path = '/payment-gateway/pay/{chargeId}';
  return [
    page('/payment-gateway', () => listPage(deps.charges.list())),
    {
      code: 'payment-page',
      method: 'GET',
      path,
      description: null,
      handle: (call) => paymentPage(chargeOf(deps.charges, call)),
    },
    {
      code: 'payment-page',
      method: 'POST',
      path,
      description: null,
      handle: (call) => {
        const charge = chargeOf(deps.charges, call);
        const form = new URLSearchParams(call.body.toString('utf8'));
        const wanted = form.get('do');
        const target = wanted === 'cancel' ? charge.cancelURL : charge.resultURL;
        if (actAtTheDesk(deps, charge, form)) return { status: 303, headers: { Location: call.path } };
        if (wanted === 'cancel') cancelCharge(deps.charges, charge);
        else payCharge(deps, charge, { late: wanted === 'late' });
        return { status: 303, headers: { Location: target ?? call.path } };
      },
    },
  ];
}
