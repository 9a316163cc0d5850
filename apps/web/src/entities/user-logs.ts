import { AUDIT_ACTIONS, type AuditAction } from '@keepwatch/contract/audit/actions';
import { idListField, listField, textField } from '../kit/address/url-state.ts';
import { dateRangeField } from '../kit/date-range/date-range-field.ts';
import { declareFilters, filter, type ValuesOfFilters } from '../kit/declare-filters.ts';

// The keys of a typed constant.
export const ACTIONS = Object.keys(AUDIT_ACTIONS) as AuditAction[];

/** What the users logs show at first. */
export const LOGS_RANGE = 'Last 30 Days';

/** What narrows the users logs. */
export const userLogsFilters = declareFilters({
  /** Text that names a date range. */
  date: filter(dateRangeField(LOGS_RANGE)),
  action: filter(listField(ACTIONS), { asks: 'actions' }),
  /** Ids of users, and of what was changed. */
  user: filter(idListField(), { asks: 'userIds' }),
  target: filter(idListField(), { asks: 'targetIds' }),
  search: filter(textField(), { asks: 'search' }),
});

export type UserLogsFilters = ValuesOfFilters<typeof userLogsFilters>;
