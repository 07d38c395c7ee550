import { grantPointsSchema, pointsQuerySchema } from '../administration.ts';
import {
  accountPageSchema,
  accountSearchSchema,
  adjustPointsSchema,
  entryPageSchema,
  entrySearchSchema,
} from '../administration/points.ts';
import { balancesSchema } from '../responses.ts';
import { forKeys, ofStaff, orderOperation } from './describe.ts';

/** Points of users, by staff. */
export const pointsOperations = {
  grantPoints: orderOperation({
    method: 'post',
    path: '/admin/points/grant',
    ...ofStaff,
    ...forKeys.writePoints,
    summary: 'Grants points to a user, once per key',
    body: grantPointsSchema,
    response: balancesSchema,
    errors: [90201, 90205],
  }),
  adjustPoints: orderOperation({
    method: 'post',
    path: '/admin/points/adjust',
    ...ofStaff,
    ...forKeys.writePoints,
    summary: 'Corrects the points of a user, up or down, once per key',
    body: adjustPointsSchema,
    response: balancesSchema,
    errors: [90201, 90205, 90300],
  }),
  getPoints: orderOperation({
    method: 'get',
    path: '/admin/points',
    ...ofStaff,
    ...forKeys.readPoints,
    summary: "A user's points at a tenant",
    query: pointsQuerySchema,
    response: balancesSchema,
  }),
  listPointAccounts: orderOperation({
    method: 'get',
    path: '/admin/points/accounts',
    ...ofStaff,
    ...forKeys.readPoints,
    summary: 'Users with points at a tenant, by id; `q` is the beginning of a user id',
    query: accountSearchSchema,
    response: accountPageSchema,
  }),
  listPointEntries: orderOperation({
    method: 'get',
    path: '/admin/points/entries',
    ...ofStaff,
    ...forKeys.readPoints,
    summary: 'Every movement of a user’s points at a tenant, newest first',
    query: entrySearchSchema,
    response: entryPageSchema,
  }),
};
