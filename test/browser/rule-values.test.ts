import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Page as ApiPage } from '#domain/api/primitives.ts';
import type { Rule } from '#domain/api/rules.ts';
import type { Tag } from '#domain/api/tags.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { inOrder } from '../support/in-order.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';

const serviceNumberId = 'sn-values';

/** How far the arrow of each select lies outside the border of its select, in pixels. */
const outsideOfSelects = `[...document.querySelectorAll('main select')].map((select) => {
  const box = select.getBoundingClientRect();
  const arrow = select.parentElement.querySelector('svg').getBoundingClientRect();
  return Math.max(0, box.left - arrow.left, arrow.right - box.right, box.top - arrow.top, arrow.bottom - box.bottom);
})`;

describe('lists of values in rules', function () {
  this.timeout(120_000);
  inOrder(this);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let rule: Rule;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, { serviceNumberId, contacts: 3 }));
    await tenant.api.post<Tag>('/tags', { name: 'visitor', serviceNumberId, kind: 'permanent' });
    await signIn(page, stack, ada, '/app/rules/new');
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const values = () => page.getByRole('textbox', { name: 'Values' });
  const read = async () => (await tenant.api.get<ApiPage<Rule>>('/smart-tag-rules')).items[0] as Rule;

  it('takes what is typed or pasted apart at commas and lines, and stores each value', async () => {
    await page.getByRole('textbox', { name: 'Name' }).fill('Visitors');
    await page.getByRole('button', { name: 'Add condition' }).click();
    await page.getByRole('combobox', { name: 'Operator', exact: true }).selectOption('is one of');
    await values().fill('north, south');
    await values().press('Enter');
    await values().pressSequentially('east,');
    await page
      .getByText('When a notice is clicked and event code is one of north, south, east, tag … for good')
      .waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(`navigator.clipboard.writeText('west\\nnorth，pier、hall')`);
    await values().press('ControlOrMeta+v');
    await page.getByText('north, south, east, west, pier, 1 more').waitFor();
    await page.getByRole('button', { name: 'hall', exact: true }).click();
    await page.getByRole('button', { name: 'Add the tag' }).click();
    await page.getByRole('option', { name: 'visitor' }).click();
    await expectAccessible(page);
    await takeScreenshot(page, 'rule-values');
    // What stands in the field when the form is sent counts, too.
    await values().fill('quay');
    await page.getByRole('button', { name: 'Create rule' }).click();
    await page.getByRole('heading', { name: 'Test on past events' }).waitFor();
    rule = await read();
    expect(rule.matchCondition).to.deep.equal({
      all: [{ field: 'bizEventCode', op: 'in', value: ['north', 'south', 'east', 'west', 'pier', 'quay'] }],
    });
  });

  it('tells a value with a comma from two values, and shows by value what a version changed', async () => {
    const condition = (value: string[]) => ({ matchCondition: { all: [{ field: 'bizEventCode', op: 'in', value }] } });
    const stays = ['south', 'east', 'west', 'pier', 'quay'];
    await tenant.api.patch(`/smart-tag-rules/${rule.ruleId}`, condition(['north,hall', ...stays]));
    await tenant.api.patch(`/smart-tag-rules/${rule.ruleId}`, condition(['north', 'hall', ...stays]));
    await page.reload();
    const second = page.locator('#version-2');
    await second.getByText('“north,hall”').first().waitFor();
    const third = page.locator('#version-3');
    expect(await third.getByRole('deletion').allInnerTexts()).to.deep.equal(['“north,hall”']);
    expect(await third.getByRole('insertion').allInnerTexts()).to.deep.equal(['north', 'hall']);
    await expectAccessible(page);
    await takeScreenshot(page, 'rule-values-versions');
    await page.goto(`${stack.addresses.bff}/app/rules/${rule.ruleId}/edit`);
    await page.getByRole('button', { name: 'hall', exact: true }).waitFor();
  });

  it('keeps the arrow of each select inside its border', async () => {
    for (const width of [1280, 768, 320]) {
      await page.setViewportSize({ width, height: 860 });
      await takeScreenshot(page, `rule-values-${width}`);
      expect(await page.evaluate<number[]>(outsideOfSelects), `${width} px`).to.deep.equal([0, 0, 0, 0]);
    }
    expect(complaints).to.deep.equal([]);
  });
});
