import type { AutomationBody } from '#domain/api/automations.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** What is due waits for so long for what is due with it. */
const HELD_MS = 45_000;
/** Taipei is so far ahead, all year. */
const ZONE_MS = 8 * HOUR;
const CONTACTS_AT_ONCE = 1000;

/** What the ledger knows of a step that was put into a sub-task: nothing here decides about it. */
export interface LedgerStep {
  key: string;
  claimedAt: number;
  status: string;
  reason: string | null;
  sentAt: number | null;
  /** Since when that is so. */
  knownAt: number;
}

export interface Ledger {
  stepOf(entry: Entry, step: number): LedgerStep | undefined;
  /** Of two steps that are due at once, the one whose entry has the lower id comes first. */
  idOf(entry: Entry): string;
}

export interface SimulatedAutomation {
  automationId: string;
  body: AutomationBody;
  activatedAt: number;
  /** The platform's own draw, of which only that it stays what it is can be foretold. */
  heldBack: ReadonlySet<string>;
}

type Status = 'waiting' | 'sent' | 'skipped' | 'unknown';

interface Step {
  entry: Entry;
  step: number;
  dueAt: number;
  status: Status;
  reason: string | null;
  claimedAt: number | null;
  sentAt: number | null;
}

export interface Entry {
  automation: number;
  contact: string;
  causedAt: number;
  decided: boolean;
  /** Why it did not enter, or went no further. */
  refusal: string | null;
  isErased: boolean;
  steps: Step[];
}

interface Person {
  language: string;
  born: string;
  knownSince: number;
  reachable: boolean;
  tags: Set<string>;
  /** Sub-tasks on whose message the person has clicked. */
  clicked: Set<string>;
  conversedAt: number[];
}

interface State extends SimulatedAutomation {
  status: 'active' | 'paused' | 'ended';
  approved: boolean;
  nextDayAt: number;
  undecided: Entry[];
  waiting: Set<Step>;
  claimed: Set<Step>;
  sentAt: number[];
}

/** Of whoever was erased nothing is known. */
const nobody: Person = {
  language: '',
  born: '',
  knownSince: 0,
  reachable: false,
  tags: new Set(),
  clicked: new Set(),
  conversedAt: [],
};

const endOf = ({ body: { endsAt } }: SimulatedAutomation) => (endsAt === null ? Infinity : Date.parse(endsAt));

/** 09:00 in Taipei. */
function nextNine(after: number): number {
  const today = Math.floor((after + ZONE_MS) / DAY) * DAY + 9 * HOUR - ZONE_MS;
  return today > after ? today : today + DAY;
}

const wallHour = (at: number) => ((at + ZONE_MS) % DAY) / HOUR;
const isQuietHour = (at: number) => wallHour(at) >= 22 || wallHour(at) < 8;
function nextEight(at: number): number {
  const today = Math.floor((at + ZONE_MS) / DAY) * DAY + 8 * HOUR - ZONE_MS;
  return today > at ? today : today + DAY;
}

/** What an entry is by its steps. */
export function statusOf(
  { decided, refusal, steps }: Entry,
  { stepCount, isOpen }: { stepCount: number; isOpen: boolean },
) {
  if (!decided) return { status: 'waiting', reason: null };
  if (steps.length === 0) return { status: 'skipped', reason: refusal };
  const some = (status: Status) => steps.some((one) => one.status === status);
  const mayGoOn = isOpen && steps.some(({ status, step }) => status === 'unknown' && step + 1 < stepCount);
  if (some('waiting') || mayGoOn) return { status: 'waiting', reason: null };
  if (some('sent')) return { status: 'sent', reason: null };
  if (some('unknown')) return { status: 'unknown', reason: null };
  return { status: 'skipped', reason: steps.find(({ reason }) => reason !== null)?.reason ?? null };
}

/**
 * What automations do, in plain code: told what happened in the order in which it did, and what the ledger made of the steps
 * that were put into sub-tasks, it says what became of each cause and step.
 */
