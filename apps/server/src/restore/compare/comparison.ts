import type { ComparedItem as ComparedRow } from '@keepwatch/contract/restore/versions';
import type { ItemKind } from '@keepwatch/engine/engine';
import type { OpenedSession } from '../sessions/opened-session.ts';

/** Two sessions of one organization: the one that is looked at, and the one of the earlier restore point. */
export interface Sessions {
  opened: OpenedSession;
  other: OpenedSession;
}

/** What is compared, and which page of what differs. */
export interface Comparison {
  /** Without: the objects of the sessions themselves. */
  objectId?: string | undefined;
  parentId?: string | undefined;
  /** Without: all that the explorer shows. */
  types?: readonly ItemKind[] | undefined;
  change?: ComparedRow['change'] | undefined;
  limit: number;
  after?: string | undefined;
}

export interface ComparedPage {
  data: ComparedRow[];
  _next: string | null;
}

/** One list of what differs, a page at a time. */
export type ComparedPart = (page: PageOfPart, gone: AbortSignal) => Promise<ComparedPage>;

interface PageOfPart {
  change: ComparedRow['change'] | undefined;
  limit: number;
  after: string | undefined;
}
