import { createNonce, sign } from '#domain/signature.ts';
import type { TestIntegration } from '../support/services/bff.ts';

/** What the platform sends: everything that a signature covers, and the signature. */
export interface Call {
  tenantIntegrationId: string;
  nonce: string;
  body: string;
  signature: string;
}

export const validCall = (secret: string, tenantIntegrationId: string, body: string): Call => {
  const nonce = createNonce();
  return { tenantIntegrationId, nonce, body, signature: sign(secret, { tenantIntegrationId, nonce, body }) };
};

/** Whom a forger knows, and where and how to change a call. */
export interface Forger {
  /** Whose calls are forged. */
  target: TestIntegration;
  /** Installed as well, by the forger. */
  own: TestIntegration;
  /** What was the target's until the end of its grace. */
  oldSecret: string;
  /** Another valid call to the target, which the forger saw. */
  seen: Call;
  /** Any natural number. */
  position: number;
  /** 0 to 7. */
  bit: number;
}

const flipped = (bytes: Buffer, position: number, bit: number): Buffer => {
  const changed = Buffer.from(bytes);
  const at = position % changed.length;
  changed[at] = (changed[at] ?? 0) ^ (1 << bit);
  return changed;
};

const replacedAt = (text: string, position: number, alphabet: string): string => {
  const at = position % text.length;
  const others = [...alphabet].filter((character) => character !== text[at]);
  return `${text.slice(0, at)}${others[position % others.length] ?? ''}${text.slice(at + 1)}`;
};

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Ways to make a call that its target must reject out of one that it would accept. */
export const forgeries: Record<string, (call: Call, forger: Forger) => Call> = {
  'a bit of the signature': (call, { position, bit }) => ({
    ...call,
    signature: flipped(Buffer.from(call.signature, 'base64'), position, bit).toString('base64'),
  }),
  // The last character before the padding has bits that stand for nothing.
  'a character of the signature': (call, { position }) => ({
    ...call,
    signature: `${replacedAt(call.signature.slice(0, -1), position, BASE64)}=`,
  }),
  'the last character of the signature': (call, { position }) => ({
    ...call,
    signature: `${call.signature.slice(0, 42)}${replacedAt(call.signature.slice(42, 43), position, BASE64)}=`,
  }),
  'a shortened signature': (call, { position }) => ({ ...call, signature: call.signature.slice(0, position % 44) }),
  'the signature in hex': (call) => ({ ...call, signature: Buffer.from(call.signature, 'base64').toString('hex') }),
  'the signature without padding': (call) => ({ ...call, signature: call.signature.replaceAll('=', '') }),
  'a digit of the nonce': (call, { position }) => ({
    ...call,
    nonce: replacedAt(call.nonce, position, '0123456789abcdef'),
  }),
  'a character of the body': (call, { position }) => ({
    ...call,
    body: replacedAt(call.body, position, 'abcdefghijklmnopqrstuvwxyz0123456789 "{}'),
  }),
  'a longer body': (call) => ({ ...call, body: `${call.body} ` }),
  'no body': (call) => ({ ...call, body: '' }),
  'a character of the id': (call, { position }) => ({
    ...call,
    tenantIntegrationId: replacedAt(call.tenantIntegrationId, position, 'abcdefghijklmnopqrstuvwxyz0123456789_'),
  }),
  'another call’s signature': (call, { seen }) => ({ ...call, signature: seen.signature }),
  'another call’s nonce': (call, { seen }) => ({ ...call, nonce: seen.nonce }),
  'another call’s body': (call, { seen }) => ({ ...call, body: seen.body.replace('}', ' }') }),
  // What is signed stays the same: only where it is split differs.
  'a nonce that begins in the id': ({ tenantIntegrationId: id, nonce, body, signature }) => ({
    tenantIntegrationId: id.slice(0, -1),
    nonce: `${id.slice(-1)}${nonce.slice(0, 31)}`,
    body: `${nonce.slice(31)}${body}`,
    signature,
  }),
  'a nonce that ends in the body': ({ nonce, body, ...call }) => ({
    ...call,
    nonce: `${nonce}${body.slice(0, 1)}`,
    body: body.slice(1),
  }),
  'the forger’s own secret': (call, { own }) => ({ ...call, signature: sign(own.secret, call) }),
  'the forger’s own call under the target’s id': (call, { own }) => ({
    ...validCall(own.secret, own.tenantIntegrationId, call.body),
    tenantIntegrationId: call.tenantIntegrationId,
  }),
  'a secret that was replaced': (call, { oldSecret }) => ({ ...call, signature: sign(oldSecret, call) }),
  'an empty secret': (call) => ({ ...call, signature: sign('', call) }),
  'the id as the secret': (call) => ({ ...call, signature: sign(call.tenantIntegrationId, call) }),
  'no signature': (call) => ({ ...call, signature: '' }),
};
