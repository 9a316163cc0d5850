import type { SessionProgress } from '../session-progress.ts';

/** How a run came to its end. */
export interface SessionEnd {
  result: 'Success' | 'Warning' | 'Failed';
  message: string | null;
  progress: SessionProgress;
  /** The run in the repository; `null` where it made no restore point. */
  restorePoint: string | null;
}
