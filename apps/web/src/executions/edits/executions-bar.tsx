import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { IgnoreChoices } from '../../entities/ignore/ignore-choices.tsx';
import { NoteForm } from '../../entities/notes/note-form.tsx';
import type { Edit } from '../../entities/run-edits/undo.ts';
import type { Selection } from '../../kit/data-table/selection.ts';
import { formatCount } from '../../kit/format/numbers.ts';
import { ShortcutPanel } from '../../kit/panel/shortcut-panel.tsx';
import { KeyHints } from '../../kit/shortcuts/key-hints.tsx';
import { SELECT_MAX } from '../select-all.data.ts';
import styles from './executions-bar.module.css';

interface ExecutionsBarProps {
  /** Runs in the list; none while they are being counted. */
  count: number | null;
  /** How many there are, and of how many. */
  summary: ReactNode;
  selection: Selection;
  canEdit: boolean;
  /** A run is open: the keys are for it. */
  isRunOpen: boolean;
  /** Changes the selected runs. */
  onEdit: (change: Edit['change']) => void;
  selectAll: { run: () => void; isRunning: boolean };
  /** Runs whose note is not saved yet, be they in the list or not. */
  unsavedIds: ReadonlySet<string>;
  onOpen: (id: string) => void;
}

/** Under the list, always as high: how many runs there are, and what can be done with the chosen ones. */
export function ExecutionsBar(props: ExecutionsBarProps) {
  const { count, summary, selection, canEdit, isRunOpen, onEdit, selectAll, unsavedIds, onOpen } = props;
  const [note, setNote] = useState('');
  const chosen = selection.ids.size;
  if (!canEdit || chosen === 0) {
    return (
      <div className={styles.bar}>
        {summary}
        <UnsavedNotesLink ids={unsavedIds} onOpen={onOpen} />
        {canEdit && <Keys />}
      </div>
    );
  }
  return (
    <div className={styles.bar} role="toolbar" aria-label="Selected runs" data-chosen>
      <span className={styles.chosen} aria-live="polite">{`${formatCount(chosen)} selected`}</span>
      <Button title="Resolve (r)" onClick={() => onEdit({ state: 'resolved' })}>
        Resolve
      </Button>
      <Button variant="default" title="In progress (p)" onClick={() => onEdit({ state: 'in-progress' })}>
        In progress
      </Button>
      <ShortcutPanel
        word="Ignore"
        label="Ignore the selected runs"
        keys="i"
        isShortcutOff={isRunOpen}
        content={() => (
          <IgnoreChoices
            of="run"
            onChoose={(until) => onEdit({ state: 'ignored', ...(until === null ? {} : { ignoredUntil: until }) })}
          />
        )}
      />
      <ShortcutPanel
        word="Note"
        label="Note on the selected runs"
        keys="n"
        isShortcutOff={isRunOpen}
        content={() => (
          <div className={styles.note}>
            <NoteForm
              label="Note"
              hint="Added to the notes of each run."
              isFocused
              content={note}
              onChange={setNote}
              onSave={(content) => {
                onEdit({ note: { content } });
                setNote('');
              }}
            />
          </div>
        )}
      />
      {count !== null && chosen < Math.min(count, SELECT_MAX) && (
        <Button variant="subtle" className={styles.all} loading={selectAll.isRunning} onClick={selectAll.run}>
          {count > SELECT_MAX ? `Select the first ${formatCount(SELECT_MAX)}` : `Select all ${formatCount(count)}`}
        </Button>
      )}
      <Button variant="subtle" className={styles.clear} title="Clear the selection (Escape)" onClick={selection.clear}>
        Clear
      </Button>
    </div>
  );
}

/** Leads to a run whose note is not saved: it may have left the list meanwhile. */
function UnsavedNotesLink({ ids, onOpen }: { ids: ReadonlySet<string>; onOpen: (id: string) => void }) {
  const [first] = ids;
  if (first === undefined) return null;
  return (
    <Button variant="subtle" onClick={() => onOpen(first)}>
      {ids.size === 1 ? '1 unsaved note' : `${formatCount(ids.size)} unsaved notes`}
    </Button>
  );
}

function Keys() {
  return (
    <KeyHints>
      <kbd>j</kbd>
      <kbd>k</kbd> move <kbd>x</kbd> select <kbd>Enter</kbd> open <kbd>r</kbd> resolve <kbd>z</kbd> undo
    </KeyHints>
  );
}
