/** The event type of money that came. */
export const CHARGE_PAID = 'charge.paid';

/** The event type of money that went back, whoever asked for that. */
export const CHARGE_REFUNDED = 'charge.refunded';

/** The event type of money whose payer disputes the charge at their bank. */
export const CHARGE_DISPUTED = 'charge.disputed';

/** The event type of the end of such a dispute. */
export const DISPUTE_CLOSED = 'charge.dispute_closed';
