import type * as fc from 'fast-check';
import { expect } from 'chai';
import type { Model, ModelOrder } from './model.ts';
import { type PlacedOrder, placedAt, type Real, type Reply, watch } from './real.ts';

/** One thing that somebody does. */
export interface Step {
  text: string;
  /** The codes that the response may have. */
  expects(model: Model, real: Real): Set<number>;
  /** Before it is done: where it may take an order. */
  foresee(model: Model, real: Real): void;
  act(model: Model, real: Real): Promise<Reply>;
  /** What the response says about what was done; `alone`: nothing else was done at the same time. */
  learn?(model: Model, real: Real, result: { reply: Reply; alone: boolean }): void;
}

/** The order that a step with this number is about. */
export function orderAt(model: Model, number: number): ModelOrder {
  const order = model.orders[number % model.orders.length];
  if (!order) throw new Error('there is no order yet');
  return order;
}

export const placed = (model: Model, real: Real, number: number): PlacedOrder =>
  placedAt(real, model, orderAt(model, number));

/** Nobody has answered yet: the same may be asked again. */
export const LATER = 90_304;

/** What kind of order a step is about; where there is none, the step is left out. */
export type Suits = (order: ModelOrder) => boolean;

/** A step whose order is chosen when its turn comes. */
export interface Plan {
  text: string;
  choose(model: Model): Step | null;
}

/** The `number`th of the orders that suit. */
export const aimed = (suits: Suits, number: number, make: (index: number) => Step): Plan => ({
  text: make(number).text,
  choose: ({ orders }) => {
    const suitable = orders.filter((order) => suits(order));
    const chosen = suitable[number % Math.max(1, suitable.length)];
    return chosen ? make(orders.indexOf(chosen)) : null;
  },
});

export const always = (step: Step): Plan => ({ text: step.text, choose: () => step });

const nameOf = ({ text }: Step): string => text.replace(/\(.*/s, '');

/** The step as a command. */
export const command = (plan: Plan): fc.AsyncCommand<Model, Real> => ({
  check: (model) => plan.choose(model) !== null,
  run: async (model, real) => {
    const step = plan.choose(model);
    if (step) await real.traffic.join(() => runAlone(step, model, real));
  },
  toString: () => plan.text,
});

/** Done, its response checked, and every order looked at. */
async function runAlone(step: Step, model: Model, real: Real): Promise<void> {
  const codes = step.expects(model, real);
  step.foresee(model, real);
  const reply = await step.act(model, real);
  real.count(`${nameOf(step)}: ${reply.code}`);
  expect([...codes], `${step.text}: ${JSON.stringify(reply)}`).to.include(reply.code);
  step.learn?.(model, real, { reply, alone: true });
  await watch(model, real);
}

/** A defect, or a request that nobody could have meant. */
const NEVER = [90_999, 90_002, 90_003];

/** Two steps at the same time: either may be first, so that each response is one of many. */
export const together = (one: Plan, other: Plan): fc.AsyncCommand<Model, Real> => ({
  check: (model) => one.choose(model) !== null && other.choose(model) !== null,
  run: async (model, real) => {
    const steps = [one, other].flatMap((plan) => plan.choose(model) ?? []);
    await real.traffic.join(() => runTogether(steps, model, real));
  },
  toString: () => `together(${one.text}, ${other.text})`,
});

async function runTogether(steps: Step[], model: Model, real: Real): Promise<void> {
  for (const step of steps) step.foresee(model, real);
  const replies = await Promise.all(steps.map((step) => step.act(model, real)));
  for (const [index, step] of steps.entries()) {
    const reply = replies[index] ?? { code: 0 };
    real.count(`together ${nameOf(step)}: ${reply.code}`);
    expect(NEVER, `${step.text}: ${JSON.stringify(reply)}`).not.to.include(reply.code);
    step.learn?.(model, real, { reply, alone: false });
  }
  await watch(model, real);
}
