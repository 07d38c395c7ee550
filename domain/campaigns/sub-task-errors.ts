/** The platform accepted a sub-task and has returned nothing but 404 for its task since. */
export const TASK_NOT_FOUND = 'task_not_found';
export const TASK_NOT_FOUND_MESSAGE = 'The platform does not know this task any more';

/** Another sub-task of the campaign turned out to have been sent to the same contacts. */
export const ALREADY_SENT = 'already_sent';
export const ALREADY_SENT_MESSAGE = 'Another sub-task turned out to have been sent to them';

/** The error of a sub-task whose contacts were all erased before it was submitted. */
export const CONTACTS_ERASED = 'contacts_erased';
