import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  type EarlierRefund,
  faultOfPieces,
  givenBackBy,
  isAllBack,
  lineIdOf,
  moneyOf,
  type PaidOrder,
  type Pieces,
  type Return,
} from './lines.ts';

interface Line {
  qty: number;
  cash: number;
  points: number;
}

const orderOf = (lines: readonly Line[], more: Partial<PaidOrder> = {}): PaidOrder => ({
  totalMinor: lines.reduce((sum, { cash, qty }) => sum + cash * qty, 0),
  tenantPoints: lines.reduce((sum, { points, qty }) => sum + points * qty, 0),
  districtPoints: 0,
  walletPoints: 0,
  couponIds: [],
  lines: lines.map(({ qty, cash, points }, index) => ({
    goodsId: `g-${index}`,
    name: `g-${index}`,
    qty,
    paymentOptionId: 'o',
    point: points,
    points: points * qty,
    cashMinor: cash * qty,
    tenantPoints: points * qty,
  })),
  ...more,
});

/** What one refund after the others gives back. */
function refundOf(
  order: PaidOrder,
  asked: Return,
  earlier: readonly EarlierRefund[],
): EarlierRefund & { minor: number } {
  const minor = asked.lines ? moneyOf(order, asked.lines, earlier) : 0;
  return { ...asked, minor, givenBack: givenBackBy(order, asked, earlier) };
}
const of = (lineId: string, qty: number): Pieces => ({ lineId, qty });
const all = { restorePoints: true, restock: true };

