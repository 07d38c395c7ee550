import { watch, type Ref } from 'vue';
import type { RouteLocationNormalized, Router } from 'vue-router';

/**
 * Keeps `?sn=` in the address of pages that show one service number. A navigation that is under way goes first: the
 * page that it leads to gets its own.
 * @returns ends it.
 */
export function keepServiceNumberInAddress(router: Router, current: Readonly<Ref<string | undefined>>): () => void {
  let underWay: RouteLocationNormalized | null = null;

  function keep(): void {
    const { meta, query, hash } = router.currentRoute.value;
    const sn = current.value;
    if (underWay || !sn || !meta.scoped || query['sn'] === sn) return;
    void router.replace({ query: { ...query, sn }, hash });
  }

  const ends = [
    router.beforeEach((to) => {
      underWay = to;
    }),
    router.afterEach((to) => {
      // One that was overtaken ends too, while the other is under way.
      if (underWay !== to) return;
      underWay = null;
      keep();
    }),
    watch(current, keep, { immediate: true }),
  ];
  return () => ends.forEach((end) => end());
}
