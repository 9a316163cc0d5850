import type { FaultChange } from '@keepwatch/contract/faults/faults';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { IgnoreChoices } from '../entities/ignore/ignore-choices.tsx';
import { NoteForm } from '../entities/notes/note-form.tsx';
import { formatCounted } from '../kit/format/numbers.ts';
import { ShortcutPanel } from '../kit/panel/shortcut-panel.tsx';
import { KeyHints } from '../kit/shortcuts/key-hints.tsx';
import styles from './queue-bar.module.css';

interface QueueBarProps {
  summary: ReactNode;
  canEdit: boolean;
  /** Lines that are chosen, and the faults behind them. */
  chosen: { lines: number; faults: number };
  /** What the keys change where nothing is chosen: the line that the keyboard is at. */
  hasActive: boolean;
  onEdit: (change: FaultChange) => void;
  onClear: () => void;
  /** Works through the faults from the first on; `null` where there is nothing to work on. */
  onMorning: (() => void) | null;
}

/** Under the list, always as high: how many faults there are, and what can be done with the chosen ones. */
export function QueueBar({ summary, canEdit, chosen, hasActive, onEdit, onClear, onMorning }: QueueBarProps) {
  const isChosen = chosen.lines > 0;
  const morning = onMorning !== null && (
    <Button className={styles.morning} title="Work through the faults (Enter)" onClick={onMorning}>
      Work through
    </Button>
  );
  if (!canEdit || (!isChosen && !hasActive)) {
    return (
      <div className={styles.bar}>
        {summary}
        {canEdit && <Keys />}
        {morning}
      </div>
    );
  }
  const what = isChosen ? 'the selected faults' : 'this fault';
  return (
    <div
      className={styles.bar}
      role="toolbar"
      aria-label={isChosen ? 'Selected faults' : 'Fault'}
      data-chosen={isChosen || undefined}
    >
      {isChosen ? (
        <span className={styles.chosen} aria-live="polite">
          {`${formatCounted(chosen.faults, 'fault', 'faults')} selected`}
        </span>
      ) : (
        summary
      )}
      <span className={styles.actions}>
        <Button
          variant={isChosen ? 'filled' : 'default'}
          title="Resolve (r)"
          onClick={() => onEdit({ state: 'resolved' })}
        >
          Resolve
        </Button>
        <Button variant="default" title="In progress, by you (p)" onClick={() => onEdit({ state: 'in-progress' })}>
          In progress
        </Button>
        <ShortcutPanel
          word="Ignore"
          label={`Ignore ${what}`}
          keys="i"
          content={(close) => (
            <IgnoreChoices
              of="fault"
              onChoose={(until) => {
                close();
                onEdit({ state: 'ignored', ...(until === null ? {} : { ignoredUntil: until }) });
              }}
            />
          )}
        />
        <ShortcutPanel
          word="Note"
          label={`Note on ${what}`}
          keys="n"
          content={(close) => (
            <Note
              onSave={(content) => {
                close();
                onEdit({ note: { content } });
              }}
            />
          )}
        />
      </span>
      {!isChosen && morning}
      {isChosen && (
        <Button variant="subtle" className={styles.clear} title="Clear the selection (Escape)" onClick={onClear}>
          Clear
        </Button>
      )}
    </div>
  );
}

function Note({ onSave }: { onSave: (content: string) => void }) {
  const [content, setContent] = useState('');
  return (
    <div className={styles.note}>
      <NoteForm
        label="Note"
        hint="Added to the last run of each."
        isFocused
        content={content}
        onChange={setContent}
        onSave={onSave}
      />
    </div>
  );
}

function Keys() {
  return (
    <KeyHints>
      <kbd>Enter</kbd> work through <kbd>j</kbd>
      <kbd>k</kbd> move <kbd>r</kbd> resolve <kbd>z</kbd> undo
    </KeyHints>
  );
}
