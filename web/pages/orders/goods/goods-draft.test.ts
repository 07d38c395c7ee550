import { expect } from 'chai';
import { bodyOf, draftOf, emptyOption, faultOf, type GoodsDraft } from './goods-draft.ts';

const tenantId = 'harbor';
const beans = {
  goodsId: 'beans',
  tenantId,
  name: 'Beans',
  pricingType: 'PAYMENT_OPTIONS' as const,
  stock: 12,
  held: 2,
  paymentOptions: [{ paymentOptionId: 'cash', name: 'DEFAULT', pointAmount: 50, cashAmount: 320.5 }],
  version: 'o1',
  etag: '"o1"',
  updatedAt: '2026-11-21T12:00:00Z',
};

describe('goods as they are typed', () => {
  it('are sent as they were loaded, without their stock', () => {
    const { name, pricingType, paymentOptions } = beans;
    expect(bodyOf(draftOf(beans), { tenantId, isNew: false })).to.deep.equal({
      tenantId,
      name,
      pricingType,
      paymentOptions,
    });
  });

  it('have a stock where they are new, unlimited where it is left empty', () => {
    const draft: GoodsDraft = { ...draftOf(null), goodsId: 'mug', name: 'Mug' };
    expect(bodyOf(draft, { tenantId, isNew: true })?.stock).to.equal(null);
    expect(bodyOf({ ...draft, stock: '40' }, { tenantId, isNew: true })?.stock).to.equal(40);
    expect(bodyOf({ ...draft, stock: 'many' }, { tenantId, isNew: true })).to.equal(null);
  });

  it('name what is wrong with an option', () => {
    const option = { ...emptyOption(), paymentOptionId: 'a' };
    const draft: GoodsDraft = { ...draftOf(beans), options: [option] };
    expect(faultOf(option, draft)).to.equal(null);
    expect(faultOf({ ...option, paymentOptionId: ' ' }, draft)).to.equal('id');
    expect(faultOf({ ...option }, draft), 'the same id twice').to.equal('id');
    expect(faultOf({ ...option, points: '1.5', paymentOptionId: 'b' }, draft)).to.equal('points');
    expect(faultOf({ ...option, cash: '1.555', paymentOptionId: 'b' }, draft)).to.equal('cash');
  });

  it('have one whole amount without points where the rate converts it', () => {
    const draft: GoodsDraft = { ...draftOf(beans), pricingType: 'RATE_CONVERTED' };
    expect(bodyOf(draft, { tenantId, isNew: false }), '320.50 is not whole').to.equal(null);
    const [option] = draft.options;
    const whole = { ...draft, options: option ? [{ ...option, cash: '320' }, emptyOption()] : [] };
    expect(bodyOf(whole, { tenantId, isNew: false })?.paymentOptions).to.deep.equal([
      { paymentOptionId: 'cash', name: 'DEFAULT', pointAmount: 0, cashAmount: 320 },
    ]);
  });
});
