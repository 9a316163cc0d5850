import { counted } from '../model/counted.ts';
import type { RewrittenJournals } from './rewrite-journals.ts';

/** Why an erasure is not whole; `null`: it is. */
export function unreadText({ commitsUnread }: Pick<RewrittenJournals, 'commitsUnread'>): string | null {
  if (commitsUnread === 0) return null;
  return `${counted(commitsUnread, 'commit')} of the journals cannot be read, and may still say what was erased. Bring the journals back from a copy of the repository, or rebuild the catalog and accept the loss; the next prune takes out what is left.`;
}
