import type { ChangeLog } from './wire/change-log.ts';

/** The parts of a tenant; each folder beside this file declares its own state and the routes over it. */
export interface Tenant {
  /** Directory id, a GUID. */
  id: string;
  /** Such as `contoso.onmicrosoft.com`. */
  domain: string;
  displayName: string;
  /** Milliseconds of the tenant's clock. */
  nowMs: () => number;
  /** Deterministic ids: the same tenant gives the same ids in the same order of creation. */
  newId: () => string;
  /** Users, groups and what is deleted of them. */
  directoryChanges: ChangeLog;
}
