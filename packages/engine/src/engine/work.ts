import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { OnEvent } from '../model/engine-event.ts';
import type { Repository } from '../repository/repository.ts';

/** How a piece of work is stopped and followed. */
export interface Work {
  /**
   * Aborted: nothing more is asked of Microsoft 365, the store or the catalog within a second. What was read is committed, and what was written half
   * is cleaned up, as far as half a second is enough: the next attempt finds the rest. A write that a store does not answer is left under way, and the
   * next run finds out what became of it. A backup that could not say its end in that time throws the reason of the signal; so does one that is
   * aborted with an EngineError `run-closed`, since another process does its run.
   */
  signal: AbortSignal;
  onEvent: OnEvent;
}

/** A repository with its part of the catalog. */
export interface Stored {
  repository: Repository;
  catalog: RepositoryCatalog;
}
