import type { PutGoods } from '#domain/orders/administration.ts';
import type { GoodsData } from '#domain/orders/administration/catalogue.ts';
import { typedMoney, wholeNumber } from '../typed-number.ts';

/** A payment option as it is typed. */
export interface OptionDraft {
  paymentOptionId: string;
  name: string;
  points: string;
  cash: string;
}

/** Goods as they are typed; stock only for new ones, empty where it is unlimited. */
export interface GoodsDraft {
  goodsId: string;
  name: string;
  pricingType: GoodsData['pricingType'];
  options: OptionDraft[];
  stock: string;
}

export const emptyOption = (): OptionDraft => ({ paymentOptionId: '', name: '', points: '0', cash: '0' });

export function draftOf(goods: GoodsData | null): GoodsDraft {
  if (!goods) return { goodsId: '', name: '', pricingType: 'PAYMENT_OPTIONS', options: [defaultOption()], stock: '' };
  const options = goods.paymentOptions.map(({ paymentOptionId, name, pointAmount, cashAmount }) => ({
    paymentOptionId,
    name,
    points: String(pointAmount),
    cash: String(cashAmount),
  }));
  return { goodsId: goods.goodsId, name: goods.name, pricingType: goods.pricingType, options, stock: '' };
}

const defaultOption = (): OptionDraft => ({ ...emptyOption(), paymentOptionId: 'DEFAULT', name: 'DEFAULT' });

/** Which field of an option is not acceptable yet. */
export type OptionFault = 'id' | 'points' | 'cash' | 'whole';

export function faultOf(option: OptionDraft, { pricingType, options }: GoodsDraft): OptionFault | null {
  const id = option.paymentOptionId.trim();
  if (id === '' || options.some((other) => other !== option && other.paymentOptionId.trim() === id)) return 'id';
  const cash = typedMoney(option.cash);
  if (cash === null) return 'cash';
  if (pricingType === 'RATE_CONVERTED') return Number.isInteger(cash) ? null : 'whole';
  return wholeNumber(option.points) === null ? 'points' : null;
}

/** Converted goods have exactly one option, which takes no points of its own. */
export const optionsOf = ({ pricingType, options }: GoodsDraft): OptionDraft[] =>
  pricingType === 'RATE_CONVERTED' ? options.slice(0, 1) : options;

/** What is sent; null where something is missing or malformed. Existing goods keep their stock. */
export function bodyOf(draft: GoodsDraft, { tenantId, isNew }: { tenantId: string; isNew: boolean }): PutGoods | null {
  const options = optionsOf(draft);
  const name = draft.name.trim();
  const stock = draft.stock.trim() === '' ? null : wholeNumber(draft.stock);
  const isWhole = draft.goodsId.trim() !== '' && name !== '' && options.length > 0;
  if (!isWhole || options.some((option) => faultOf(option, { ...draft, options }) !== null)) return null;
  if (isNew && stock === null && draft.stock.trim() !== '') return null;
  return {
    tenantId,
    name,
    pricingType: draft.pricingType,
    ...(isNew && { stock }),
    paymentOptions: options.map((option) => ({
      paymentOptionId: option.paymentOptionId.trim(),
      name: option.name.trim(),
      pointAmount: draft.pricingType === 'RATE_CONVERTED' ? 0 : (wholeNumber(option.points) ?? 0),
      cashAmount: typedMoney(option.cash) ?? 0,
    })),
  };
}
