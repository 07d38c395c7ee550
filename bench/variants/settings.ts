import type { Setting } from './simulation.ts';

const percent = (share: number) => `${Number((share * 100).toFixed(1))} %`;

const alike = (variants: number, contacts: number, share: number, minimum = 0): Setting => ({
  name: `${variants} × ${contacts}, each ${percent(share)}${minimum === 0 ? '' : `, ${minimum} at least`}`,
  contacts: Array.from({ length: variants }, () => contacts),
  shares: Array.from({ length: variants }, () => share),
  minimum,
});

/** No effect: any winner is a false one. */
export const withoutEffect: Setting[] = [
  alike(2, 500, 0.05),
  alike(2, 5000, 0.05),
  alike(2, 2000, 0.3),
  alike(2, 2000, 0.05, 100),
  { name: '400 and 3600, each 10 %', contacts: [400, 3600], shares: [0.1, 0.1], minimum: 0 },
  alike(3, 2000, 0.1),
  alike(5, 2000, 0.1),
  {
    name: '2 × 2000 alike at 10 %, 2 at 5 %',
    contacts: [2000, 2000, 2000, 2000],
    shares: [0.1, 0.1, 0.05, 0.05],
    minimum: 0,
  },
];

const better = (variants: number, contacts: number, share: number, best: number): Setting => ({
  name: `${variants} × ${contacts}, ${percent(share)}, one ${percent(best)}`,
  contacts: Array.from({ length: variants }, () => contacts),
  shares: Array.from({ length: variants }, (_, index) => (index === 0 ? best : share)),
  minimum: 0,
});

/** One variant is better. */
export const withEffect: Setting[] = [
  better(2, 1000, 0.05, 0.1),
  better(2, 5000, 0.05, 0.06),
  better(2, 5000, 0.05, 0.065),
  better(2, 20_000, 0.05, 0.06),
  better(3, 5000, 0.05, 0.07),
  better(5, 5000, 0.05, 0.07),
];
