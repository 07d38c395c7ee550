import { extraOf } from '../draft/cards.ts';
import type { DraftIssue } from '../draft/draft.ts';
import type { DraftStep } from './draft-steps.ts';

/** Extra fields of buttons that are not a JSON object: they never reach the schema. */
export function brokenStepExtras(steps: DraftStep[]): DraftIssue[] {
  return steps.flatMap(({ cards }, step) =>
    cards.flatMap((card, message) =>
      card.buttons.flatMap((button, index) => {
        const at = `steps/${step}/messages/${message}/actions/${index}/extra`;
        return button.kind === 'Postback' && extraOf(button.extra) === null
          ? [{ field: 'steps' as const, at, key: 'json' as const }]
          : [];
      }),
    ),
  );
}

/** Whether a place within the steps is how long one of them waits. */
export const isDelay = (path: PropertyKey[]): boolean => path.at(-1) === 'amount' && path.at(-2) === 'after';
