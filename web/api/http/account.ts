import { readonly, shallowRef } from 'vue';

/** Whose page this is; null until it is known. */
let mine: string | null = null;
const isOther = shallowRef(false);

/** To be called with whoever turns out to be signed in: somebody else may be, since another tab. */
export function meetAccount({ tenantId, userId }: { tenantId: string; userId: string }): void {
  const who = `${tenantId}/${userId}`;
  mine ??= who;
  isOther.value = who !== mine;
}

/** Whether somebody else is signed in than whom this page is for. */
export const isOtherAccount = readonly(isOther);

const refusal = { code: 'unauthorized', status: 401, title: '', detail: '' };

/** Changes nothing in the name of somebody else. */
export const fetchAsMine: typeof fetch = (input, init) =>
  isOther.value && init?.method !== 'GET'
    ? Promise.resolve(Response.json(refusal, { status: 401 }))
    : fetch(input, init);
