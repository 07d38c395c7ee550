/** The error of a sub-task whose contacts another one of the campaign turned out to have been sent to. */
export const ALREADY_SENT = 'already_sent';

/** SQL condition on a sub-task `t`: certainly nobody received anything from it, and its contacts may be sent to again. */
export const nothingSent = `((t.status = 'rejected' or (t.status = 'failed' and t.sent = 0))
  and t.error_code is distinct from '${ALREADY_SENT}')`;

/** SQL condition on a sub-task `t`: the platform began to send it, and nothing says that nobody received it. */
export const wasSent = `(t.status in ('sending', 'completed') or (t.status = 'failed' and t.sent is distinct from 0))`;
