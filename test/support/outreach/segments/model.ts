import type { FieldTest, Segment, SegmentCampaigns, SegmentEntry, SegmentTimes } from '#domain/api/segments.ts';
import { type CampaignName, type Change, now, type World } from './world.ts';

const HOUR_MS = 60 * 60_000;

const isOften = (times: SegmentTimes | undefined, count: number) =>
  times === undefined ? count > 0 : count >= (times.gte ?? 0) && count <= (times.lte ?? Infinity);

function hasEntered(entry: SegmentEntry, hoursAgo: number | null): boolean {
  if (hoursAgo === null) return false;
  if ('lastDays' in entry) return hoursAgo <= entry.lastDays * 24;
  const day = new Date(now.getTime() - hoursAgo * HOUR_MS).toISOString().slice(0, 10);
  return 'before' in entry ? day < entry.before : day > entry.after;
}

function passes(test: FieldTest, stored: string | null): boolean {
  const read = (text: string) => ('fold' in test && test.fold ? text.toLowerCase() : text);
  const value = stored === null ? null : read(stored);
  if (test.op === 'ne') return value !== read(test.value);
  if (value === null) return false;
  if (test.op === 'exists') return true;
  if (test.op === 'eq') return value === read(test.value);
  if (test.op === 'in') return test.values.map(read).includes(value);
  const day = /^\d{4}-\d{2}-\d{2}/.exec(value)?.[0];
  if (day === undefined) return false;
  if (test.op === 'before') return day < test.date;
  if (test.op === 'after') return day > test.date;
  return day >= '2026-05-30' && day <= '2026-06-01';
}

/** The rules of segments again, for one contact. */
export function holds(given: World, node: Segment, who: number): boolean {
  if ('all' in node) return node.all.every((part) => holds(given, part, who));
  if ('any' in node) return node.any.some((part) => holds(given, part, who));
  if ('not' in node) return !holds(given, node.not, who);
  if ('tag' in node) return !given.isExpired && given.tagged.includes(who);
  const counts = (of: SegmentCampaigns, fact: { campaign: CampaignName; daysAgo: number }) =>
    'campaignIds' in of
      ? of.campaignIds.includes(fact.campaign)
      : fact.campaign !== 'elsewhere' && fact.daysAgo <= of.lastDays;
  if ('inList' in node) return given.listed.includes(who);
  if ('entered' in node) return hasEntered(node.entered, given.contacts[who]?.entered ?? null);
  if ('reached' in node) {
    const reached = given.tasks.filter(
      (task) =>
        ['delivered', 'partly'].includes(task.state) && task.contacts.includes(who) && counts(node.reached, task),
    );
    return isOften(node.reached.times, new Set(reached.map((task) => task.campaign)).size);
  }
  if ('conversed' in node) {
    const opened = given.conversations.filter((one) => one.contact === who && counts(node.conversed, one));
    return isOften(node.conversed.times, opened.length);
  }
  if ('clicked' in node) {
    const { campaigns: of, actionIndex, bizEventCode, times } = node.clicked;
    const clicks = given.clicks.filter(
      (click) =>
        click.contact === who &&
        counts(of, click) &&
        (actionIndex === undefined || click.action === actionIndex) &&
        (bizEventCode === undefined || click.code === bizEventCode),
    );
    return isOften(times, clicks.length);
  }
  const { field, test } = node.profile;
  const profile = given.contacts[who];
  return passes(
    test,
    (field === 'language' ? profile?.language : field === 'attribute' ? profile?.born : null) ?? null,
  );
}

/** The world after a change. */
export function changed(given: World, change: Change): World {
  switch (change.kind) {
    case 'build':
      return given;
    case 'report': {
      const { task: at, state, daysAgo } = change;
      return { ...given, tasks: given.tasks.map((task, n) => (n === at ? { ...task, state, daysAgo } : task)) };
    }
    case 'enter':
      return {
        ...given,
        contacts: given.contacts.map((known, who) => (who === change.contact ? (known ?? change.profile) : known)),
      };
    case 'erase': {
      const isLeft = (who: number) => who !== change.contact;
      return {
        ...given,
        contacts: given.contacts.map((known, who) => (isLeft(who) ? known : null)),
        tagged: given.tagged.filter(isLeft),
        listed: given.listed.filter(isLeft),
        tasks: given.tasks.map((task) => ({ ...task, contacts: task.contacts.filter(isLeft) })),
        clicks: given.clicks.filter(({ contact }) => isLeft(contact)),
        conversations: given.conversations.filter(({ contact }) => isLeft(contact)),
      };
    }
    case 'expire': {
      const of = given.tasks[change.task];
      const isExpired = (task: World['tasks'][number]) => task.campaign === of?.campaign && task.send === of.send;
      return { ...given, tasks: given.tasks.map((task) => (isExpired(task) ? { ...task, contacts: [] } : task)) };
    }
  }
}
