import * as fc from 'fast-check';

/** When segments are counted. */
export const now = new Date('2026-06-01T12:00:00Z');
export const CONTACTS = 10;
/** The last is of another service number. */
export const campaigns = ['one', 'two', 'elsewhere'] as const;
export type CampaignName = (typeof campaigns)[number];

interface Done {
  campaign: CampaignName;
  contact: number;
  daysAgo: number;
}

export interface Profile {
  reach: 'reachable' | 'unsubscribed' | 'unreachable';
  language: string | null;
  born: string | null;
  /** Hours ago; null where no event said so. */
  entered: number | null;
}

export interface SubTask {
  campaign: CampaignName;
  /** Of its campaign. */
  send: number;
  contacts: number[];
  daysAgo: number;
  state: 'delivered' | 'partly' | 'none' | 'rejected' | 'replaced';
}

export interface World {
  /** By contact: what the profile says; null without one. */
  contacts: (Profile | null)[];
  tagged: number[];
  /** A saved list, which may have contacts that nobody knows. */
  listed: number[];
  isExpired: boolean;
  tasks: SubTask[];
  clicks: (Done & { action: number; code: string | null })[];
  conversations: Done[];
}

/** What happens afterwards. */
export type Change =
  | { kind: 'build' }
  | { kind: 'report'; task: number; state: SubTask['state']; daysAgo: number }
  | { kind: 'enter'; contact: number; profile: Profile }
  | { kind: 'erase'; contact: number }
  | { kind: 'expire'; task: number };

const contact = fc.nat(CONTACTS - 1);
const daysAgo = fc.integer({ min: 0, max: 20 });
export const campaign = fc.constantFrom(...campaigns);
const done = { campaign, contact, daysAgo };
const profile = fc.record<Profile>({
  reach: fc.constantFrom('reachable', 'unsubscribed', 'unreachable'),
  language: fc.constantFrom(null, 'en', 'EN', 'zh', 'Ünï', 'ÜNÏ'),
  entered: fc.constantFrom(null, 0, 12, 13, 24, 36, 37, 48, 49, 100),
  born: fc.constantFrom(null, '2026-05-28', '2026-05-30T09:00', '2026-06-01', '1999-12-31', 'soon'),
});
const state = fc.constantFrom<SubTask['state']>('delivered', 'delivered', 'partly', 'none', 'rejected', 'replaced');

export const world = fc.record<World>({
  contacts: fc.array(fc.option(profile, { nil: null, freq: 20 }), { minLength: CONTACTS, maxLength: CONTACTS }),
  tagged: fc.uniqueArray(contact),
  listed: fc.uniqueArray(contact),
  isExpired: fc.boolean(),
  tasks: fc.array(
    fc.record({
      campaign,
      send: fc.constantFrom(0, 0, 0, 1),
      contacts: fc.uniqueArray(contact, { minLength: 1 }).map((list) => list.toSorted()),
      daysAgo,
      state,
    }),
    { minLength: 2, maxLength: 6 },
  ),
  clicks: fc.array(fc.record({ ...done, action: fc.nat(1), code: fc.constantFrom(null, 'SALE') }), { maxLength: 8 }),
  conversations: fc.array(fc.record(done), { maxLength: 5 }),
});

const task = fc.nat(5);
const build = fc.constant<Change>({ kind: 'build' });
const change = fc.oneof(
  { weight: 3, arbitrary: build },
  {
    weight: 3,
    arbitrary: fc.record({ task, state, daysAgo }).map((report): Change => ({ kind: 'report', ...report })),
  },
  { weight: 1, arbitrary: fc.record({ contact, profile }).map((entry): Change => ({ kind: 'enter', ...entry })) },
  { weight: 1, arbitrary: contact.map((who): Change => ({ kind: 'erase', contact: who })) },
  { weight: 1, arbitrary: task.map((at): Change => ({ kind: 'expire', task: at })) },
);

/** Sets of whom sends reached are built before, between and after the other changes, or not at all. */
export const changes = fc.oneof(
  fc.array(change, { maxLength: 8 }),
  fc.array(change, { maxLength: 3 }).map((later): Change[] => [{ kind: 'build' }, ...later]),
);
