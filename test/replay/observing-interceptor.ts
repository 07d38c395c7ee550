import { proxySinks, type Sinks, type WorkflowInterceptors } from '@temporalio/workflow';

/** What today's code asks of an activity. */
export interface AskedActivity {
  type: string;
  args: unknown[];
  startToCloseTimeout: string;
  heartbeatTimeout: string;
}

export interface ReplaySinks extends Sinks {
  replay: { activity(asked: AskedActivity): void };
}

const { replay } = proxySinks<ReplaySinks>();

/** Tells the test what each activity would be given: replay itself compares nothing but its type. */
export const interceptors = (): WorkflowInterceptors => ({
  outbound: [
    {
      scheduleActivity(input, next) {
        replay.activity({
          type: input.activityType,
          args: input.args,
          startToCloseTimeout: String(input.options.startToCloseTimeout ?? ''),
          heartbeatTimeout: String(input.options.heartbeatTimeout ?? ''),
        });
        return next(input);
      },
    },
  ],
});
