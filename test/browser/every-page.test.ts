import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { Campaign } from '#domain/api/campaign.ts';
import type { CampaignLift } from '#domain/api/lift.ts';
import type { Page as ApiPage } from '#domain/api/primitives.ts';
import { jsonClient } from '#scripts/demo/client.ts';
import { type Rules, violationsOf } from '../support/browser/accessible.ts';
import { isWhole } from '../support/extent.ts';
import { launchBrowser } from '../support/browser/launch.ts';
import { type Addressed, addressesOf, goThere, type Samples } from '../support/browser/console-addresses.ts';
import { samplesOfDemo, samplesOfNothing } from '../support/browser/console-samples.ts';
import { type DemoConsole, demoConsole } from '../support/browser/demo-console.ts';
import { ada, eva, type Person } from '../support/browser/people.ts';
import { eventually } from '../support/time/eventually.ts';
import { faintPartsOf } from '../support/browser/contrast.ts';
import { type OpenedPage, openPage, takeScreenshot } from '../support/browser/open-page.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { sandboxToken } from '../support/services/sandbox-token.ts';
import { apiAs } from '../support/services/tenant.ts';

const locales = ['en', 'zh-Hant'] as const;
type Locale = (typeof locales)[number];
const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];
const widths = [1280, 768, 320];

/** `npm run test:all` sets it. */
const everyCombination = process.env['EVERY_COMBINATION'] === 'on';
const longLists = everyCombination ? 'whole' : 'begun';

/** Whether a page shows the demonstration's data, or says that there is nothing. */
type Data = 'full' | 'empty';

interface View {
  locale: Locale;
  data: Data;
  theme: Theme;
  width: number;
}

/**
 * Which rules of axe are asked of a view, null for none: where another view has found the rest out. Colours are those of any
 * language, a theme changes nothing else, and of the structure only sizes depend on both language and width. Every
 * combination takes several times as long.
 */
function measured({ locale, data, theme, width }: View): Rules | null {
  const isLight = theme === themes[0];
  if (everyCombination) return isLight ? 'all' : 'of colours';
  if (locale !== 'en') return width === 320 ? 'of targets' : null;
  if (!isLight) return 'of colours';
  if (width === 1280) return data === 'full' ? 'all' : 'not of colours';
  return width === 320 ? 'not of colours' : null;
}

const whole = everyCombination || isWhole(import.meta.url);

/** In brief, each page is seen once, the first in the first of these views, the next in the next, and so on. */
const briefViews: readonly View[] = [
  { locale: 'en', data: 'full', theme: 'light', width: 1280 },
  { locale: 'en', data: 'full', theme: 'light', width: 320 },
  { locale: 'zh-Hant', data: 'full', theme: 'light', width: 320 },
  { locale: 'en', data: 'full', theme: 'dark', width: 1280 },
  { locale: 'en', data: 'empty', theme: 'light', width: 320 },
];

/**
 * Where a page is seen in this language and with this data, if it is the `turn`th. A theme moves nothing, so dark is looked at
 * where its colours are.
 */
function viewsOf(locale: Locale, data: Data, turn: number): View[] {
  const views = widths.flatMap((width) => themes.map((theme): View => ({ locale, data, theme, width })));
  if (everyCombination) return views;
  if (whole)
    return views.filter(
      ({ theme, width }) => theme === 'light' || (locale === 'en' && data === 'full' && width === 1280),
    );
  const inTurn = briefViews[turn % briefViews.length];
  return inTurn?.locale === locale && inTurn.data === data ? [inTurn] : [];
}

interface Visit {
  locale: Locale;
  data: Data;
  samples: Samples;
  /** What a host passes in the address; empty for `/app`. */
  fragment: string;
}

/** Waits until everything that the page requested has arrived and nothing moves. */
const settled = `
  document.querySelector('h1') !== null &&
  !document.querySelector('.animate-pulse') &&
  document.getAnimations().every(({ playState }) => playState !== 'running')`;

