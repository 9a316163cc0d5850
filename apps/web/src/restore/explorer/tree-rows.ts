import type { RestoreApplication } from './application.ts';
import { type Level, treeSources } from './entries.data.ts';
import { type Entry, keyOf } from './entry.ts';

/** A row of the tree as it is seen. */
export type TreeRow =
  | {
      kind: 'entry';
      key: string;
      level: number;
      entry: Entry;
      path: readonly Entry[];
      isUnfolded: boolean;
      isLeaf: boolean;
      /** Distinguishes it from another one of the same name beside it. */
      hint: string | null;
    }
  | { kind: 'more' | 'waiting' | 'failed' | 'none'; key: string; level: number; data: Level };

/** The tree as rows, top to bottom: nodes, what is in those that are unfolded, and where more follows. */
export function treeRows(
  application: RestoreApplication,
  levels: ReadonlyMap<string, Level>,
  parent: readonly Entry[] = [],
): TreeRow[] {
  const node = parent.at(-1);
  const parentKey = node === undefined ? '' : keyOf(node);
  const data = levels.get(parentKey);
  const level = parent.length + 1;
  if (data === undefined) return [];
  if (data.data === undefined)
    return [{ kind: data.error === null ? 'waiting' : 'failed', key: `${parentKey} state`, level, data }];
  const isTwice = repeatedNames(data.data.entries);
  const rows = data.data.entries.flatMap((entry): TreeRow[] => {
    const path = [...parent, entry];
    const isUnfolded = levels.has(keyOf(entry));
    const isLeaf = treeSources(application, entry).length === 0;
    const hint = isTwice.has(entry.name) ? hintOf(entry) : null;
    const row: TreeRow = { kind: 'entry', key: keyOf(entry), level, entry, path, isUnfolded, isLeaf, hint };
    return isUnfolded ? [row, ...treeRows(application, levels, path)] : [row];
  });
  if (data.data.next !== null) return [...rows, { kind: 'more', key: `${parentKey} more`, level, data }];
  if (rows.length === 0) return [{ kind: 'none', key: `${parentKey} none`, level, data }];
  return rows;
}

function repeatedNames(entries: readonly Entry[]): ReadonlySet<string> {
  const [seen, repeated] = [new Set<string>(), new Set<string>()];
  for (const { name } of entries) (seen.has(name) ? repeated : seen).add(name);
  return repeated;
}

/** `ada.lindqvist.23` of its address: what is behind the @ is the same for all. */
const hintOf = ({ detail }: Entry) => detail?.split('@')[0] ?? null;
