import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { isPageCovered } from '../shortcuts/covering-layer.ts';
import { activeAfter } from './active-row.ts';
import { indexOf, loadedRows, type Pages } from './pages.ts';
import type { Selection } from './selection.ts';

interface TableKeysOptions<Row> {
  pages: Pages<Row>;
  rowId: (row: Row) => string;
  selection: Selection | undefined;
  onOpen: ((row: Row) => void) | undefined;
  /** The row that is open beside the table: the active row follows it. */
  openId: string | null;
  scrollTo: (index: number) => void;
  /** Gives the table the focus. */
  focus: () => void;
}

const STEP: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  PageDown: 15,
  PageUp: -15,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** A key, and what is held with it. */
export interface Press {
  key: string;
  isShift: boolean;
  isControl: boolean;
}

/**
 * The keyboard of a table: up, down, j, k, page keys, Home, End move the active row (with Shift they choose on the way),
 * Space or x chooses it, Control + a chooses all loaded rows, Enter opens it, Escape unchooses all.
 */
export function useTableKeys<Row>(options: TableKeysOptions<Row>) {
  const [active, setActive] = useActive(options);
  const anchor = useRef<number | null>(null);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useFollowing(options, setActive);

  const onCheck = useCallback(
    (index: number, isRange: boolean) => {
      choose(latest.current, anchor.current, index, isRange);
      anchor.current = index;
      setActive(index);
      // Not the checkbox that was clicked: the keys go on from here, and the active row shows where that is.
      latest.current.focus();
    },
    [setActive],
  );
  const onPress = useCallback(
    (index: number) => {
      setActive(index);
      anchor.current = index;
      open(latest.current, index);
    },
    [setActive],
  );
  const move = (index: number, isRange: boolean) => {
    if (isRange) choose(options, active, index, true);
    setActive(index);
    options.scrollTo(index);
  };
  const press = ({ key, isShift, isControl }: Press): boolean => {
    const { selection } = options;
    if (isControl) {
      if (key !== 'a' || selection === undefined) return false;
      selection.set(loadedRows(options.pages).map(options.rowId), true);
      return true;
    }
    const step = STEP[key];
    if (step !== undefined) move(nextIndex(active, step, options.pages.count ?? 0), isShift);
    else if (key === 'Enter' && active !== null) open(options, active);
    else if (key === ' ' || key === 'x') onCheck(active ?? 0, isShift);
    else if (key === 'Escape' && selection !== undefined && selection.ids.size > 0) selection.clear();
    else return false;
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isHeld = event.ctrlKey || event.metaKey;
    if (event.altKey || isPageCovered() || (!isHeld && isControl(event.target))) return;
    if (press({ key: event.key, isShift: event.shiftKey, isControl: isHeld })) event.preventDefault();
  };
  return { active, press, onKeyDown, onPress, onCheck };
}

/** The active row. Only a key or the mouse changes it, however the list changes around it. */
function useActive<Row>({ pages, rowId }: TableKeysOptions<Row>) {
  const [state, setState] = useState<{ pages: Pages<Row>; active: number | null }>({ pages, active: null });
  let { active } = state;
  if (state.pages !== pages) {
    active = activeAfter(state.pages, active, pages, rowId);
    setState({ pages, active });
  }
  const setActive = useCallback((index: number) => setState((before) => ({ ...before, active: index })), []);
  // The list may have become shorter: then the last row is the active one.
  const last = Math.max(0, (pages.count ?? 1) - 1);
  return [active === null ? null : Math.min(active, last), setActive] as const;
}

/** Makes a row active and scrolls it into view when the panel beside the table moves to it. */
function useFollowing<Row>(options: TableKeysOptions<Row>, setActive: (index: number) => void): void {
  const { pages, rowId, openId, scrollTo } = options;
  const index = useMemo(() => (openId === null ? null : indexOf(pages, rowId, openId)), [pages, rowId, openId]);
  // Rows above it may leave the list: it stays the active one.
  useEffect(() => {
    if (index !== null) setActive(index);
  }, [index, setActive]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another open row scrolls the table, not a new list
  useEffect(() => {
    if (index !== null) scrollTo(index);
  }, [openId]);
}

function nextIndex(active: number | null, step: number, count: number): number {
  const targetIndex = active === null ? (step > 0 && Number.isFinite(step) ? 0 : step) : active + step;
  return Math.max(0, Math.min(count - 1, targetIndex));
}

function open<Row>({ pages, onOpen }: TableKeysOptions<Row>, index: number): void {
  const row = pages.rowAt(index);
  if (row !== undefined) onOpen?.(row);
}

function choose<Row>(
  { pages, rowId, selection }: TableKeysOptions<Row>,
  from: number | null,
  index: number,
  isRange: boolean,
): void {
  if (selection === undefined) return;
  const ids = idsBetween(pages, rowId, isRange ? (from ?? index) : index, index);
  const [last] = idsBetween(pages, rowId, index, index);
  if (last !== undefined) selection.set(ids, isRange || !selection.has(last));
}

function idsBetween<Row>(pages: Pages<Row>, rowId: (row: Row) => string, one: number, other: number): string[] {
  const ids: string[] = [];
  for (let index = Math.min(one, other); index <= Math.max(one, other); index += 1) {
    const row = pages.rowAt(index);
    if (row !== undefined) ids.push(rowId(row));
  }
  return ids;
}

/** Buttons, links and the headings have their own Enter and Space; a row's checkbox leaves all keys to the table. */
function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('button, a, [role="columnheader"] input') !== null;
}
