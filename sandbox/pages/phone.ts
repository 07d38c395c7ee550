import { page } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import type { ClickRecord, Session } from '../platform/clicks/log.ts';
import type { Clicks } from '../platform/clicks/clicks.ts';
import { isDelivered, noticeIdOf } from '../platform/broadcasts/notices.ts';
import type { Contacts } from '../platform/contacts/contacts.ts';
import type { Message } from '../platform/broadcasts/messages.ts';
import { reachedAt } from '../platform/broadcasts/outcomes.ts';
import type { Task, Tasks } from '../platform/broadcasts/tasks.ts';
import type { Tenants } from '../platform/integration/tenants.ts';
import type { Webhooks } from '../platform/webhooks/webhooks.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { showPage } from './layout.ts';

export interface PhoneDeps {
  tenants: Tenants;
  contacts: Contacts;
  tasks: Tasks;
  clicks: Clicks;
  webhooks: Webhooks;
}

const SHOWN_CARDS = 40;

interface Item {
  at: number;
  view: Html;
}

const clockTime = (at: number | string): string =>
  new Date(at).toLocaleString('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

/** The tasks a contact has received, newest last. */
function received(
  tasks: Tasks,
  platformTenantId: string,
  contactId: string,
): Array<{ task: Task; index: number; at: number }> {
  const found = [];
  for (const task of tasks.list()) {
    if (task.platformTenantId !== platformTenantId || !task.run) continue;
    const index = task.contactIds.indexOf(contactId);
    if (index >= 0 && isDelivered(task, index)) found.push({ task, index, at: reachedAt(task, task.run, index) });
  }
  return found.sort((one, other) => one.at - other.at).slice(-SHOWN_CARDS);
}

function messageView(message: Message, noticeId: string): Html {
  if (message.type === 'text')
    return html`<div class="message">
      <div class="words"><p>${message.text}</p></div>
    </div>`;
  if (message.type === 'image')
    return html`<div class="message"><img class="picture" src="${message.url}" alt="picture" /></div>`;
  if (message.type === 'file') {
    return html`<div class="message">
      <div class="words">📎 <a href="${message.url}" rel="noreferrer">${message.name}</a></div>
    </div>`;
  }
  const actions = message.actions.map((action, index) => {
    const note = action.text ? html`<br /><small>${action.text}</small>` : null;
    return action.type === 'Url'
      ? html`<a href="/notice-click/${noticeId}/${index}" target="_blank" rel="noreferrer">${action.label} ↗${note}</a>`
      : html`<button data-post="/notice-postback/${noticeId}/${index}">${action.label}${note}</button>`;
  });
  return html`<article class="message buttons">
    ${message.image ? html`<img class="picture" src="${message.image}" alt="" />` : null}
    <div class="words">
      <b>${message.title}</b>
      <p>${message.text}</p>
    </div>
    ${actions.length > 0 ? html`<div class="actions">${actions}</div>` : null}
  </article>`;
}

function replyOf(click: ClickRecord, tasks: Tasks): Html | null {
  const messageIndex = Number(click.noticeId.split('_').at(-1));
  const message = tasks.find(click.taskId)?.messages[messageIndex];
  const action = message?.type === 'buttons' ? message.actions[click.actionIndex] : undefined;
  if (!action) return null;
  if (action.type === 'Url') return html`<div class="system">Opened “${action.label}”</div>`;
  return html`<div class="reply">${action.displayText ?? action.label}</div>`;
}

function threadOf(
  deps: PhoneDeps,
  clicks: ClickRecord[],
  sessions: Session[],
  tasks: ReturnType<typeof received>,
): Item[] {
  const items: Item[] = [];
  for (const { task, index, at } of tasks) {
    items.push({ at, view: html`<div class="when">${clockTime(at)}</div>` });
    task.messages.forEach((message, messageIndex) => {
      items.push({ at: at + messageIndex, view: messageView(message, noticeIdOf(task, index, messageIndex)) });
    });
  }
  for (const click of clicks) {
    const view = replyOf(click, deps.tasks);
    if (view) items.push({ at: Date.parse(click.clickedAt) + 10, view });
  }
  for (const { openedAt, closedAt } of sessions) {
    items.push({ at: Date.parse(openedAt) + 20, view: html`<div class="system">A conversation has begun</div>` });
    if (closedAt)
      items.push({ at: Date.parse(closedAt), view: html`<div class="system">The conversation has ended</div>` });
  }
  return items.sort((one, other) => one.at - other.at);
}

function sidePanel(deps: PhoneDeps, clicks: ClickRecord[], sessions: Session[]): Html {
  const { log } = deps.webhooks;
  const states = new Map([...log.ended().slice(-2000), ...log.pending()].map((one) => [one.eventId, one.status]));
  const rows = clicks
    .slice(-12)
    .toReversed()
    .map(
      (click) =>
        html`<tr>
          <td>${clockTime(click.clickedAt)}</td>
          <td>${click.type} ${click.actionIndex}</td>
          <td><code>${click.data ?? ''}</code></td>
          <td>
            <span class="pill ${states.get(click.eventId) ?? ''}">${states.get(click.eventId) ?? 'no receiver'}</span>
          </td>
        </tr>`,
    );
  const open = sessions
    .filter((session) => !session.closedAt)
    .map(
      (session) =>
        html`<p>
          <button
            data-post="/sandbox/sessions/${session.sessionId}:close"
            data-body='{"durationSeconds":180,"messageCount":6}'
          >
            End the open conversation
          </button>
        </p>`,
    );
  return html`<aside class="side-panel">
    <h2>What the platform recorded</h2>
    ${
      clicks.length === 0
        ? html`<p class="empty">No click yet. Press a button on the phone.</p>`
        : html`<table>
            <thead>
              <tr>
                <th>When</th>
                <th>Button</th>
                <th>Data</th>
                <th>Event</th>
              </tr>
            </thead>
            <tbody>
              ${rows}
            </tbody>
          </table>`
    }
    ${open}
  </aside>`;
}

/** The part of the page that is refreshed every second. */
function screen(deps: PhoneDeps, platformTenantId: string, contactId: string): Html {
  const tasks = received(deps.tasks, platformTenantId, contactId);
  const own = new Set(tasks.map(({ task }) => task.taskId));
  const clicks = deps.clicks.list().filter((click) => click.contactId === contactId && own.has(click.taskId));
  const numbers = deps.tenants.find(platformTenantId)?.serviceNumbers ?? [];
  const sessions = deps.clicks
    .sessions()
    .filter(
      (one) => one.contactId === contactId && numbers.some((number) => number.serviceNumberId === one.serviceNumberId),
    );
  const items = threadOf(deps, clicks, sessions, tasks).map(({ view }) => view);
  const last = tasks.at(-1)?.task.serviceNumberId;
  const sender = numbers.find((number) => number.serviceNumberId === last)?.name ?? numbers[0]?.name ?? 'Messages';
  const now = new Date().toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return html`<div class="device">
      <div class="screen">
        <div class="island"></div>
        <div class="status-bar">${now}</div>
        <div class="sender">
          <span class="avatar">${sender.slice(0, 1)}</span>
          <div><b>${sender}</b><small>Service number</small></div>
        </div>
        <div class="thread">
          ${items.length > 0 ? items : html`<p class="nothing">No messages yet.<br />They appear here as a campaign is sent.</p>`}
        </div>
        <div class="home-line"></div>
      </div>
    </div>
    ${sidePanel(deps, clicks, sessions)}`;
}

/** Some contacts whose phones are worth a look: recipients of the newest tasks, otherwise the first contacts. */
function suggestions(deps: PhoneDeps, platformTenantId: string): string[] {
  const newest = [...deps.tasks.list()]
    .filter((task) => task.platformTenantId === platformTenantId && task.run)
    .slice(-3);
  const reached = newest.toReversed().flatMap((task) => {
    const some = [];
    for (let index = 0; index < task.contactIds.length && some.length < 3; index += 1) {
      if (isDelivered(task, index)) some.push(task.contactIds[index] ?? '');
    }
    return some;
  });
  if (reached.length > 0) return [...new Set(reached)];
  const [number] = deps.tenants.find(platformTenantId)?.serviceNumbers ?? [];
  const [first] = number ? deps.contacts.iterate(number.serviceNumberId) : [];
  return first ? [first.contactId] : [];
}

function phonePage(deps: PhoneDeps, wantedTenant: string | null, wantedContact: string | null) {
  const tenants = deps.tenants.list();
  const tenantId =
    wantedTenant ?? [...deps.tasks.list()].at(-1)?.platformTenantId ?? tenants[0]?.platformTenantId ?? '';
  const suggested = suggestions(deps, tenantId);
  const contactId = wantedContact ?? suggested[0] ?? '';
  const numbers = deps.tenants.find(tenantId)?.serviceNumbers ?? [];
  const contact = numbers.map(({ serviceNumberId }) => deps.contacts.find(serviceNumberId, contactId)).find(Boolean);
  const query = new URLSearchParams({ tenant: tenantId, contact: contactId }).toString();
  const body = html`<main>
    <h1>${contact?.displayName ?? 'A customer'}’s phone</h1>
    <form class="row">
      <label
        >Tenant<select name="tenant">
          ${tenants.map((tenant) =>
            tenant.platformTenantId === tenantId
              ? html`<option value="${tenant.platformTenantId}" selected>${tenant.name}</option>`
              : html`<option value="${tenant.platformTenantId}">${tenant.name}</option>`,
          )}
        </select></label
      >
      <label>Contact<input name="contact" value="${contactId}" /></label>
      <button>Show</button>
      <span class="names"
        >${suggested.map((id) => html`<a class="pill" href="/phone?${new URLSearchParams({ tenant: tenantId, contact: id }).toString()}">${id}</a>`)}</span
      >
    </form>
    <div class="desk" data-phone="/phone/screen?${query}">${screen(deps, tenantId, contactId)}</div>
  </main>`;
  return showPage({ title: 'Phone', body, scripts: ['phone.js'], styles: ['phone.css'] });
}

/** A contact's phone, refreshed while it is open. */
export function phonePages(deps: PhoneDeps): Route[] {
  return [
    page('/phone', (call) => phonePage(deps, call.query.get('tenant'), call.query.get('contact'))),
    page('/phone/screen', (call) => ({
      status: 200,
      body: screen(deps, call.query.get('tenant') ?? '', call.query.get('contact') ?? '').markup,
      headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' },
    })),
  ];
}
