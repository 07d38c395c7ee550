import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '#domain/keys/secrets.ts';

/** The link of a card that an order came from: one button of one sub-task, the same for all its contacts. */
export interface TrackedClick {
  /** A UUID, as is the key of the sub-task. */
  campaignId: string;
  subTaskKey: string;
  messageIndex: number;
  actionIndex: number;
  /** What is paid later does not count for the campaign. Whole seconds. */
  countsUntil: Date;
}

/** `wrong`: altered, of another tenant, or signed with a secret that is not ours (any more). */
export type TokenFault = 'malformed' | 'wrong' | 'expired';

export type VerifiedToken = { click: TrackedClick } | { fault: TokenFault };

const VERSION = 1;
const UUID_BYTES = 16;
const PAYLOAD_BYTES = 1 + UUID_BYTES + UUID_BYTES + 1 + 2 + 4;
const TAG_BYTES = 16;

/** What is signed, and of which every bit counts: 56 bytes in base64url. */
const SHAPE = /^[A-Za-z0-9_-]{75}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const bytesOf = (uuid: string): Buffer => {
  if (!UUID.test(uuid)) throw new Error('A click token names a campaign and a sub-task by their UUIDs');
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
};
const uuidOf = (bytes: Buffer): string => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

function write({ campaignId, subTaskKey, messageIndex, actionIndex, countsUntil }: TrackedClick): Buffer {
  const payload = Buffer.alloc(PAYLOAD_BYTES);
  payload.writeUInt8(VERSION, 0);
  bytesOf(campaignId).copy(payload, 1);
  bytesOf(subTaskKey).copy(payload, 1 + UUID_BYTES);
  payload.writeUInt8(messageIndex, 33);
  payload.writeUInt16BE(actionIndex, 34);
  payload.writeUInt32BE(Math.floor(countsUntil.getTime() / 1000), 36);
  return payload;
}

const read = (payload: Buffer): TrackedClick => ({
  campaignId: uuidOf(payload.subarray(1, 1 + UUID_BYTES)),
  subTaskKey: uuidOf(payload.subarray(1 + UUID_BYTES, 1 + 2 * UUID_BYTES)),
  messageIndex: payload.readUInt8(33),
  actionIndex: payload.readUInt16BE(34),
  countsUntil: new Date(payload.readUInt32BE(36) * 1000),
});

export interface ClickTokens {
  /** 75 characters that need no escaping in an address; platformTenantId is signed with them. */
  issue(platformTenantId: string, click: TrackedClick): string;
  verify(platformTenantId: string, token: unknown, now: Date): VerifiedToken;
}

/** Signs with the first secret and accepts any of them, under keys that serve nothing else. */
export function createClickTokens(secrets: Secrets): ClickTokens {
  const keyOf = (secret: string) => Buffer.from(hkdfSync('sha256', secret, '', 'click token v1', 32));
  const first = keyOf(secrets[0]);
  const keys = [first, ...secrets.slice(1).map(keyOf)];
  // The payload has a fixed length, so nothing can be shifted between it and the tenant's id.
  const tagOf = (key: Buffer, tenantId: string, payload: Buffer) =>
    createHmac('sha256', key).update(payload).update(tenantId).digest().subarray(0, TAG_BYTES);
  return {
    issue(platformTenantId, click) {
      const payload = write(click);
      return Buffer.concat([payload, tagOf(first, platformTenantId, payload)]).toString('base64url');
    },
    verify(platformTenantId, token, now) {
      if (typeof token !== 'string' || !SHAPE.test(token)) return { fault: 'malformed' };
      const bytes = Buffer.from(token, 'base64url');
      const payload = bytes.subarray(0, PAYLOAD_BYTES);
      if (payload.readUInt8(0) !== VERSION || bytes.toString('base64url') !== token) return { fault: 'malformed' };
      const tag = bytes.subarray(PAYLOAD_BYTES);
      const isOurs = keys.some((key) => timingSafeEqual(tagOf(key, platformTenantId, payload), tag));
      if (!isOurs) return { fault: 'wrong' };
      const click = read(payload);
      return click.countsUntil > now ? { click } : { fault: 'expired' };
    },
  };
}
