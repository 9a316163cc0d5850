import { useMemo, useState } from 'react';

/** Which rows are chosen, by id. */
export interface Selection {
  ids: ReadonlySet<string>;
  has(id: string): boolean;
  toggle(id: string): void;
  /** Chooses all of these, or none of them. */
  set(ids: readonly string[], isChosen: boolean): void;
  clear(): void;
  /** Chooses these again, unless others have been chosen meanwhile. */
  restore(ids: readonly string[]): void;
}

/** Returns a table's selection. A change of `listKey` clears it, so that no action affects rows of another filter. */
export function useSelection(listKey = ''): Selection {
  const [chosen, setChosen] = useState<{ listKey: string; ids: ReadonlySet<string> }>({ listKey, ids: new Set() });
  const ids = chosen.listKey === listKey ? chosen.ids : EMPTY;
  return useMemo(() => {
    const change = (next: ReadonlySet<string>) => setChosen({ listKey, ids: next });
    return {
      ids,
      has: (id) => ids.has(id),
      toggle: (id) => change(changed(ids, [id], !ids.has(id))),
      set: (several, isChosen) => change(changed(ids, several, isChosen)),
      clear: () => change(EMPTY),
      restore: (several) => setChosen((now) => (now.ids.size > 0 ? now : { listKey, ids: new Set(several) })),
    };
  }, [ids, listKey]);
}

const EMPTY: ReadonlySet<string> = new Set();

function changed(ids: ReadonlySet<string>, several: readonly string[], isChosen: boolean): ReadonlySet<string> {
  const next = new Set(ids);
  for (const id of several) {
    if (isChosen) next.add(id);
    else next.delete(id);
  }
  return next;
}
