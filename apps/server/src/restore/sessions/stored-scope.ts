import type { Identified } from '../roles/coverage.ts';

/** Some of an object as it was at a revision, as a row has it: another process opens it again. */
export interface StoredScope {
  repositoryId: string;
  /** Key of the object in its repository. */
  object: string;
  /** What it is, so that a list shows its user what the user may still see. */
  identity?: Identified;
  /** Ordered by a restore operator: the roles are looked at again when it is done. */
  isLimited?: boolean;
  revision: number;
  /** Items with all below them; `null`: all of the object. */
  items: readonly string[] | null;
  showDeleted: boolean;
}
