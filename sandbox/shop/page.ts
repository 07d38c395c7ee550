import type { Person } from '../identity/people.ts';
import { page, SandboxError } from '../http/route.ts';
import type { ApiResponse, Call, Route } from '../http/route.ts';
import { html } from '../pages/html.ts';
import type { Html } from '../pages/html.ts';
import { showPage } from '../pages/layout.ts';
import { createShopOrders, OrderRejected } from './orders.ts';
import type { ShopCoupon, ShopDeps, ShopGoods, ShopOrders } from './orders.ts';

export interface ShopPageDeps extends ShopDeps {
  people: { list: () => Person[]; find: (sub: string) => Person | undefined };
  /** Where the checkout is. */
  applicationUrl: string;
}

/** One thing to order: a body of the order service's create, without the tenant. */
interface Offer {
  name: string;
  text: string;
  order: object;
}

/** Amounts without goods, in the currency of the tenant. */
const CASH = 250;
const POINTS = 60;
const WALLET = 400;
const WALLET_PER_UNIT = 4;

function offersOf({ goodsId, name, pricingType, paymentOptions }: ShopGoods): Offer[] {
  return paymentOptions.map(({ paymentOptionId, name: option, pointAmount, cashAmount }) => ({
    name: paymentOptions.length > 1 ? `${name}, ${option}` : name,
    text: pricingType === 'RATE_CONVERTED' ? `${cashAmount}, or points` : `${cashAmount} and ${pointAmount} points`,
    order: { title: name, items: [{ goodsId, paymentOptionId }], pointsPlan: { tenantPoints: pointAmount } },
  }));
}

/** Every kind of order without goods. */
function plainOffers(coupons: readonly ShopCoupon[]): Offer[] {
  const money = (taken: number) => ({ grossMoneyAmount: CASH, moneyAmount: CASH - taken });
  return [
    { name: 'Money', text: `${CASH}`, order: { title: 'A table for two', ...money(0) } },
    {
      name: 'Money and wallet points',
      text: `${CASH - WALLET / WALLET_PER_UNIT} and ${WALLET} wallet points`,
      order: {
        title: 'A table by the window',
        ...money(WALLET / WALLET_PER_UNIT),
        pointsPlan: { walletPoints: WALLET },
      },
    },
    { name: 'Points', text: `${POINTS} points`, order: { title: 'A refill', pointsPlan: { tenantPoints: POINTS } } },
    ...coupons.map(({ couponId, name }) => ({
      name: 'A coupon',
      text: name,
      order: { title: name, pointsPlan: { couponIds: [couponId] } },
    })),
  ];
}

function offerRow({ name, text, order }: Offer): Html {
  return html`<tr>
    <td>${name}</td>
    <td>${text}</td>
    <td><button name="order" value="${JSON.stringify(order)}" aria-label="Order ${name}: ${text}">Order</button></td>
  </tr>`;
}

function offerTable(title: string, offers: readonly Offer[]): Html {
  return html`<section class="card tenant">
    <h2>${title}</h2>
    ${
      offers.length === 0
        ? html`<p class="empty">Nothing here.</p>`
        : html`<table>
            <thead>
              <tr>
                <th>What</th>
                <th>Price</th>
                <th>Order</th>
              </tr>
            </thead>
            <tbody>
              ${offers.map(offerRow)}
            </tbody>
          </table>`
    }
  </section>`;
}

function buyer({ people }: ShopPageDeps, sub: string | null): Person {
  const found = sub === null ? people.list()[0] : people.find(sub);
  if (!found) throw new SandboxError(404, 'not_found', 'there is no such person');
  return found;
}

const reasonOf = (error: unknown): string => {
  if (error instanceof OrderRejected) return error.message;
  throw error;
};

async function shopPage(
  deps: ShopPageDeps,
  orders: ShopOrders,
  { person, clickToken, reason = null }: { person: Person; clickToken: string | null; reason?: string | null },
): Promise<ApiResponse> {
  const goods = await orders.goods(person.tenantId).catch(reasonOf);
  const coupons = await orders.coupons(person).catch(reasonOf);
  const problem = [reason, goods, coupons].find((one): one is string => typeof one === 'string');
  const options = deps.people.list().map(({ sub, name, tenantId }) => {
    const label = `${name} (${tenantId})`;
    return sub === person.sub
      ? html`<option value="${sub}" selected>${label}</option>`
      : html`<option value="${sub}">${label}</option>`;
  });
  const query = { person: person.sub, ...(clickToken === null ? {} : { clickToken }) };
  const body = html`<main>
    <h1>Shop</h1>
    <p class="quiet">A merchant’s shop: each order leads to the checkout, where the buyer signs in and pays.</p>
    <form class="row" method="get">
      <label
        >Buyer<select name="person">
          ${options}
        </select></label
      >
      ${clickToken === null ? null : html`<input type="hidden" name="clickToken" value="${clickToken}" />`}
      <button>Show</button>
    </form>
    ${problem === undefined ? null : html`<p class="notice" role="alert">Nothing was ordered. ${problem}</p>`}
    <form method="post" action="/shop?${new URLSearchParams(query).toString()}">
      ${offerTable('Goods', typeof goods === 'string' ? [] : goods.flatMap(offersOf))}
      ${offerTable('Without goods', plainOffers(typeof coupons === 'string' ? [] : coupons))}
    </form>
  </main>`;
  return showPage({ title: 'Shop', body });
}

/** The order of a button of the page. @throws OrderRejected if there is none */
function orderIn({ body }: Call): object {
  const given = new URLSearchParams(body.toString('utf8')).get('order');
  const wanted: unknown = given === null ? null : JSON.parse(given);
  if (typeof wanted !== 'object' || wanted === null) throw new OrderRejected('The form names no order.');
  return wanted;
}

/** Of the campaign's link that led to the shop: whatever is ordered then came from it. */
const tokenIn = ({ query }: Call): string | null => query.get('clickToken');

/** A small shop that creates orders of every kind for the checkout. */
export function shopPages(deps: ShopPageDeps): Route[] {
  const orders = createShopOrders(deps);
  const personIn = ({ query }: Call) => buyer(deps, query.get('person'));
  return [
    page('/shop', (call) => shopPage(deps, orders, { person: personIn(call), clickToken: tokenIn(call) })),
    {
      code: 'shop',
      method: 'POST',
      path: '/shop',
      description: null,
      handle: async (call) => {
        const person = personIn(call);
        const clickToken = tokenIn(call);
        try {
          const orderId = await orders.create(person, { ...orderIn(call), clickToken });
          const query = new URLSearchParams({ tenantId: person.tenantId });
          const checkout = `${deps.applicationUrl}/app/checkout/${orderId}?${query.toString()}`;
          return { status: 303, headers: { Location: checkout } };
        } catch (error) {
          return shopPage(deps, orders, { person, clickToken, reason: reasonOf(error) });
        }
      },
    },
  ];
}
