import { useMemo, useState } from 'react';
import type { Selection } from '../../kit/data-table/selection.ts';
import { type Entry, isFixed, keyOf } from './entry.ts';

/** What was chosen. It stays when another folder, page or restore point is shown. */
export interface Tray {
  entries: readonly Entry[];
  add: (entry: Entry) => void;
  clear: () => void;
  /** As the selection of a list whose rows these are. */
  selectionIn: (find: (key: string) => Entry | undefined) => Selection;
}

type Chosen = ReadonlyMap<string, Entry>;
const NOTHING: Chosen = new Map();

/** The tray of an organization: what it is used in is drawn again for another one. */
export function useTray(): Tray {
  const [chosen, change] = useState(NOTHING);
  return useMemo(() => {
    const changed = (keys: readonly string[], isChosen: boolean, find: (key: string) => Entry | undefined) => {
      const next = new Map(chosen);
      for (const key of keys) {
        const entry = find(key);
        if (!isChosen) next.delete(key);
        else if (entry !== undefined && !isFixed(entry)) next.set(key, entry);
      }
      change(next);
    };
    return {
      entries: [...chosen.values()],
      add: (entry) => change(new Map(chosen).set(keyOf(entry), entry)),
      clear: () => change(NOTHING),
      selectionIn: (find) => ({
        ids: new Set(chosen.keys()),
        has: (key) => chosen.has(key),
        toggle: (key) => changed([key], !chosen.has(key), find),
        set: (keys, isChosen) => changed(keys, isChosen, find),
        clear: () => change(NOTHING),
        restore: (keys) => changed(keys, true, find),
      }),
    };
  }, [chosen]);
}

/** `2 folders, 14 messages`: how many of each kind. */
export function countsOf(entries: readonly Entry[]): [type: Entry['type'], count: number][] {
  const counts = new Map<Entry['type'], number>();
  for (const { type } of entries) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts];
}
