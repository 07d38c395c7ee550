import type { Campaign, SubTask } from '#domain/api/campaign.ts';
import type { SavedAudience } from '#domain/api/audiences.ts';
import type { Page as ApiPage } from '#domain/api/primitives.ts';
import type { JsonClient } from '#scripts/demo/client.ts';
import { finishedCampaign, tenant } from '#scripts/demo/content.ts';
import type { Effort, Operator } from './operator.ts';

/** What a task needs of the running demonstration. */
export interface TaskSite {
  /** The address of the console. */
  console: string;
  api: JsonClient;
  sandbox: JsonClient;
  contactIds: readonly string[];
}

export interface Task {
  name: string;
  /** At most; the test fails where the console asks for more. */
  limit: Pick<Effort, 'clicks' | 'fields'>;
  /** What it took when the console was first tried, counted by hand in that version. */
  before: string;
  /** @returns the address of the page where the task begins. */
  prepare(site: TaskSite): Promise<string>;
  perform(operator: Operator, site: TaskSite): Promise<void>;
  /** Whether the task was really done. */
  isDone(site: TaskSite): Promise<boolean>;
}

const { serviceNumberId } = tenant;
const scheduledName = 'First Sunday of Advent';
const unknownName = 'Roastery tour';
const listName = 'Guests of the fair';
const goodLines = 97;

async function campaignOf({ api }: TaskSite, name: string): Promise<Campaign> {
  const { items } = await api.get<ApiPage<Campaign>>(`/campaigns?q=${encodeURIComponent(name)}`);
  const found = items.find((one) => one.name === name);
  if (!found) throw new Error(`The demonstration has no campaign ${name}`);
  return found;
}

async function unknownTaskOf(site: TaskSite): Promise<SubTask | undefined> {
  const { id } = await campaignOf(site, unknownName);
  const { items } = await site.api.get<ApiPage<SubTask>>(`/campaigns/${id}/tasks`);
  return items.find(({ status }) => status === 'unknown');
}

const button = ({ page }: Operator, name: RegExp | string) => page.getByRole('button', { name });
const inDialog = ({ page }: Operator, name: RegExp | string) => page.getByRole('dialog').getByRole('button', { name });

const sendToTheRest: Task = {
  name: 'Send to those who did not click',
  limit: { clicks: 6, fields: 0 },
  before: 'Not possible in the console: two exports, a comparison outside, an upload, a new campaign',
  prepare: async (site) => `/campaigns/${(await campaignOf(site, finishedCampaign)).id}/results`,
  async perform(operator) {
    const { page } = operator;
    await operator.click(page.getByRole('link', { name: 'Clicks', exact: true }));
    await operator.click(button(operator, 'Send to those who did not click'));
    await operator.click(inDialog(operator, 'Create draft'));
    await page.waitForURL(/\/edit/);
    await operator.click(button(operator, /Review/).first());
    await operator.click(button(operator, /^Send to [\d,]+ contacts$/));
    await operator.click(inDialog(operator, /^Send to [\d,]+ contacts$/));
    await page.waitForURL('**/progress');
  },
  async isDone(site) {
    const { items } = await site.api.get<ApiPage<Campaign>>('/campaigns?q=follow-up');
    return items.some(({ name, status }) => name.startsWith(finishedCampaign) && status !== 'draft');
  },
};

/** Three of the lines have no contact id, as spreadsheets leave them. */
function linesOf({ contactIds }: TaskSite): string[] {
  const good = contactIds.slice(0, goodLines).map((id, index) => `Guest ${index + 1},${id}`);
  return ['name,contactId', ...good.slice(0, 40), 'No id,', '"Open,c-1', ...good.slice(40), 'Also none,'];
}

async function listOf({ api }: TaskSite): Promise<SavedAudience> {
  const body = { name: listName, serviceNumberId, type: 'contacts' };
  const { items } = await api.get<ApiPage<SavedAudience>>(`/audiences?serviceNumberId=${serviceNumberId}&limit=200`);
  return items.find(({ name }) => name === listName) ?? api.post<SavedAudience>('/audiences', body);
}

