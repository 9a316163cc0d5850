/** A restore point that a session shows. */
export interface SessionPoint {
  repositoryId: string;
  /** Id of the run. */
  restorePoint: string;
  /** When it ended. */
  at: string;
  isPartial: boolean;
}
