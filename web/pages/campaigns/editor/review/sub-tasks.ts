import { armsOf, type DraftVariants } from '../draft/variants.ts';

/** The platform takes at most this many contacts at once. */
const contactsPerSubTask = 1000;

const partsOf = (contacts: number): number => Math.ceil(contacts / contactsPerSubTask);

/** About how many sub-tasks that many contacts are sent in: each has the contacts of one variant, or of the rest. */
export function subTasksOf(contacts: number, variants: DraftVariants): number {
  const test = armsOf(contacts, variants);
  if (test === null) return partsOf(contacts);
  return test.arms.reduce((sum, arm) => sum + partsOf(arm.contacts), partsOf(test.rest));
}
