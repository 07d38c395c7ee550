import type { Segment, SegmentCampaigns } from '#domain/api/segments.ts';
import type { CampaignName, Change, World } from './world.ts';

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
  if ('reached' in node)
    return given.tasks.some(
      (task) =>
        ['delivered', 'partly'].includes(task.state) && task.contacts.includes(who) && counts(node.reached, task),
    );
  if ('conversed' in node) return given.conversations.some((one) => one.contact === who && counts(node.conversed, one));
  if ('clicked' in node) {
    const { campaigns: of, actionIndex, bizEventCode } = node.clicked;
    return given.clicks.some(
      (click) =>
        click.contact === who &&
        counts(of, click) &&
        (actionIndex === undefined || click.action === actionIndex) &&
        (bizEventCode === undefined || click.code === bizEventCode),
    );
  }
  const { field, test } = node.profile;
  const profile = given.contacts[who];
  const value = (field === 'language' ? profile?.language : field === 'attribute' ? profile?.born : null) ?? null;
  if (test.op === 'ne') return value !== test.value;
  if (value === null) return false;
  if (test.op === 'exists') return true;
  if (test.op === 'eq') return value === test.value;
  if (test.op === 'in') return test.values.includes(value);
  const day = /^\d{4}-\d{2}-\d{2}/.exec(value)?.[0];
  if (day === undefined) return false;
  if (test.op === 'before') return day < test.date;
  if (test.op === 'after') return day > test.date;
  return day >= '2026-05-30' && day <= '2026-06-01';
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
