/** The platform takes at most this many contacts at once. */
export const contactsPerSubTask = 1000;

/** Into how many sub-tasks so many contacts are split. */
export function subTasksOf(contacts: number): number {
  return Math.ceil(contacts / contactsPerSubTask);
}
