import type { Identified } from '../roles/coverage.ts';

/** Some of an object as it was at a revision, as a row has it: another process opens it again. */
export interface StoredScope {
  repositoryId: string;
  /** Key of the object in its repository. */
  object: string;
  /** What it is: a user must still be allowed to see it when it is done, listed or given out. */
  identity?: Identified;
  revision: number;
  /** Items with all below them; `null`: all of the object. */
  items: readonly string[] | null;
  showDeleted: boolean;
}
