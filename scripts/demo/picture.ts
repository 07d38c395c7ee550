import type { Campaign } from '#domain/api/campaign.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { JsonClient } from './client.ts';
import { tenant } from './content.ts';

/** 200 × 105 pixels in two browns: smaller than a card should have it, so that its check says something. */
const small = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAMgAAABpCAMAAABIxpznAAAABlBMVEWSVCrp1rxEU17HAAAARElEQVR42u3PAQ0AAAgDoNu/tDHuHDQgAQAAAAAAAAAAAAAAAIAz5gkRERERERERERERERERERERERERERERERERka4FHh0bWYMetzwAAAAASUVORK5CYII=',
  'base64',
);

/**
 * Uploads the picture of a draft that is not there yet.
 * @returns its address; null if the draft has been seeded, or there is no file service.
 */
export async function seedPicture(
  api: JsonClient,
  { bffUrl, token, draft }: { bffUrl: string; token: string; draft: string },
): Promise<string | null> {
  const path = `/campaigns?serviceNumberId=${tenant.serviceNumberId}&limit=200`;
  const { items } = await api.get<Page<Campaign>>(path);
  if (items.some(({ name }) => name === draft)) return null;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'image/png' };
  const response = await fetch(`${bffUrl}/api/v1/images`, { method: 'POST', headers, body: new Uint8Array(small) });
  return response.ok ? ((await response.json()) as { url: string }).url : null;
}