export function createOracle(simulated: SimulatedAutomation[], ledger: Ledger, given: { perContact: number }) {
  const people = new Map<string, Person>();
  const entries: Entry[] = [];
  const byContact = new Map<string, Entry[]>();
  let needsApproval = false;
  const automations: State[] = simulated.map((one) => ({
    ...one,
    status: 'active',
    approved: false,
    nextDayAt: nextNine(one.activatedAt),
    undecided: [],
    waiting: new Set(),
    claimed: new Set(),
    sentAt: [],
  }));
  const stateOf = ({ automation }: Entry): State => {
    const state = automations[automation];
    if (!state) throw new Error(`There is no automation ${automation}`);
    return state;
  };
  const personOf = (contact: string): Person => people.get(contact) ?? nobody;
  const isWaiting = ({ status }: State) => status === 'active' || status === 'paused';
  const finalOf = (entry: Entry) => {
    const state = stateOf(entry);
    return statusOf(entry, { stepCount: state.body.steps.length, isOpen: isWaiting(state) });
  };

  function cause(event: string, contact: string, at: number, matches: (state: State) => boolean = () => true): void {
    for (const [automation, state] of automations.entries()) {
      if (state.body.trigger.event !== event || !isWaiting(state) || !matches(state)) continue;
      if (at <= state.activatedAt || at > endOf(state)) continue;
      const own = byContact.get(contact) ?? [];
      if (own.some((entry) => entry.automation === automation && entry.causedAt === at)) continue;
      const entry: Entry = {
        automation,
        contact,
        causedAt: at,
        decided: false,
        refusal: null,
        isErased: false,
        steps: [],
      };
      entries.push(entry);
      byContact.set(contact, [...own, entry]);
      state.undecided.push(entry);
    }
  }

  function addStep(state: State, entry: Entry, step: number, dueAt: number): void {
    const next: Step = { entry, step, dueAt, status: 'waiting', reason: null, claimedAt: null, sentAt: null };
    entry.steps.push(next);
    state.waiting.add(next);
  }
  function skip(state: State, step: Step, reason: string): void {
    Object.assign(step, { status: 'skipped', reason });
    state.waiting.delete(step);
    state.claimed.delete(step);
  }

  function isDuplicate({ body: { entry: rule } }: State, entry: Entry): boolean {
    const earlier = (byContact.get(entry.contact) ?? []).filter((one) => {
      if (one === entry || one.automation !== entry.automation || !one.decided) return false;
      const { status, reason } = finalOf(one);
      return status !== 'skipped' || reason === 'held_back';
    });
    if (rule === 'every') return false;
    if (rule === 'once') return earlier.length > 0;
    return earlier.some(({ causedAt }) => Math.abs(entry.causedAt - causedAt) < rule.afterDays * DAY);
  }
  function refusalOf(state: State, entry: Entry): string | null {
    const { contact } = entry;
    if (isDuplicate(state, entry)) return 'duplicate';
    if (state.heldBack.has(contact)) return 'held_back';
    const speaks = ['en', 'zh'].includes(personOf(contact).language);
    return state.body.filter === null || speaks ? null : 'filter';
  }
  function decide(state: State): void {
    for (const entry of state.undecided.toSorted((a, b) => a.causedAt - b.causedAt)) {
      entry.refusal = refusalOf(state, entry);
      entry.decided = true;
      if (entry.refusal === null) addStep(state, entry, 0, entry.causedAt + state.body.delay.minutes * MINUTE);
    }
    state.undecided = [];
  }

  /** What has become known by now of what was put into sub-tasks. */
  function settle(now: number): void {
    for (const state of automations)
      for (const step of state.claimed) {
        const known = ledger.stepOf(step.entry, step.step);
        if (!known || known.knownAt > now) continue;
        if (known.status === 'sent') {
          Object.assign(step, { status: 'sent', sentAt: known.sentAt });
          state.claimed.delete(step);
          const next = state.body.steps[step.step + 1];
          if (next && isWaiting(state))
            addStep(state, step.entry, step.step + 1, (known.sentAt ?? 0) + (next.delay?.minutes ?? 0) * MINUTE);
        } else if (known.reason === 'refused') skip(state, step, 'refused');
      }
  }

  const exits = ({ body: { exitOn } }: State, { tags, conversedAt }: Person): boolean =>
    exitOn !== null && ('tag' in exitOn ? tags.has(exitOn.tag) : conversedAt.length > 0);
  function holds(state: State, { entry, step }: Step, { clicked, conversedAt }: Person): boolean {
    const condition = state.body.steps[step]?.if ?? null;
    const before = entry.steps[step - 1];
    if (condition === null || !before) return true;
    const key = ledger.stepOf(entry, step - 1)?.key ?? '';
    const has = condition.endsWith('clicked') ? clicked.has(key) : conversedAt.some((at) => at >= (before.sentAt ?? 0));
    return condition.startsWith('not_') ? !has : has;
  }
  /** Messages of the last day; what was refused does not count. */
  const withinDay = (steps: Step[], now: number) =>
    steps.filter(({ claimedAt, status }) => claimedAt !== null && claimedAt > now - DAY && status !== 'skipped').length;

  function refusalToSend(state: State, step: Step, now: number): string | null {
    // Somebody else may have come with the id since.
    const person = step.entry.isErased ? nobody : personOf(step.entry.contact);
    if (now - step.dueAt > DAY) return 'late';
    if (exits(state, person)) return 'exit';
    if (!holds(state, step, person)) return 'condition';
    if (!person.reachable) return 'unreachable';
    const received = (byContact.get(step.entry.contact) ?? []).flatMap(({ steps }) => steps);
    if (withinDay(received, now) >= given.perContact) return 'limit';
    const { maxPerDay } = state.body;
    const own = maxPerDay === null ? [] : recent(state, now);
    return maxPerDay !== null && withinDay(own, now) >= maxPerDay ? 'limit' : null;
  }
  const claims = new Map<State, Step[]>();
  function recent(state: State, now: number): Step[] {
    const kept = (claims.get(state) ?? []).filter(({ claimedAt }) => (claimedAt ?? 0) > now - DAY);
    claims.set(state, kept);
    return kept;
  }

  /** Of what is due, one batch of each step: no contact twice. */
  function batchesOf(due: Step[]): Step[] {
    const batches = new Map<number, Map<string, Step>>();
    for (const one of due) {
      const batch = batches.get(one.step) ?? new Map<string, Step>();
      batches.set(one.step, batch);
      if (!batch.has(one.entry.contact) && batch.size < CONTACTS_AT_ONCE) batch.set(one.entry.contact, one);
    }
    return [...batches.values()].flatMap((batch) => [...batch.values()]);
  }
  function claim(state: State, due: Step[], now: number): void {
    for (const step of batchesOf(due)) {
      const refusal = refusalToSend(state, step, now);
      if (refusal !== null) {
        skip(state, step, refusal);
        continue;
      }
      state.waiting.delete(step);
      state.claimed.add(step);
      step.claimedAt = now;
      if (state.body.maxPerDay !== null) claims.set(state, [...(claims.get(state) ?? []), step]);
    }
  }
  function sendDue(state: State, now: number): void {
    for (;;) {
      if (state.status !== 'active') return;
      if (endOf(state) <= now) return end(state);
      const due = [...state.waiting]
        .filter(({ dueAt }) => dueAt <= now)
        .toSorted((a, b) => a.dueAt - b.dueAt || (ledger.idOf(a.entry) < ledger.idOf(b.entry) ? -1 : 1));
      if (due.length === 0) return;
      if (needsApproval && !state.approved) {
        state.status = 'paused';
        return;
      }
      if (state.body.quietHours !== null && isQuietHour(now)) {
        for (const step of due) step.dueAt = nextEight(now);
        return;
      }
      claim(state, due, now);
    }
  }
  function end(state: State): void {
    state.status = 'ended';
    for (const entry of state.undecided) Object.assign(entry, { decided: true, refusal: 'ended' });
    state.undecided = [];
    for (const step of state.waiting) skip(state, step, 'ended');
  }

  /** What was put into sub-tasks and not submitted is decided about anew. */
  function goOn(state: State): void {
    state.status = 'active';
    for (const step of state.claimed) {
      if (ledger.stepOf(step.entry, step.step)?.claimedAt === step.claimedAt) continue;
      step.claimedAt = null;
      state.claimed.delete(step);
      state.waiting.add(step);
    }
  }

  return {
    entries,
    finalOf,
    follows: (contact: string, at: number, { language, born }: { language: string; born: string }): void => {
      const known = people.get(contact);
      const fresh = { knownSince: at, tags: new Set<string>(), clicked: new Set<string>(), conversedAt: [] };
      people.set(contact, { ...(known ?? fresh), language, born, reachable: true });
      cause('contact.followed', contact, at);
    },
    unfollows: (contact: string) => void (personOf(contact).reachable = false),
    speaks: (contact: string, language: string) => void (personOf(contact).language = language),
    isTagged: (contact: string, tag: string, at: number): void => {
      const { tags } = personOf(contact);
      if (tags.has(tag)) return;
      tags.add(tag);
      cause('tag.assigned', contact, at, ({ body: { trigger } }) => 'tagId' in trigger && trigger.tagId === tag);
    },
    losesTag: (contact: string, tag: string) => void personOf(contact).tags.delete(tag),
    clicks: (contact: string, at: number, { key, automationId }: { key: string; automationId: string }): void => {
      personOf(contact).clicked.add(key);
      cause('notice.clicked', contact, at, (state) => state.automationId !== automationId);
    },
    talks: (contact: string, at: number) => void personOf(contact).conversedAt.push(at),
    buys: (contact: string, at: number) => cause('order.paid', contact, at),
    isErased: (contact: string, now: number): void => {
      settle(now);
      const own = byContact.get(contact) ?? [];
      for (const entry of own) {
        const state = stateOf(entry);
        entry.isErased = true;
        if (!entry.decided) Object.assign(entry, { decided: true, refusal: 'erased' });
        state.undecided = state.undecided.filter((one) => one !== entry);
        for (const step of entry.steps)
          if (state.waiting.has(step) || ledger.stepOf(entry, step.step)?.reason === 'erased')
            skip(state, step, 'erased');
      }
      byContact.delete(contact);
      people.delete(contact);
    },
    /** A driver looks at what is due. */
    look: (now: number): void => {
      settle(now);
      for (const state of automations)
        if (state.body.trigger.event === 'date' && isWaiting(state))
          for (; state.nextDayAt <= now; state.nextDayAt = nextNine(state.nextDayAt)) {
            const day = new Date(state.nextDayAt + ZONE_MS).toISOString().slice(5, 10);
            for (const [contact, { born, knownSince }] of people)
              if (born.slice(5, 10) === day && knownSince <= state.nextDayAt) cause('date', contact, state.nextDayAt);
          }
      for (const state of automations) decide(state);
      const ripe = automations.filter(
        ({ status, waiting }) => status === 'active' && [...waiting].some(({ dueAt }) => dueAt <= now - HELD_MS),
      );
      for (const state of ripe) sendDue(state, now);
    },
    pauses: (index: number, now: number): void => {
      settle(now);
      const state = automations[index];
      if (state) state.status = 'paused';
    },
    goesOn: (index: number, now: number): void => {
      settle(now);
      const state = automations[index];
      if (state) goOn(state);
    },
    ends: (index: number, now: number): void => {
      settle(now);
      const state = automations[index];
      if (state) end(state);
    },
    /** Sends need approval from now on. */
    asksForApproval: () => void (needsApproval = true),
    isApproved: (index: number, now: number): void => {
      settle(now);
      const state = automations[index];
      if (!state) return;
      state.approved = true;
      if (state.status === 'paused') goOn(state);
    },
    /** Nothing more becomes known. */
    finishes: (now: number): void => {
      settle(now);
      for (const { claimed } of automations)
        for (const step of claimed)
          if (ledger.stepOf(step.entry, step.step)?.status === 'unknown') step.status = 'unknown';
    },
  };
}

export type Oracle = ReturnType<typeof createOracle>;
