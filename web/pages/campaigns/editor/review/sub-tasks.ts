/** The platform takes at most this many contacts at once. */
export const contactsPerSubTask = 1000;

/** The number of sub-tasks for that many contacts. */
export function subTasksOf(contacts: number): number {
  return Math.ceil(contacts / contactsPerSubTask);
}
