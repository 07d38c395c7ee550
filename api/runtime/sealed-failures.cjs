/**
 * Puts the message and stack trace of a failure into a payload, which the payload codec seals as any other. Temporal's SDK
 * loads it by its path, and the workflow bundle has it in it: hence no TypeScript.
 */
const { DefaultFailureConverter } = require('@temporalio/common');

exports.failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
