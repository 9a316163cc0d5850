import type { ChangeLog } from './wire/change-log.ts';

export const tenantSizes = ['empty', 'small', 'medium', 'large'] as const;

/** `empty` has one administrator, `small` 5 users, `medium` 100, `large` 100 of which the first has a huge mailbox. */
export type TenantSize = (typeof tenantSizes)[number];

/** What every part of a tenant is made from. */
export interface TenantFacts {
  /** Directory id, a GUID. */
  id: string;
  /** Such as `contoso.onmicrosoft.com`. */
  domain: string;
  displayName: string;
  /** The world is a function of seed and size. */
  seed: number;
  size: TenantSize;
  /** The instant the world was made at; its history is before it. */
  madeMs: number;
  /** Milliseconds of the tenant's clock. */
  nowMs: () => number;
  /** Deterministic ids: the same tenant gives the same ids in the same order of creation. */
  newId: () => string;
  /** Users, groups and what is deleted of them. */
  directoryChanges: ChangeLog;
}
