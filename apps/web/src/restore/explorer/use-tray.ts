import { type Dispatch, type SetStateAction, useMemo } from 'react';
import type { Selection } from '../../kit/data-table/selection.ts';
import { type Entry, isFixed, keyOf } from './entry.ts';

/** What was chosen. It stays when another folder, page or restore point is shown, and means what was seen where it was chosen. */
export interface Tray {
  /** Each with its restore point. */
  entries: readonly Entry[];
  add: (entry: Entry) => void;
  clear: (entries?: readonly Entry[]) => void;
  /** As the selection of a list whose rows these are. */
  selectionIn: (find: (key: string) => Entry | undefined) => Selection;
}

/** What was chosen, by its keys. */
export type Chosen = ReadonlyMap<string, Entry>;
export const NOTHING: Chosen = new Map();

type State = readonly [chosen: Chosen, change: Dispatch<SetStateAction<Chosen>>];

/**
 * The tray of an organization: what it is used in is drawn again for another one.
 * @param state of a component, or one that is stored
 * @param shown the restore point that is shown
 */
export function useTray([chosen, change]: State, shown: string | undefined): Tray {
  return useMemo(() => {
    const asSeen = (entry: Entry): Entry => (shown === undefined ? entry : { at: shown, ...entry });
    const changed = (keys: readonly string[], isChosen: boolean, find: (key: string) => Entry | undefined) => {
      const next = new Map(chosen);
      for (const key of keys) {
        const entry = find(key);
        if (!isChosen) next.delete(key);
        else if (entry !== undefined && !isFixed(entry)) next.set(key, asSeen(entry));
      }
      change(next);
    };
    return {
      entries: [...chosen.values()],
      add: (entry) => change(new Map(chosen).set(keyOf(entry), asSeen(entry))),
      clear: (entries) => {
        const gone = new Set(entries?.map(keyOf));
        change(entries === undefined ? NOTHING : new Map([...chosen].filter(([key]) => !gone.has(key))));
      },
      selectionIn: (find) => ({
        ids: new Set(chosen.keys()),
        has: (key) => chosen.has(key),
        toggle: (key) => changed([key], !chosen.has(key), find),
        set: (keys, isChosen) => changed(keys, isChosen, find),
        clear: () => change(NOTHING),
        restore: (keys) => changed(keys, true, find),
      }),
    };
  }, [chosen, change, shown]);
}

/** `2 folders, 14 messages`: how many of each kind. */
export function countsOf(entries: readonly Entry[]): [type: Entry['type'], count: number][] {
  const counts = new Map<Entry['type'], number>();
  for (const { type } of entries) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts];
}

/** What was chosen at one restore point. */
export interface ChosenAt {
  at: string | undefined;
  entries: readonly Entry[];
}

/** What was chosen by its restore points, that of the one that is shown first. */
export function byPoint(entries: readonly Entry[], shown: string): ChosenAt[] {
  const groups = Map.groupBy(entries, ({ at }) => (at === shown ? undefined : at));
  const ofShown = groups.get(undefined);
  const others = [...groups].filter(([at]) => at !== undefined);
  return [...(ofShown === undefined ? [] : [[undefined, ofShown] as const]), ...others].map(([at, chosen]) => ({
    at,
    entries: chosen,
  }));
}