describe('refunds by line', () => {
  it('give back all that was paid, however the pieces are split', () => {
    const line = fc.record({ qty: fc.integer({ min: 1, max: 6 }), cash: fc.nat(2000), points: fc.nat(9) });
    const orders = fc
      .tuple(fc.array(line, { minLength: 1, maxLength: 4 }), fc.nat(99), fc.nat(40), fc.nat(7), fc.nat(2))
      .map(([lines, percent, wallet, district, coupons]) => {
        const whole = orderOf(lines);
        const totalMinor = Math.floor((whole.totalMinor * percent) / 100);
        const couponIds = ['a', 'b'].slice(0, coupons);
        return { ...whole, totalMinor, walletPoints: wallet, districtPoints: district, couponIds };
      });
    const parts = fc.array(fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 6 })), { minLength: 1 }));
    fc.assert(
      fc.property(orders, parts, (order, splits) => {
        const done: (EarlierRefund & { minor: number })[] = [];
        const refund = (lines: Pieces[]) => {
          const asked = { lines, ...all };
          if (faultOfPieces(order, asked, done) === null) done.push(refundOf(order, asked, done));
        };
        for (const split of splits) {
          const pieces = new Map(split.map(([line, qty]) => [lineIdOf(line), qty]));
          refund([...pieces].map(([lineId, qty]) => of(lineId, qty)));
        }
        for (const [index, { qty }] of order.lines.entries())
          for (let piece = 0; piece < qty; piece += 1) refund([of(lineIdOf(index), 1)]);

        const sum = (amountOf: (refund: (typeof done)[number]) => number) =>
          done.reduce((total, one) => total + amountOf(one), 0);
        expect(sum(({ minor }) => minor)).to.equal(order.totalMinor);
        expect(sum(({ givenBack }) => givenBack?.points.tenant ?? 0)).to.equal(order.tenantPoints);
        expect(sum(({ givenBack }) => givenBack?.points.wallet ?? 0)).to.equal(order.walletPoints);
        expect(sum(({ givenBack }) => givenBack?.points.district ?? 0)).to.equal(order.districtPoints);
        expect(done.map(({ givenBack }) => givenBack?.coupons)).to.deep.equal([
          ...Array<boolean>(done.length - 1).fill(false),
          true,
        ]);
        for (const { goodsId, qty } of order.lines) {
          const back = done.flatMap(({ givenBack }) => givenBack?.goods ?? []).filter((one) => one.goodsId === goodsId);
          expect(back.reduce((total, one) => total + one.qty, 0)).to.equal(qty);
        }
        expect(isAllBack(order, done)).to.equal(true);
      }),
    );
  });

  it('are worth the line’s share: what remains goes to the first, and the last piece brings the rest', () => {
    const order = orderOf(
      [
        { qty: 3, cash: 100, points: 0 },
        { qty: 1, cash: 100, points: 0 },
      ],
      { totalMinor: 399, walletPoints: 5 },
    );
    expect(moneyOf(order, [of('1', 3)], [])).to.equal(300);
    expect(moneyOf(order, [of('2', 1)], [])).to.equal(99);
    const refunds: EarlierRefund[] = [];
    const worth = [1, 1, 1].map((qty) => {
      const one = refundOf({ ...order, totalMinor: 398 }, { lines: [of('1', qty)], ...all }, refunds);
      refunds.push(one);
      return [one.minor, one.givenBack?.points.wallet];
    });
    expect(worth).to.deep.equal([
      [99, 1],
      [100, 1],
      [100, 2],
    ]);
  });

  it('take points and goods of their own pieces alone, and a later whole refund what they left', () => {
    const order = orderOf(
      [
        { qty: 2, cash: 100, points: 3 },
        { qty: 1, cash: 50, points: 7 },
      ],
      { couponIds: ['c'] },
    );
    const plain = refundOf(order, { lines: [of('1', 1)], restorePoints: false, restock: false }, []);
    expect(plain.givenBack).to.equal(null);
    const first = refundOf(order, { lines: [of('1', 1)], ...all }, [plain]);
    expect(first.givenBack).to.deep.equal({
      points: { tenant: 3, district: 0, wallet: 0 },
      coupons: false,
      goods: [{ goodsId: 'g-0', qty: 1 }],
    });
    expect(isAllBack(order, [plain, first])).to.equal(false);
    const rest = refundOf(order, { lines: null, ...all }, [plain, first]);
    expect(rest.givenBack).to.deep.equal({
      points: { tenant: 10, district: 0, wallet: 0 },
      coupons: true,
      goods: [
        { goodsId: 'g-0', qty: 1 },
        { goodsId: 'g-1', qty: 1 },
      ],
    });
    expect(isAllBack(order, [plain, first, rest])).to.equal(true);
  });

  it('leave the points as they are until all are back, and those of an order without any until the last piece', () => {
    const free = orderOf([{ qty: 2, cash: 10, points: 0 }]);
    const first = refundOf(free, { lines: [of('1', 1)], ...all }, []);
    expect(isAllBack(free, [first])).to.equal(false);
    const last = refundOf(free, { lines: [of('1', 1)], ...all }, [first]);
    expect(isAllBack(free, [first, last])).to.equal(true);
    const mixed = orderOf([
      { qty: 1, cash: 10, points: 4 },
      { qty: 1, cash: 10, points: 0 },
    ]);
    const points = refundOf(mixed, { lines: [of('1', 1)], ...all }, []);
    expect(isAllBack(mixed, [points]), 'nothing of the other line could come back').to.equal(true);
    const coupon = { ...mixed, couponIds: ['c'] };
    expect(isAllBack(coupon, [refundOf(coupon, { lines: [of('1', 1)], ...all }, [])])).to.equal(false);
  });

  it('are refused for what is not there', () => {
    const order = orderOf([
      { qty: 2, cash: 100, points: 3 },
      { qty: 1, cash: 0, points: 7 },
    ]);
    const fault = (lines: Pieces[], more = {}, earlier: EarlierRefund[] = [], paid = order) =>
      faultOfPieces(paid, { lines, restorePoints: false, restock: false, ...more }, earlier)?.path ?? null;
    expect(fault([of('1', 2)])).to.equal(null);
    expect(fault([of('1', 3)])).to.equal('/lines/0/qty');
    expect(fault([of('1', 1), of('3', 1)])).to.equal('/lines/1/lineId');
    expect(fault([of('0', 1)])).to.equal('/lines/0/lineId');
    expect(fault([of('1', 2)], {}, [refundOf(order, { lines: [of('1', 1)], ...all }, [])])).to.equal('/lines/0/qty');
    expect(fault([of('1', 1), of('2', 1)]), 'without money').to.equal('/lines/1');
    expect(fault([of('2', 1)], { restorePoints: true })).to.equal(null);
    expect(fault([of('2', 1)], { restock: true })).to.equal(null);
    expect(fault([of('1', 1)], {}, [], orderOf([]))).to.equal('/lines');
  });
});