const mendList: Task = {
  name: 'Fix a list with three wrong lines',
  limit: { clicks: 3, fields: 0 },
  before: '4 clicks and an editor outside, in which the lines are searched by their numbers',
  prepare: async (site) => `/audiences/${(await listOf(site)).audienceId}`,
  async perform(operator, site) {
    const { page } = operator;
    await operator.giveFile(page.locator('input[type=file]'), { name: 'guests.csv', lines: linesOf(site) });
    await operator.click(button(operator, 'Upload 100 lines'));
    await operator.click(button(operator, `Import ${goodLines} valid lines`));
    await operator.see(page.getByText(`${goodLines} contacts stored.`));
  },
  isDone: async (site) => (await listOf(site)).memberCount === goodLines,
};

const atOf = ({ schedule }: Campaign): number => (schedule.type === 'scheduled' ? Date.parse(schedule.at) : 0);
const DAY_MS = 86_400_000;

const moveSend: Task = {
  name: 'Move a scheduled send to the next day',
  limit: { clicks: 2, fields: 1 },
  before: '4 clicks and scrolling: cancel, duplicate, set the time, schedule again',
  prepare: async (site) => `/campaigns/${(await campaignOf(site, scheduledName)).id}/progress`,
  async perform(operator, site) {
    const { page } = operator;
    const later = atOf(await campaignOf(site, scheduledName)) + DAY_MS;
    const date = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Taipei', dateStyle: 'short' }).format(later);
    await operator.click(button(operator, 'Change time'));
    await operator.typeDate(page.getByRole('dialog'), 'Date (start)', date);
    await operator.click(inDialog(operator, /^Schedule for [\d,]+ contacts$/));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  },
  isDone: async (site) => atOf(await campaignOf(site, scheduledName)) - Date.now() > 4.5 * DAY_MS,
};

const explainPayment: Task = {
  name: 'Find why a payment is stuck',
  limit: { clicks: 2, fields: 0 },
  before: '3 clicks, and four sections to put together',
  prepare: async () => '',
  async perform(operator) {
    const { page } = operator;
    const sidebar = page.getByRole('navigation', { name: 'Pages' });
    await operator.click(sidebar.getByRole('link', { name: /^Orders/ }));
    await operator.click(page.getByRole('link', { name: 'A mug, paid with too little', exact: true }).first());
    await operator.see(page.getByText('Waiting for a decision: TWD 400.00 was received, TWD 480.00 was agreed'));
  },
  isDone: () => Promise.resolve(true),
};

const resolveUnknown: Task = {
  name: 'Decide what became of an unknown sub-task',
  limit: { clicks: 4, fields: 1 },
  before: 'Not possible in the console: its key was only in the database and in Temporal UI',
  prepare: async () => '',
  async perform(operator, site) {
    const { page } = operator;
    await operator.click(page.getByRole('link', { name: `Decide: ${unknownName}` }));
    await operator.click(button(operator, 'Copy the sub-task key').first());
    // What the platform's own console would show for the key; that time is not ours.
    const path = `/sandbox/tasks?serviceNumberId=${serviceNumberId}&limit=1000`;
    const { items } = await site.sandbox.get<{ items: { name: string; taskId: string; contactCount: number }[] }>(path);
    const contacts = (await unknownTaskOf(site))?.contactCount;
    const task = items.find(({ name, contactCount }) => name === unknownName && contactCount === contacts);
    await operator.click(button(operator, 'It was sent…'));
    await operator.paste(page.getByRole('dialog').getByLabel('Platform task id'), task?.taskId ?? '');
    await operator.click(inDialog(operator, /^Count [\d,]+ contacts as sent$/));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  },
  isDone: async (site) => (await unknownTaskOf(site)) === undefined,
};

/** Tasks of operators, order staff and on-call staff, each from the page where somebody would begin. */
export const tasks: readonly Task[] = [sendToTheRest, mendList, moveSend, explainPayment, resolveUnknown];
