import type { Mutant } from '../mutant.ts';
import { ofAccess } from './access.ts';
import { ofApproval } from './approval.ts';
import { ofAudiences } from './audiences.ts';
import { ofClaiming } from './claiming.ts';
import { ofInbox } from './inbox.ts';
import { ofPayments } from './payments.ts';
import { ofPricing } from './pricing.ts';
import { ofRefunds } from './refunds.ts';
import { ofRetention } from './retention.ts';
import { ofSends } from './sends.ts';

export const mutants: readonly Mutant[] = [
  ...ofClaiming,
  ...ofSends,
  ...ofApproval,
  ...ofPricing,
  ...ofPayments,
  ...ofRefunds,
  ...ofRetention,
  ...ofInbox,
  ...ofAudiences,
  ...ofAccess,
];
