import type { WriteUnderWay } from '../store/stoppable-store.ts';
import { CLAIMS_NAME, COMMIT_NAME, ENDED_NAME, LOCK_NAME, PACK_NAME } from './object-names.ts';

/**
 * Whether a write of a run under a shared lock does no harm when it takes place after that lock fell, whatever others did meanwhile. The first form of a
 * commit finds the name in use where another process closed the run, and is what it always was where none did. A pack that no commit names counts
 * for nothing, nor do claims of a closed run, nor a lock without a process that renews it; what is deleted was replaced before, or is a segment beside its journals. A segment or a
 * later form may say what an erasure took out meanwhile, and a loss what came back: these are waited for.
 */
export function isHarmlessLate({ operation, name }: WriteUnderWay): boolean {
  if (operation !== 'create') return true;
  const [, , , form] = COMMIT_NAME.exec(name) ?? [];
  const isFirstForm = COMMIT_NAME.test(name) && form === undefined;
  return isFirstForm || [PACK_NAME, CLAIMS_NAME, ENDED_NAME, LOCK_NAME].some((pattern) => pattern.test(name));
}
