import type { RestoreOperation } from '@keepwatch/contract/restore/explorer';
import {
  listRestoreOperationItems,
  openRestoreSession,
  readRestoreOperation,
  type SessionType,
} from '@keepwatch/contract/restore/sessions';
import { expect } from 'vitest';
import type { Caller } from '../../testing/test-portal.ts';
import type { RestoreBed } from './restore-bed.ts';

/** Opens a session of an explorer over the newest restore point. @returns its id */
export async function openSessionOf(
  { organization: { id: organizationId, companyId } }: RestoreBed,
  caller: Caller,
  sessionType: SessionType,
): Promise<string> {
  const datetime = new Date(Date.now() + 60_000).toISOString();
  return (await caller.call(openRestoreSession, { body: { companyId, organizationId, datetime, sessionType } })).data
    .id;
}

/** Works an accepted restore off. @returns how it ended */
export async function endOf(
  bed: RestoreBed,
  caller: Caller,
  { data: { id: operationId } }: { data: { id: string } },
): Promise<RestoreOperation> {
  await bed.work();
  return (await caller.call(readRestoreOperation, { params: { operationId } })).data;
}

/** Works an accepted restore off, which must end without a failure. @returns how it ended */
export async function successOf(bed: RestoreBed, caller: Caller, accepted: { data: { id: string } }) {
  const end = await endOf(bed, caller, accepted);
  const params = { operationId: end.id };
  const failures = await caller.call(listRestoreOperationItems, { params, query: { outcome: 'failed' } });
  expect([end.message, failures.data]).toEqual([null, []]);
  expect(end).toMatchObject({ failed: 0, notBegun: 0 });
  expect(['Success', 'Warning']).toContain(end.state);
  return end;
}
