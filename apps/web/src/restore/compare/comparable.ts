import type { Entry } from '../explorer/entry.ts';

/** Why what is open is not compared with another restore point; `null`: it is. At the top (`undefined`) are mailboxes, OneDrives, sites or teams. */
export function refusesComparison(node: Entry | undefined, otherPoint: string | null): string | null {
  if (otherPoint === null) return 'There is no other restore point to compare with.';
  return node?.type === 'settings' ? 'Mailbox settings have no list to compare.' : null;
}
