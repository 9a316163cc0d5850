import { Button } from '@mantine/core';
import { IgnoreChoices } from '../../entities/ignore/ignore-choices.tsx';
import { formatCount } from '../../kit/format/numbers.ts';
import { ShortcutPanel } from '../../kit/panel/shortcut-panel.tsx';
import styles from './morning-actions.module.css';
import type { FaultActions } from './use-fault-at-hand.ts';

interface MorningActionsProps {
  canEdit: boolean;
  /** How many faults an action reaches. */
  count: number;
  /** There is nothing to do with the fault any more. */
  isOver: boolean;
  actions: FaultActions;
}

/** What can be done with the fault at hand, each with its key. */
export function MorningActions({ canEdit, count, isOver, actions }: MorningActionsProps) {
  const { resolve, putInProgress, ignore, skip, back, undo } = actions;
  const all = count > 1 ? ` all ${formatCount(count)}` : '';
  return (
    <div className={styles.actions} role="toolbar" aria-label="This fault">
      {canEdit && (
        <>
          <Button
            disabled={isOver}
            title="Resolve and go on (r); all of this cause (Shift+r)"
            onClick={() => resolve()}
          >
            {`Resolve${all}`}
            <Key name="r" />
          </Button>
          <Button
            variant="default"
            disabled={isOver}
            title="In progress, by you, and go on (p); all of this cause (Shift+p)"
            onClick={() => putInProgress()}
          >
            {count > 1 ? `All ${formatCount(count)} in progress` : 'In progress'}
            <Key name="p" />
          </Button>
          <ShortcutPanel
            word={`Ignore${all}`}
            label="Ignore this fault"
            keys="i"
            disabled={isOver}
            rightSection={<Key name="i" />}
            content={(close) => (
              <IgnoreChoices
                of="fault"
                onChoose={(until) => {
                  close();
                  ignore(until);
                }}
              />
            )}
          />
        </>
      )}
      <span className={styles.ways}>
        {canEdit && (
          <Button variant="subtle" title="Undo the last change (z)" onClick={undo}>
            Undo
            <Key name="z" />
          </Button>
        )}
        <Button variant="subtle" title="Back (k)" onClick={back}>
          Back
          <Key name="k" />
        </Button>
        <Button variant="subtle" title="Skip (j)" onClick={skip}>
          Skip
          <Key name="j" />
        </Button>
      </span>
    </div>
  );
}

function Key({ name }: { name: string }) {
  return (
    <kbd className={styles.key} aria-hidden>
      {name}
    </kbd>
  );
}
