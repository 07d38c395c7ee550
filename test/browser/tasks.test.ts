import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser/launch.ts';
import { reportFailure } from '../support/browser/open-page.ts';
import { operatorOn } from '../support/tasks/operator.ts';
import { type OpenedTaskSite, openTaskSite } from '../support/tasks/task-site.ts';
import { tasks } from '../support/tasks/tasks.ts';
import { eventually } from '../support/time/eventually.ts';

describe('what operators do most, in the demonstration', function () {
  this.timeout(240_000);
  let browser: Browser;
  let site: OpenedTaskSite | undefined;

  before(async function () {
    browser = await launchBrowser(this);
    this.timeout(240_000);
    site = await openTaskSite(browser);
  });
  afterEach(async function () {
    if (site) await reportFailure(this.currentTest, site.page, site.stack);
  });
  after(async () => {
    await browser?.close();
    await site?.stack.stop();
  });

  for (const task of tasks)
    it(`${task.name}: at most ${task.limit.clicks} clicks`, async () => {
      if (!site) throw new Error('there is no site');
      const opened = site;
      await opened.page.goto(`${opened.console}${await task.prepare(opened)}`);
      const operator = operatorOn(opened.page);
      await task.perform(operator, opened);
      const { clicks, fields } = operator.effort();
      expect({ clicks, fields }).to.deep.equal(task.limit);
      await eventually('the task is done', () => task.isDone(opened));
    });
});
