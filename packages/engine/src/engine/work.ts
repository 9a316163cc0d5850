import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { OnEvent } from '../model/engine-event.ts';
import type { Repository } from '../repository/repository.ts';

/** How a piece of work is stopped and followed. */
export interface Work {
  /**
   * Aborted: nothing more is asked of Microsoft 365, the store or the catalog within a second. What was read is committed, and what was written half
   * is cleaned up: for a moment in Microsoft 365, where the next attempt finds the rest, and in a store for as long as that takes. A backup that is
   * aborted with an EngineError `run-closed` makes no restore point: another process does its run.
   */
  signal: AbortSignal;
  onEvent: OnEvent;
}

/** A repository with its part of the catalog. */
export interface Stored {
  repository: Repository;
  catalog: RepositoryCatalog;
}
