import { listUserLogs } from '@keepwatch/contract/audit/user-logs';
import { answer, type Route } from '../foundation/http/routes.ts';
import type { TargetNames } from './target-name.ts';
import { findUserLogs } from './user-logs.ts';

export function auditCalls(names: TargetNames): Route[] {
  return [answer(listUserLogs, ({ database, scope }, { query }) => findUserLogs(database, names, scope, query))];
}