/** By how much the page scrolls sideways. A chart takes a moment to draw itself into less room. */
async function overflowOf(page: Page): Promise<number> {
  const overflow = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  return eventually('the page fits', async () => (await overflow()) <= 0 && 0, { timeoutMs: 5000 }).catch(overflow);
}

/** The entry of the current page must itself be in view. */
const currentOutOfView = `[...document.querySelectorAll('[aria-current]')]
  .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth)
  .map(({ textContent }) => textContent.trim() + ' is current, and out of view')`;

describe('every page of the console', function () {
  // Several hundred views of pages, each measured, unless it is in brief.
  this.timeout(1_500_000);
  let browser: Browser;
  let stack: DemoConsole;

  before(async function () {
    browser = await launchBrowser(this);
    this.timeout(600_000);
    stack = await demoConsole();
  });

  after(() => browser?.close());

  const visitor = (locale: Locale): Promise<OpenedPage> =>
    openPage(browser, { locale: locale === 'en' ? 'en-GB' : 'zh-TW' });

  const samplesFor = async (person: Person): Promise<Samples> =>
    person === ada ? samplesOfDemo(await apiAs(stack, person)) : samplesOfNothing;

  /** What is wrong with the page as it is now, apart from its colours under the pointer. */
  async function faultsInView(page: Page, rules: Rules | null): Promise<string[]> {
    await eventually('the page has settled', () => page.evaluate<boolean>(settled));
    const found = rules === null ? [] : await violationsOf(page, { targetSizes: true, rules, longLists });
    const overflow = await overflowOf(page);
    if (overflow > 0) found.push(`scrolls sideways by ${overflow} px`);
    return [...found, ...(await page.evaluate<string[]>(currentOutOfView))];
  }

  /** A page that is opened afresh takes several times as long; `page-requests.test.ts` opens each of them so. */
  async function open(page: Page, address: string, fragment: string): Promise<void> {
    await page.setViewportSize({ width: 1280, height: 860 });
    if (!everyCombination) return goThere(page, address);
    // Only the fragment would change on another page of the same document.
    if (fragment) await page.goto('about:blank');
    await page.goto(`${stack.addresses.bff}${address}${fragment}`);
  }

  /** The problems of the page in each of the views. The page follows the system's theme without being loaded again. */
  async function faultsOf(
    page: Page,
    { name, address }: Addressed,
    views: View[],
    fragment: string,
  ): Promise<string[]> {
    if (views.length === 0) return [];
    await open(page, address, fragment);
    const faults: string[] = [];
    for (const view of views) {
      const { locale, data, theme, width } = view;
      await page.setViewportSize({ width, height: 860 });
      await page.emulateMedia({ colorScheme: theme });
      const found = await faultsInView(page, measured(view));
      // Colours under the pointer are those of any language.
      if (width === 1280 && locale === 'en' && data === 'full') found.push(...(await faintPartsOf(page, longLists)));
      const shot = `${data}-${locale}-${theme}`;
      faults.push(...found.map((fault) => `${name} ${shot} at ${width}: ${fault}`));
      await takeScreenshot(page, `pages/${name}-${shot}-${width}`);
    }
    return faults;
  }

  async function walk({ page, complaints }: OpenedPage, surface: 'app' | 'embed', visit: Visit): Promise<string[]> {
    const { locale, data, samples, fragment } = visit;
    const faults: string[] = [];
    for (const [turn, addressed] of (await addressesOf(page, surface, samples)).entries())
      faults.push(...(await faultsOf(page, addressed, viewsOf(locale, data, turn), fragment)));
    return [...faults, ...complaints];
  }

  async function visitApp(person: Person, locale: Locale, data: Data): Promise<string[]> {
    const opened = await visitor(locale);
    await signIn(opened.page, stack, person);
    const faults = await walk(opened, 'app', { locale, data, samples: await samplesFor(person), fragment: '' });
    await opened.page.context().close();
    return faults;
  }

  async function visitEmbed(person: Person, locale: Locale, data: Data): Promise<string[]> {
    const opened = await visitor(locale);
    const samples = await samplesFor(person);
    const token = await sandboxToken(jsonClient(stack.addresses.sandbox), person);
    const told = {
      token,
      locale,
      theme: 'system',
      serviceNumberId: person.serviceNumberId,
      contactId: samples['contactId'] ?? '',
      timeZone: 'Asia/Taipei',
    };
    const fragment = `#${new URLSearchParams(told).toString()}`;
    await opened.page.goto(`${stack.addresses.bff}/embed/main${fragment}`);
    await opened.page.locator('h1').first().waitFor();
    const faults = await walk(opened, 'embed', { locale, data, samples, fragment });
    await opened.page.context().close();
    return faults;
  }

  it('has a campaign from last week, which polling the platform again would date today', async () => {
    const { id } = await samplesOfDemo(await apiAs(stack, ada));
    const tasks = await stack.database
      .connect(
        'outreach',
        'owner',
      )('broadcast_task')
      .where('campaign_id', id)
      .select('next_poll_at', 'started_at');
    expect(tasks).to.not.have.length(0);
    for (const { nextPollAt: next, startedAt: started } of tasks) {
      expect(next).to.equal(null);
      expect(Date.now() - Date.parse(started)).to.be.above(5 * 86_400_000);
    }
  });

  it('has a campaign with a control group, of which something can be said and something cannot be said yet', async () => {
    const api = await apiAs(stack, ada);
    const { items } = await api.get<ApiPage<Campaign>>('/campaigns?q=Breakfast%20from%20seven');
    const { comparisons } = await api.get<CampaignLift>(`/campaigns/${items[0]?.id}/lift`);
    // Clicks of other campaigns may have tagged some of them meanwhile.
    const said = Object.fromEntries(
      comparisons.map(({ measure, verdict }) => [measure.type === 'tag' ? measure.name : measure.type, verdict]),
    );
    expect(said).to.include({ conversation: 'too_few', 'Bought breakfast': 'higher' });
  });

  it('keeps wide tables from making the page scroll sideways between the widths of a phone and a desktop', async () => {
    const { page } = await visitor('en');
    await signIn(page, stack, ada);
    const { id } = await samplesOfDemo(await apiAs(stack, ada));
    const wide: string[] = [];
    for (const path of ['/campaigns', `/campaigns/${id}/progress`, '/orders']) {
      await page.goto(`${stack.addresses.bff}/app${path}`);
      await page.getByRole('table').getByRole('cell').first().waitFor();
      for (const width of [1030, 720]) {
        await page.setViewportSize({ width, height: 860 });
        const overflow = await overflowOf(page);
        if (overflow > 0) wide.push(`${path} at ${width}: ${overflow} px`);
      }
    }
    expect(wide).to.deep.equal([]);
    await page.context().close();
  });

  it('begins no transition where the system asks for less motion', async () => {
    const { page } = await visitor('en');
    await signIn(page, stack, ada, '/app/campaigns');
    await page.getByRole('table').getByRole('cell').first().waitFor();
    await page.evaluate(`window.begun = 0; addEventListener('transitionrun', () => { window.begun += 1; })`);
    await page.emulateMedia({ colorScheme: 'dark' });
    await eventually('the page is dark', () => page.evaluate<boolean>(`document.documentElement.matches('.dark')`));
    await page.setViewportSize({ width: 320, height: 860 });
    await eventually('the page has settled', () => page.evaluate<boolean>(settled));
    expect(await page.evaluate<number>('window.begun')).to.equal(0);
    await page.context().close();
  });

  for (const [data, person] of [
    ['full', ada],
    ['empty', eva],
  ] as const) {
    for (const [surface, visit] of Object.entries({ app: visitApp, embed: visitEmbed })) {
      it(`/${surface} is accessible and fits, in both languages, themes and widths: ${data}`, async () => {
        const seen = whole || data === 'full' ? locales : locales.slice(0, 1);
        const faults = await Promise.all(seen.map((locale) => visit(person, locale, data)));
        expect(faults.flat()).to.deep.equal([]);
      });
    }
  }
});
