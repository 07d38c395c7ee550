import type { ApiResponse } from '../http/route.ts';
import { html } from '../pages/html.ts';
import { showPage } from '../pages/layout.ts';
import type { Person } from './people.ts';

const roleNames: Record<string, string> = {
  tenant_admin: 'Administrator',
  marketing_operator: 'Marketing',
  viewer: 'Viewer',
  order_admin: 'Orders',
};

/** The people to choose from, by tenant. Development asks for no password. */
export function signInPage(people: Person[], tenantName: (tenantId: string) => string): ApiResponse {
  const tenants = [...new Set(people.map((person) => person.tenantId))];
  const groups = tenants.map(
    (tenantId) =>
      html`<section>
        <h2>${tenantName(tenantId)}</h2>
        ${people
          .filter((person) => person.tenantId === tenantId)
          .map(
            (person) =>
              html`<button class="person" name="sub" value="${person.sub}">
                <span class="avatar">${person.name.slice(0, 1)}</span>
                <span class="who">${person.name}</span>
                <span class="roles"
                  >${person.roles.map((role) => html`<span class="pill">${roleNames[role] ?? role}</span>`)}</span
                >
              </button>`,
          )}
      </section>`,
  );
  const body = html`<main class="card narrow sign-in">
    <h1>Who are you?</h1>
    <p class="quiet">Development sign-in, without passwords.</p>
    <form method="post">${groups}</form>
  </main>`;
  return showPage({ title: 'Sign in', body, bare: true, look: 'centered' });
}
