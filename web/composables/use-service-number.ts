import {
  computed,
  onScopeDispose,
  ref,
  shallowRef,
  toValue,
  watch,
  type ComputedRef,
  type MaybeRefOrGetter,
} from 'vue';
import { useI18n } from 'vue-i18n';
import { useRoute, useRouter } from 'vue-router';
import { useServiceNumbers } from '../api/queries/contacts.ts';
import { pageHeading } from './use-page-heading.ts';
import { useToasts } from './use-toasts.ts';
import { keepServiceNumberInAddress } from '../frame/navigation/use-service-number-address.ts';

const storageKey = 'outreach.serviceNumber';

function remembered(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

/** Embedded pages are fixed to the host's service number. */
export const fixedServiceNumber = ref<string | null>(null);
const chosen = ref<string | null>(null);
/** The service number of the object that the page shows; null on pages that are not about one object. */
const shown = shallowRef<string | null>(null);

/**
 * The current service number: of the object that the page shows, else from the address, else the last one chosen, else
 * the first; undefined until loaded.
 */
export function useServiceNumber() {
  const route = useRoute();
  const { data: all, isLoading } = useServiceNumbers();

  const current: ComputedRef<string | undefined> = computed(() => {
    if (fixedServiceNumber.value) return fixedServiceNumber.value;
    if (shown.value && !route.meta.scoped) return shown.value;
    const known = all.value ?? [];
    const fromAddress = route.query['sn'];
    const wanted = [typeof fromAddress === 'string' ? fromAddress : null, chosen.value, remembered()];
    const found = wanted.find((id) => known.some(({ serviceNumberId }) => serviceNumberId === id));
    return found ?? (known.find(({ status }) => status === 'active') ?? known[0])?.serviceNumberId;
  });

  const name = computed(
    () => all.value?.find(({ serviceNumberId }) => serviceNumberId === current.value)?.name ?? current.value ?? '',
  );

  /** Whether it may still become another one. */
  const isOpen = computed(() => !fixedServiceNumber.value && isLoading.value);

  return { all, current, name, isOpen };
}

/** Shows the service number of the page's object as the current one, which it stays when the page is left. */
export function usePageServiceNumber(serviceNumberId: MaybeRefOrGetter<string | undefined>): void {
  let mine: string | null = null;
  watch(
    () => toValue(serviceNumberId),
    (id) => {
      if (!id) return;
      mine = id;
      chosen.value = id;
      shown.value = id;
    },
    { immediate: true },
  );
  onScopeDispose(() => {
    if (shown.value === mine) shown.value = null;
  });
}

/** Keeps `?sn=` in the address of pages that show one service number. Only the frame uses it. */
export function useServiceNumberAddress() {
  const route = useRoute();
  const router = useRouter();
  const { t } = useI18n();
  const { addToast } = useToasts();
  const { all, current, name } = useServiceNumber();

  watch(
    () => (route.meta.scoped && all.value?.length ? route.query['sn'] : undefined),
    (sn) => {
      if (typeof sn !== 'string' || sn === '' || all.value?.some(({ serviceNumberId }) => serviceNumberId === sn))
        return;
      const lines = [t('frame.otherServiceNumberText', { name: name.value })];
      addToast({ kind: 'error', title: t('frame.otherServiceNumber', { sn }), lines });
    },
    { immediate: true },
  );
  onScopeDispose(keepServiceNumberInAddress(router, current));

  return function choose(sn: string): void {
    chosen.value = sn;
    try {
      localStorage.setItem(storageKey, sn);
    } catch {
      // the choice then lasts as long as the page
    }
    if (route.meta.scoped) return void router.push({ query: { sn } });
    // The page's object belongs to another service number: on to the list that it came from.
    const list = pageHeading.value?.trail[0]?.to;
    if (shown.value && typeof list === 'object') void router.push({ ...list, query: { sn } });
  };
}
