import type { Payload, PayloadCodec } from '@temporalio/common';
import { z } from 'zod';
import { openBytes, sealBytes } from '#domain/keys/cipher.ts';
import type { KeyRing } from '#domain/keys/key-ring.ts';

const ENCODING = 'binary/encrypted';
const KEY_ID = 'encryption-key-id';
/** Separates Temporal payloads from stored values: neither decrypts as the other. */
const CONTEXT = 'temporal payload v1';

/** A payload as JSON: bytes in base64, as Temporal's remote codecs exchange them. */
export const payloadSchema = z.object({
  metadata: z.record(z.string(), z.base64()).optional(),
  data: z.base64().optional(),
});
export type PayloadJson = z.infer<typeof payloadSchema>;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

export const payloadToJson = ({ metadata, data }: Payload): PayloadJson => ({
  metadata: Object.fromEntries(Object.entries(metadata ?? {}).map(([name, value]) => [name, base64(value)])),
  ...(data ? { data: base64(data) } : {}),
});

export const payloadOfJson = ({ metadata = {}, data }: PayloadJson): Payload => ({
  metadata: Object.fromEntries(Object.entries(metadata).map(([name, text]) => [name, Buffer.from(text, 'base64')])),
  ...(data === undefined ? {} : { data: Buffer.from(data, 'base64') }),
});

/**
 * Seals payloads with AES-256-GCM on their way to Temporal: the first key of the ring seals, all of them open. What was
 * not sealed passes as it is, so that runs from before go on. Workflow ids and search attributes are no payloads.
 */
export function createPayloadCodec(ring: KeyRing): PayloadCodec {
  const keys = new Map(ring.map(({ id, key }) => [String(id), Buffer.from(key, 'base64')]));
  const [{ id, key }] = ring;
  const [currentId, current] = [Buffer.from(String(id)), Buffer.from(key, 'base64')];

  function opened(payload: Payload): Payload {
    const text = (name: string) => Buffer.from(payload.metadata?.[name] ?? []).toString();
    if (text('encoding') !== ENCODING) return payload;
    const sealedWith = keys.get(text(KEY_ID));
    if (!sealedWith) throw new Error(`Sealed with the key ${text(KEY_ID)}, which is not in TEMPORAL_PAYLOAD_KEYS`);
    const json = openBytes(sealedWith, payload.data ?? new Uint8Array(), CONTEXT).toString('utf8');
    return payloadOfJson(payloadSchema.parse(JSON.parse(json)));
  }

  return {
    encode: async (payloads) =>
      payloads.map((payload) => ({
        metadata: { encoding: Buffer.from(ENCODING), [KEY_ID]: currentId },
        data: sealBytes(current, Buffer.from(JSON.stringify(payloadToJson(payload))), CONTEXT),
      })),
    decode: async (payloads) => payloads.map(opened),
  };
}
