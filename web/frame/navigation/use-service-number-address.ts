import { watch, type Ref } from 'vue';
import type { RouteLocationNormalized, Router } from 'vue-router';

/**
 * Keeps `?sn=` in the address of pages that show one service number. A pending navigation goes first: its target gets
 * `?sn=` of its own.
 * @returns a function that stops it.
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
      // A navigation that was overtaken ends while its successor is still pending.
      if (underWay !== to) return;
      underWay = null;
      keep();
    }),
    watch(current, keep, { immediate: true }),
  ];
  return () => ends.forEach((end) => end());
}
