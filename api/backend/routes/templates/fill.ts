import { type CampaignBody, campaignBodySchema } from '#domain/api/campaign.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';
import type { TemplateContent, TemplateKind, TemplateVariable } from '#domain/api/templates.ts';
import { unclearChoice } from '#domain/campaigns/cases/checks.ts';
import { fillTexts, variablesIn, withMessages } from '#domain/campaigns/templates/texts.ts';
import { tagLinks } from '#domain/campaigns/templates/utm.ts';

interface Written {
  content: TemplateContent;
  variables: readonly TemplateVariable[];
}

/** @throws Problem `invalid_content`. */
function assertOne(kind: TemplateKind, { messages, variants, steps }: TemplateContent): void {
  const isOne = messages?.length === 1 && !variants && !steps;
  if (kind === 'card' && (!isOne || messages[0]?.type !== 'buttons'))
    throw new Problem('invalid_content', 'A card is one message with buttons', {
      errors: [invalidField('/content/messages', 'one_card')],
    });
  if (kind === 'message' && !isOne)
    throw new Problem('invalid_content', 'A snippet is one message', {
      errors: [invalidField('/content/messages', 'one_message')],
    });
}

/** @throws Problem `invalid_content` where it is not clear who gets which messages. */
function assertClear(content: TemplateContent): void {
  const errors = [
    ...unclearChoice(content, '/content'),
    ...(content.steps ?? []).flatMap((step, index) => unclearChoice(step, `/content/steps/${index}`)),
  ];
  if (errors.length > 0) throw new Problem('invalid_content', 'The messages are not clear', { errors });
}

/**
 * @throws Problem `invalid_content` for a variable that is not declared, for a card or snippet that is none, and where it is not
 * clear who gets which messages.
 */
export function assertDeclared(kind: TemplateKind, { content, variables }: Written): void {
  assertOne(kind, content);
  assertClear(content);
  const declared = new Set(variables.map(({ name }) => name));
  const missing = variablesIn(content).filter((name) => !declared.has(name));
  if (missing.length > 0)
    throw new Problem('invalid_content', 'A variable is used and not declared', {
      errors: missing.map((name) => invalidField('/variables', 'variable_undeclared', { name })),
    });
}

/** What each variable is filled with. @throws Problem `invalid_content`. */
function valuesOf(
  variables: readonly TemplateVariable[],
  given: Readonly<Record<string, string>>,
): Map<string, string> {
  const known = new Set(variables.map(({ name }) => name));
  const unknown = Object.keys(given).filter((name) => !known.has(name));
  const values = variables.map(({ name, default: usual }) => [name, given[name] ?? usual] as const);
  const errors = [
    ...unknown.map((name) => invalidField(`/values/${name}`, 'variable_unknown')),
    ...values.flatMap(([name, value]) =>
      value === undefined ? [invalidField(`/values/${name}`, 'variable_missing')] : [],
    ),
  ];
  if (errors.length > 0) throw new Problem('invalid_content', 'The values do not fit the variables', { errors });
  return new Map(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

/**
 * A campaign with the template's texts, filled; it goes to nobody yet. @throws Problem `invalid_content` for values that do not
 * fit, or that make a text too long.
 */
export function filledBody(
  template: Written & { name: string },
  {
    serviceNumberId,
    name,
    values,
  }: { serviceNumberId: string; name?: string | undefined; values: Record<string, string> },
): CampaignBody {
  const { campaignName, note, utm, ...texts } = fillTexts(template.content, valuesOf(template.variables, values));
  const campaign = name ?? (campaignName?.trim() ? campaignName : template.name);
  const parsed = campaignBodySchema.safeParse({
    name: campaign,
    note,
    ...(utm ? withMessages(texts, (messages) => tagLinks(messages, utm, campaign)) : texts),
    // Links that have the template's own get no others.
    ...(utm && { utm: null }),
    serviceNumberId,
    audience: { type: 'contacts', contactIds: [] },
    schedule: { type: 'immediate' },
  });
  if (parsed.success) return parsed.data;
  throw new Problem('invalid_content', 'What is filled in does not fit', {
    errors: parsed.error.issues.map(({ path }) => invalidField(`/${path.join('/')}`, 'filled_too_long')),
  });
}
