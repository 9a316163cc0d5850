// biome-ignore-all lint/a11y/useSemanticElements: the virtual tree places its rows, which a list's elements do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the tree has the focus, and names its active row

import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { messageOf } from '../../kit/api.ts';
import { styleVariables } from '../../kit/style-variables.ts';
import { type Entry, keyOf } from './entry.ts';
import { EntryIcon } from './entry-icon.tsx';
import styles from './tree.module.css';
import type { TreeRow } from './tree-rows.ts';

interface TreeProps {
  /** `Mailboxes`. */
  label: string;
  rows: readonly TreeRow[];
  /** The node whose content is listed. */
  open: Entry | undefined;
  onOpen: (path: readonly Entry[]) => void;
  onFold: (entry: Entry, isUnfolded: boolean) => void;
}

const ROW_PX = 30;
const ROWS_BEYOND = 12;

/** Nodes that unfold. Only the rows on screen are on the page, so that tens of thousands scroll without lag. */
export function Tree({ label, rows, open, onOpen, onFold }: TreeProps) {
  const id = useId();
  const scrollRef = useRef<HTMLDivElement>(null);
  const [activeKey, setActive] = useState<string | null>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => ROW_PX,
    overscan: ROWS_BEYOND,
    useFlushSync: false,
  });
  const items = virtual.getVirtualItems();
  useMore(rows, items.at(-1)?.index ?? 0);
  const openKey = open === undefined ? null : keyOf(open);
  const active = rows.findIndex(({ key }) => key === (activeKey ?? openKey));
  const go = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (row === undefined) return;
    setActive(row.key);
    virtual.scrollToIndex(rows.indexOf(row));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (press(event.key, { rows, active, go, onOpen, onFold })) event.preventDefault();
  };
  return (
    <div
      ref={scrollRef}
      className={styles.tree}
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
      onKeyDown={onKeyDown}
    >
      <div className={styles.rows} style={{ height: virtual.getTotalSize() }} role="presentation">
        {items.map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <Row
              key={row.key}
              id={`${id}-${index}`}
              row={row}
              topPx={start}
              isActive={index === active}
              isOpen={row.key === openKey}
              onOpen={(path) => {
                setActive(row.key);
                onOpen(path);
              }}
              onFold={onFold}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Reads what follows once its row is on screen. */
function useMore(rows: readonly TreeRow[], last: number): void {
  useEffect(() => {
    for (const row of rows.slice(0, last + 1)) if (row.kind === 'more') row.data.more();
  }, [rows, last]);
}

interface RowProps extends Pick<TreeProps, 'onOpen' | 'onFold'> {
  id: string;
  row: TreeRow;
  topPx: number;
  isActive: boolean;
  isOpen: boolean;
}

function Row({ id, row, topPx, isActive, isOpen, onOpen, onFold }: RowProps) {
  const place = { transform: `translateY(${topPx}px)`, ...styleVariables({ '--level': row.level }) };
  if (row.kind !== 'entry') {
    return (
      <div id={id} className={styles.row} style={place} role="treeitem" aria-level={row.level} data-state={row.kind}>
        <State row={row} />
      </div>
    );
  }
  const { entry, path, isUnfolded, isLeaf, hint } = row;
  const Arrow = isUnfolded ? IconChevronDown : IconChevronRight;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys
    <div
      id={id}
      className={styles.row}
      style={place}
      role="treeitem"
      aria-level={row.level}
      aria-selected={isOpen}
      aria-expanded={isLeaf ? undefined : isUnfolded}
      data-active={isActive || undefined}
      data-deleted={entry.isDeleted || undefined}
      title={entry.detail === null ? entry.name : `${entry.name}, ${entry.detail}`}
      onClick={() => onOpen(path)}
    >
      {isLeaf ? (
        <span className={styles.arrow} />
      ) : (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys, with the left and right arrows
        // biome-ignore lint/a11y/noStaticElementInteractions: it is part of the tree item, which says whether it is unfolded
        <span
          className={styles.arrow}
          onClick={(event) => {
            event.stopPropagation();
            onFold(entry, !isUnfolded);
          }}
        >
          <Arrow size={14} aria-hidden />
        </span>
      )}
      <EntryIcon type={entry.type} />
      <span className={styles.name}>{entry.name}</span>
      {hint !== null && <span className={styles.hint}>{hint}</span>}
      {entry.isDeleted && <span className={styles.deleted}>deleted</span>}
    </div>
  );
}

function State({ row }: { row: Exclude<TreeRow, { kind: 'entry' }> }) {
  if (row.kind === 'none') return <span>Nothing below</span>;
  if (row.kind !== 'failed') return <span>Loading…</span>;
  return (
    <button type="button" className={styles.retry} onClick={row.data.retry} title={messageOf(row.data.error)}>
      {messageOf(row.data.error)} Retry
    </button>
  );
}

interface Keys extends Pick<TreeProps, 'rows' | 'onOpen' | 'onFold'> {
  active: number;
  go: (index: number) => void;
}

/** The keys of a tree, as the ARIA Authoring Practices have them: https://www.w3.org/WAI/ARIA/apg/patterns/treeview/ */
function press(key: string, { rows, active, go, onOpen, onFold }: Keys): boolean {
  const row = rows[active];
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    Home: 0,
    End: rows.length - 1,
  };
  const to = steps[key];
  if (to !== undefined) go(to);
  else if (row?.kind !== 'entry') return false;
  else if (key === 'Enter' || key === ' ') onOpen(row.path);
  else if (key === 'ArrowRight' && row.isUnfolded) go(active + 1);
  else if (key === 'ArrowRight' && !row.isLeaf) onFold(row.entry, true);
  else if (key === 'ArrowLeft' && row.isUnfolded) onFold(row.entry, false);
  else if (key === 'ArrowLeft') go(parentOf(rows, active));
  else return false;
  return true;
}

function parentOf(rows: readonly TreeRow[], index: number): number {
  const level = rows[index]?.level ?? 1;
  for (let at = index - 1; at >= 0; at -= 1) if ((rows[at]?.level ?? 0) < level) return at;
  return index;
}
