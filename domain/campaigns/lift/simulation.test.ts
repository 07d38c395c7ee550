import { expect } from 'chai';
import { type Arm, liftOf, type LiftVerdict } from './lift.ts';

const CAMPAIGNS = 2000;

type Random = () => number;

/** xorshift32: the same campaigns in every run. */
function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) + 0.5) / 2 ** 32;
  };
}

const between = (random: Random, low: number, high: number): number => low + random() * (high - low);

/** How many of `size` things happen, each with this probability: the gaps between those that do are drawn. */
function binomial(random: Random, size: number, probability: number): number {
  const toNext = () => Math.floor(Math.log(random()) / Math.log1p(-probability)) + 1;
  let happened = 0;
  for (let at = toNext(); at <= size; at += toNext()) happened += 1;
  return happened;
}

interface Simulated {
  /** By how much the campaign raises the share, in truth. */
  effect: number;
  sent: Arm;
  control: Arm;
}

/** A campaign to 5,000 to 60,000 contacts, of which each is held back with a probability of 1 to 50 %. */
function simulate(random: Random, relativeEffect: (random: Random) => number): Simulated {
  const audience = Math.round(between(random, 5000, 60_000));
  const heldBack = binomial(random, audience, between(random, 0.01, 0.5));
  const base = between(random, 0.01, 0.3);
  const effect = base * relativeEffect(random);
  const armOf = (contacts: number, share: number) => ({ contacts, converted: binomial(random, contacts, share) });
  return { effect, sent: armOf(audience - heldBack, base + effect), control: armOf(heldBack, base) };
}

interface Simulation {
  /** Campaigns whose arms had enough conversions. */
  spoke: number;
  silent: number;
  /** Of those that spoke: the interval has the true effect. */
  covered: number;
  verdicts: Record<LiftVerdict, number>;
}

/** Goes on until so many campaigns had enough conversions. */
function simulation(seed: number, relativeEffect: (random: Random) => number): Simulation {
  const random = randomFrom(seed);
  const seen: Simulation = {
    spoke: 0,
    silent: 0,
    covered: 0,
    verdicts: { too_few: 0, higher: 0, lower: 0, unclear: 0 },
  };
  while (seen.spoke < CAMPAIGNS) {
    const { effect, sent, control } = simulate(random, relativeEffect);
    const { verdict, difference } = liftOf(sent, control);
    seen.verdicts[verdict] += 1;
    if (difference === null) {
      seen.silent += 1;
      continue;
    }
    seen.spoke += 1;
    if (difference.low <= effect && effect <= difference.high) seen.covered += 1;
  }
  return seen;
}

const shareOf = (count: number) => `${((count / CAMPAIGNS) * 100).toFixed(2)} %`;

describe(`the lift of ${CAMPAIGNS} simulated campaigns`, function () {
  this.timeout(60_000);

  it('has the true effect in 95 % ± 1 of the intervals', () => {
    const { covered, silent, verdicts } = simulation(20_261_125, (random) => between(random, -0.3, 0.6));
    const { higher, lower, unclear } = verdicts;
    process.stdout.write(
      `      covered ${shareOf(covered)}; higher ${higher}, lower ${lower}, unclear ${unclear}; ${silent} more said nothing\n`,
    );
    expect(covered / CAMPAIGNS).to.be.within(0.94, 0.96);
  });

  it('claims an effect of a campaign without one in 5 % ± 1', () => {
    const { verdicts, silent } = simulation(20_261_126, () => 0);
    const claimed = verdicts.higher + verdicts.lower;
    process.stdout.write(
      `      claimed ${shareOf(claimed)}: higher ${verdicts.higher}, lower ${verdicts.lower}; ${silent} said nothing\n`,
    );
    expect(claimed / CAMPAIGNS).to.be.within(0.04, 0.06);
  });
});
