import type { RefObject } from 'react';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import type { Selection } from './selection.ts';
import type { Press } from './table-keys.ts';

interface TableShortcutsOptions {
  gridRef: RefObject<HTMLElement | null>;
  press: (press: Press) => boolean;
  selection: Selection | undefined;
  /** What the rows are: `runs`. */
  rowsWord: string;
  canOpen: boolean;
}

/**
 * The table's keys while nothing in particular has the focus, so that users need not move to the table first.
 * The first key gives the table the focus. The list of all keys (`?`) shows them too.
 */
export function useTableShortcuts({ gridRef, press, selection, rowsWord, canOpen }: TableShortcutsOptions): void {
  const run =
    (key: string, held: Partial<Press> = {}) =>
    () => {
      gridRef.current?.focus({ preventScroll: true });
      press({ key, isShift: false, isControl: false, ...held });
    };
  const cannotChoose = selection === undefined;
  const isIdle = cannotChoose && !canOpen;
  useShortcut('Escape', 'Select none', run('Escape'), cannotChoose || selection.ids.size === 0);
  useShortcut('Control+a', `Select all loaded ${rowsWord}`, run('a', { isControl: true }), cannotChoose);
  useShortcut('Shift+ArrowUp', 'Select up to the row above', run('ArrowUp', { isShift: true }), cannotChoose);
  useShortcut('Shift+ArrowDown', 'Select down to the next row', run('ArrowDown', { isShift: true }), cannotChoose);
  useShortcut('Space', 'Select the row', run(' '), cannotChoose);
  useShortcut('x', 'Select the row', run('x'), cannotChoose);
  useShortcut('Enter', 'Open the row', run('Enter'), !canOpen);
  useShortcut('k', 'Previous row', run('k'), isIdle);
  useShortcut('j', 'Next row', run('j'), isIdle);
}
