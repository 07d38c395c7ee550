import { proxySinks, type Sinks, type WorkflowInterceptors } from '@temporalio/workflow';

/** Arguments that today's code passes to an activity. */
export interface AskedActivity {
  type: string;
  args: unknown[];
}

export interface ReplaySinks extends Sinks {
  replay: { activity(asked: AskedActivity): void };
}

const { replay } = proxySinks<ReplaySinks>();

/** Reports to the test the arguments of each activity: replay itself compares only the type. */
export const interceptors = (): WorkflowInterceptors => ({
  outbound: [
    {
      scheduleActivity(input, next) {
        replay.activity({ type: input.activityType, args: input.args });
        return next(input);
      },
    },
  ],
});
