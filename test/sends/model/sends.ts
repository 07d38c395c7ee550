import type { Message } from '#domain/api/messages.ts';
import { firstRow, rows } from '#db/database.ts';
import { membersOfControlGroup } from '#db/outreach/tenants/control-group.ts';
import { sendCampaign } from '#commands/outreach/sends/send-campaign.ts';
import { seedLargeDraft, seedSend } from '#test/support/outreach/rows.ts';
import { askUntilApproved, requireApproval } from './approvals.ts';
import type { Chances } from './chances.ts';
import { drawFeatures } from './features.ts';
import type { Platform } from './platform.ts';
import type { World } from './state.ts';

const MINUTE = 60_000;
const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** A button that opens a conversation needs an entry source, before anything is sent. */
const conversing: Message[] = [
  {
    type: 'buttons',
    title: 'Spring',
    text: 'New arrivals',
    actions: [
      { type: 'Postback', label: 'Ask', data: { event: 'InboundReason' } },
      { type: 'Url', label: 'More', url: 'https://shop.example/more' },
    ],
  },
];

/** The sizes of the sub-tasks of the first send. */
function sizesOf(chances: Chances, { rejects }: Platform): number[] {
  // So many that a retry of them is prepared by its workflow; where they are accepted, each is followed for hours.
  if (chances.fraction('many') < (rejects ? 0.4 : 0.05))
    return range(chances.between(21, 27, 'sub-tasks')).map(() => 1);
  return range(chances.between(1, 6, 'sub-tasks')).map((index) => chances.between(1, 4, 'contacts', index));
}

type Drawn = 'send' | 'audience' | 'paces' | 'hasVariants' | 'hasSteps' | 'isDrawn' | 'needsApproval';
type Beginning = Omit<World, Drawn>;
type Begun = Pick<World, Drawn>;

/** Some tenants have a control group. @returns those of the contacts who are in it. */
async function drawControlGroup({ chances, database, tenant }: Beginning, contactIds: string[]): Promise<Set<string>> {
  if (chances.fraction('control group') >= 0.25) return new Set();
  const { tenantId } = tenant;
  await rows(
    database,
    'update tenant set control_percent = 20, control_since = now(), control_key = :key where tenant_id = :tenantId',
    { key: chances.between(0, 2 ** 40, 'control key'), tenantId },
  );
  return await membersOfControlGroup(database, tenantId, contactIds);
}

/** Some are too large for one person: by a limit that there was before, or that is set before the audience is frozen. */
async function sendLarge(world: Beginning): Promise<Begun> {
  const { chances, database, author, clock } = world;
  const { tenantId } = world.tenant;
  const features = chances.fraction('features') < 0.7 ? drawFeatures(chances, clock) : {};
  const contactIds = range(25).map((index) => `c${index + 1}`);
  const control = await drawControlGroup(world, contactIds);
  const campaignId = await seedLargeDraft(database, tenantId, features);
  const approval = chances.draw({ none: 40, before: 30, meanwhile: 30 }, 'approval');
  if (approval === 'before') {
    await requireApproval(world);
    await askUntilApproved({ ...world, campaignId });
  } else
    await sendCampaign(database, author, campaignId, {
      idempotencyKey: null,
      expectedReachableCount: null,
      now: clock.now(),
    });
  if (approval === 'meanwhile') await requireApproval(world);
  const dispatch = await firstRow<{ dispatchId: string; number: number }>(
    database,
    'select dispatch_id, number from dispatch where campaign_id = :campaignId',
    { campaignId },
  );
  if (!dispatch) throw new Error('nothing was sent');
  return {
    needsApproval: approval !== 'none',
    paces: [{ since: 0, pace: features.pace ?? null }],
    hasVariants: Boolean(features.variants),
    hasSteps: Boolean(features.steps),
    isDrawn: Boolean(features.holdoutPercent) || features.take !== undefined,
    send: { tenantId, campaignId, ...dispatch },
    audience: contactIds.filter((contactId) => !control.has(contactId)),
  };
}

async function sendChunks(world: Beginning, startsInMinutes: number): Promise<Begun> {
  const { chances, database, tenant, clock, platform } = world;
  const at = startsInMinutes > 0 ? { at: new Date(clock.now().getTime() + startsInMinutes * MINUTE) } : {};
  const messages = chances.fraction('conversations') < 0.35 ? { messages: conversing } : {};
  const chunks = sizesOf(chances, platform);
  const send = await seedSend(database, tenant.tenantId, { chunks, ...at, ...messages });
  const audience = chunks.flatMap((size, chunk) => range(size).map((index) => `c${chunk}-${index + 1}`));
  return {
    send,
    audience,
    paces: [{ since: 0, pace: null }],
    hasVariants: false,
    hasSteps: false,
    isDrawn: false,
    needsApproval: false,
  };
}

/**
 * A campaign as `:send` leaves it; some in many small sub-tasks, some whose audience is still to be prepared, some
 * with buttons that open conversations, and some that end while they are being sent.
 */
export async function prepareSend(world: Beginning): Promise<Begun> {
  const { chances, database, clock } = world;
  const large = chances.fraction('large') < 0.35;
  const wait = large ? 0 : Number(chances.draw({ 0: 60, 3: 15, 60: 25 }, 'schedule'));
  const begun = large ? await sendLarge(world) : await sendChunks(world, wait);
  if (chances.fraction('ends') < 0.25) {
    const minutes = wait + chances.pick([1, 4, 10, 45, 300], 'ends after');
    const endsAt = new Date(clock.now().getTime() + minutes * MINUTE);
    await rows(database, 'update campaign set ends_at = :endsAt where campaign_id = :campaignId', {
      endsAt,
      campaignId: begun.send.campaignId,
    });
  }
  return begun;
}
