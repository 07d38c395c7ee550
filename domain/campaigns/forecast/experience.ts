import { fitLine, type Line, median, type Observation } from './line.ts';
import { queuedMs } from './queue.ts';

/** What one earlier send took. Times are milliseconds. */
export interface EarlierSend {
  contacts: number;
  /** Sub-tasks that the platform accepted at the first attempt and completed. */
  subTasks: number;
  /** From the confirmation to the first accepted sub-task, and from there to the last; null if something else than the platform set the times. */
  start: number | null;
  spread: number | null;
  /** From acceptance to the end of its sub-tasks, by their size. */
  sizes: Observation[];
}

/** What earlier sends of a service number took. */
export interface Experience {
  /** How many of them it is known from; at least one. */
  sends: number;
  /** From the confirmation to the first sub-task that the platform accepted, by the contacts of the audience. */
  start: Line;
  /** From there to the end of the sub-task at the platform, by its own contacts. */
  subTask: Line;
  /** From one accepted sub-task to the next where none waits for the limit; 0 if no send had enough of them to tell. */
  spacingMs: number;
}

/** From this many sub-tasks on, a send says how far apart they are accepted. */
const ENOUGH_SUB_TASKS = 10;

/** What there is to learn from these sends; null if that is nothing. */
export function experienceOf(sends: EarlierSend[], callsPerSecond: number): Experience | null {
  if (sends.length === 0) return null;
  const starts = sends.flatMap(({ contacts, start }) => (start === null ? [] : [{ contacts, ms: start }]));
  const spacings = sends.flatMap(({ subTasks, spread }) =>
    spread === null || subTasks < ENOUGH_SUB_TASKS
      ? []
      : [Math.max(0, spread - queuedMs(subTasks, callsPerSecond)) / (subTasks - 1)],
  );
  return {
    sends: sends.length,
    start: fitLine(starts),
    subTask: fitLine(sends.flatMap(({ sizes }) => sizes)),
    spacingMs: median(spacings),
  };
}
