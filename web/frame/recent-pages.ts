import { watch } from 'vue';
import { useI18n } from 'vue-i18n';
import { useRoute, type RouteLocationNormalizedLoaded } from 'vue-router';
import { useMe } from '../api/queries/integration.ts';
import { pageHeading } from '../composables/use-page-heading.ts';
import { pageOf } from './navigation/navigation.ts';

/** A page about one thing that somebody had open. */
export interface RecentPage {
  /** Whose it is: several people may use a browser. */
  who: string;
  /** The thing, whichever of its pages was open. */
  thing: string;
  title: string;
  path: string;
}

const storageKey = 'outreach.recent';
const MOST = 30;

const isText = (value: unknown): value is string => typeof value === 'string';
const isRecentPage = (value: unknown): value is RecentPage =>
  typeof value === 'object' &&
  value !== null &&
  'who' in value &&
  isText(value.who) &&
  'thing' in value &&
  isText(value.thing) &&
  'title' in value &&
  isText(value.title) &&
  'path' in value &&
  isText(value.path);

/** Read again each time, because other tabs write as well. */
function stored(): RecentPage[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(found) ? found.filter(isRecentPage) : [];
  } catch {
    return [];
  }
}

function store(pages: RecentPage[]): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(pages.slice(0, MOST)));
  } catch {
    // Without storage nothing is remembered.
  }
}

const isSame = (one: Pick<RecentPage, 'who' | 'thing'>) => (other: RecentPage) =>
  other.who === one.who && other.thing === one.thing;

function keep(page: RecentPage): void {
  store([page, ...stored().filter((other) => !isSame(page)(other))]);
}

const thingOf = ({ name, params }: RouteLocationNormalizedLoaded) =>
  [pageOf(name)?.covers, ...Object.values(params)].join('/');

/** Pages about a person are kept under the id: a name would outlast the person's erasure in this browser. */
const nameless = new Set<unknown>(['app.contact', 'app.points-account']);

const useWho = () => {
  const { data: me } = useMe();
  return () => (me.value ? `${me.value.tenantId}/${me.value.userId}` : null);
};

/** Remembers the pages that are opened about one thing. Only the frame uses it. */
export function useRememberedPages(): void {
  const route = useRoute();
  const { t } = useI18n();
  const who = useWho();

  /** Null before the thing is loaded: until then the page has the title of its kind. */
  function titleOf(): string | null {
    const { name, params, meta } = route;
    if (!pageHeading.value || !pageOf(name)) return null;
    if (nameless.has(name)) return String(Object.values(params).at(-1));
    const { title } = pageHeading.value;
    return meta.title !== undefined && title === t(meta.title) ? null : title;
  }

  function remember(): void {
    const [of, title] = [who(), titleOf()];
    if (of === null || title === null || Object.keys(route.params).length === 0) return;
    keep({ who: of, thing: thingOf(route), title, path: route.path });
  }
  // After the page was rendered: until then the heading is that of the page before.
  watch([() => route.path, pageHeading, who], remember, { flush: 'post' });
}

/** What this person had open, newest first, without the thing that is open now. */
export function useRecentPages(): () => RecentPage[] {
  const route = useRoute();
  const who = useWho();
  return () => {
    const [of, here] = [who(), thingOf(route)];
    return stored().filter((page) => page.who === of && page.thing !== here);
  };
}

/** Forgets a contact that was erased, for everybody who uses this browser. */
export function forgetContact(snId: string, contactId: string): void {
  const thing = ['app.contact', snId, contactId].join('/');
  store(stored().filter((page) => page.thing !== thing));
}
