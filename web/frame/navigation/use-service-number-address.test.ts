import { expect } from 'chai';
import { ref } from 'vue';
import { createMemoryHistory, createRouter } from 'vue-router';
import { keepServiceNumberInAddress } from './use-service-number-address.ts';

const page = { render: () => null };

function open() {
  let arrive = (): void => {};
  const slow = new Promise<typeof page>((resolve) => {
    arrive = () => resolve(page);
  });
  const router = createRouter({
    history: createMemoryHistory(),
    routes: [
      { path: '/list', component: page, meta: { scoped: true } },
      { path: '/new', component: () => slow },
      { path: '/other', component: page },
    ],
  });
  const current = ref<string>();
  keepServiceNumberInAddress(router, current);
  return { router, current, arrive };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the service number in the address', () => {
  it('is added once it is known, beside what is there, and only where a page shows one', async () => {
    const { router, current } = open();
    await router.push('/list?q=tea');
    current.value = 'sn-1';
    await settled();
    expect(router.currentRoute.value.fullPath).to.equal('/list?q=tea&sn=sn-1');
    await router.push('/other');
    await settled();
    expect(router.currentRoute.value.fullPath).to.equal('/other');
  });

  it('never takes back a navigation that waits for its page', async () => {
    const { router, current, arrive } = open();
    await router.push('/list');
    const going = router.push('/new');
    await settled();
    current.value = 'sn-1';
    await settled();
    arrive();
    await going;
    await settled();
    expect(router.currentRoute.value.path).to.equal('/new');
  });
});
