import { startBrowser } from '../test/support/browser/launch.ts';
import { operatorOn, pace, secondsOf } from '../test/support/tasks/operator.ts';
import { openTaskSite } from '../test/support/tasks/task-site.ts';
import { tasks } from '../test/support/tasks/tasks.ts';
import { eventually } from '../test/support/time/eventually.ts';
import { elapsed } from './elapsed.ts';

/**
 * Clicks and seconds that an operator needs in the console for what operators do most: seconds are those of a person at
 * the pace of the keystroke-level model, and those that the console takes to respond, measured in a browser.
 */
export async function operatorTasks() {
  const browser = await startBrowser();
  if (!browser) throw new Error('There is no browser: install Chromium or set CHROME_PATH');
  const site = await openTaskSite(browser);
  try {
    const measured = [];
    for (const task of tasks) {
      await site.page.goto(`${site.console}${await task.prepare(site)}`);
      await site.page.locator('h1').first().waitFor();
      const operator = operatorOn(site.page);
      const [, responseSeconds] = await elapsed(() => task.perform(operator, site));
      await eventually('the task is done', () => task.isDone(site));
      const effort = operator.effort();
      const personSeconds = secondsOf(effort);
      const seconds = Math.round((personSeconds + responseSeconds) * 10) / 10;
      measured.push({ task: task.name, ...effort, personSeconds, responseSeconds, seconds, before: task.before });
    }
    return { pace, tasks: measured };
  } finally {
    await browser.close();
    await site.stack.stop();
  }
}
