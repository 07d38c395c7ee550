/** The event type of money that came. */
export const CHARGE_PAID = 'charge.paid';

/** The event type of money that went back, whoever asked for that. */
export const CHARGE_REFUNDED = 'charge.refunded';
