import type { RestoreOperation } from '@keepwatch/contract/restore/explorer';
import { Button, NativeSelect } from '@mantine/core';
import IconCircleMinus from '@tabler/icons-react/dist/esm/icons/IconCircleMinus.mjs';
import { useState } from 'react';
import { RESULT_LOOKS } from '../../entities/result-badge.tsx';
import { useBackupClock } from '../../kit/backup-clock.ts';
import { Badge } from '../../kit/badges/badge.tsx';
import type { Column, CompactRows } from '../../kit/data-table/column.ts';
import { DataTable } from '../../kit/data-table/data-table.tsx';
import { formatCount } from '../../kit/format/numbers.ts';
import { useClock } from '../../kit/portal.tsx';
import { ProgressBar } from '../../kit/progress-bar.tsx';
import { csvFileName, downloads } from '../../kit/save-file.ts';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import styles from '../restore.module.css';
import { figuresOf, itemName, OUTCOME_WORDS, progressText, reasonsOf, STATE_TONES } from './operation-words.ts';
import { hasEnded, type OperationItem, useCancelOperation, useOperationItems, useReport } from './operations.data.ts';
import { reportCsv } from './report-csv.ts';

/** So few items need no window of their own height. */
const FEW = 3;

/** How far restores or plans are, what they did or would do, and each item of them. */
export function OperationReport({ operations }: { operations: readonly RestoreOperation[] }) {
  const [chosenId, setChosen] = useState(operations[0]?.id ?? '');
  const chosen = operations.find(({ id }) => id === chosenId) ?? operations[0];
  const reasons = reasonsOf(operations);
  return (
    <div className={styles.step}>
      <div aria-live="polite" className={styles.step}>
        {operations.map((operation) => (
          <OperationState key={operation.id} operation={operation} />
        ))}
        {operations.every(hasEnded) && <Figures operations={operations} />}
      </div>
      {reasons.length > 0 && (
        <ul className={styles.reasons} aria-label="Reasons">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {operations.length > 1 && (
        <NativeSelect
          label="Items of"
          value={chosen?.id ?? ''}
          data={operations.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
      )}
      {chosen !== undefined && hasEnded(chosen) && <Items key={chosen.id} operation={chosen} />}
    </div>
  );
}

function Figures({ operations }: { operations: readonly RestoreOperation[] }) {
  const figures = figuresOf(operations);
  if (figures.length === 0) return <p className={styles.note}>There is nothing to do: nothing was found to restore.</p>;
  return (
    <ul className={styles.figures} aria-label={operations.every(({ isPlan }) => isPlan) ? 'Plan' : 'Result'}>
      {figures.map(({ count, text }) => (
        <li key={text}>
          <strong>{formatCount(count)}</strong> {text}
        </li>
      ))}
    </ul>
  );
}

const NOT_BEGUN = { tone: 'neutral', icon: IconCircleMinus } as const;
/** How one looks that has ended. */
const ENDED_LOOKS = { ...RESULT_LOOKS, Queued: NOT_BEGUN, Cancelled: NOT_BEGUN };

/** One of them while it runs, with the way to cancel it; and why it ended. */
export function OperationState({ operation }: { operation: RestoreOperation }) {
  const cancel = useCancelOperation();
  const { id, name, target, state, done, total, isPlan, isCancelling, message, notBegun } = operation;
  const isOver = hasEnded(operation);
  return (
    <section aria-label={name} className={styles.operation}>
      <p>
        {name} <span className={styles.muted}>→ {target}</span>
      </p>
      {isOver ? (
        <Badge {...ENDED_LOOKS[state]} word={`${isPlan ? 'Plan' : 'Restore'}: ${state}`} />
      ) : (
        <ProgressBar
          ratio={total === null || total === 0 ? null : done / total}
          tone={STATE_TONES[state]}
          text={progressText(operation)}
        />
      )}
      {message !== null && (
        <p className={styles.error} role="alert">
          {message}
        </p>
      )}
      {isOver && notBegun > 0 && <p className={styles.note}>{formatCount(notBegun)} were not begun.</p>}
      {!isOver && (
        <Button
          variant="subtle"
          size="compact-sm"
          disabled={isCancelling || cancel.isPending}
          onClick={() => cancel.mutate(id)}
        >
          {isPlan ? 'Cancel the plan' : 'Cancel the restore'}
        </Button>
      )}
    </section>
  );
}

const COLUMNS: readonly Column<OperationItem>[] = [
  { key: 'outcome', title: 'Outcome', width: '110px', cell: ({ outcome }) => OUTCOME_WORDS[outcome] },
  {
    key: 'name',
    title: 'Name',
    width: 'minmax(140px, 2fr)',
    cell: ({ kind, name, path }) => <span title={path}>{itemName({ kind, name })}</span>,
  },
  {
    key: 'reason',
    title: 'Reason',
    width: 'minmax(140px, 2fr)',
    cell: ({ reason }) => <span title={reason}>{reason}</span>,
  },
];

/** On a phone: what became of it below the name. */
const COMPACT_ITEMS: CompactRows<OperationItem> = {
  belowPx: 420,
  rowHeightPx: 52,
  headings: [],
  cell: ({ outcome, kind, name, reason }) => (
    <span className={styles.compact}>
      <span>{itemName({ kind, name })}</span>
      <span className={styles.muted}>{[OUTCOME_WORDS[outcome], reason].filter(Boolean).join(': ')}</span>
    </span>
  ),
};

const OUTCOMES = [
  { value: '', label: 'All outcomes' },
  ...Object.entries(OUTCOME_WORDS).map(([value, label]) => ({ value, label })),
];

function Items({ operation }: { operation: RestoreOperation }) {
  const [outcome, setOutcome] = useState('');
  const pages = useOperationItems(operation, outcome);
  const report = useReport();
  const clock = useClock();
  const { timeZone } = useBackupClock();
  if (pages.count === 0 && outcome === '' && !operation.isPlan)
    return <p className={styles.note}>Everything came back as asked: there is nothing to report.</p>;
  const save = () => {
    const name = csvFileName(operation.isPlan ? 'RestorePlan' : 'RestoreReport', timeZone, clock.now());
    report.mutate(operation.id, {
      onSuccess: (items) =>
        downloads({ name, type: 'text/csv' }).save(async () => new Blob([reportCsv(items)]).stream()),
    });
  };
  return (
    <>
      <div className={styles.actions}>
        <NativeSelect
          aria-label="Outcome"
          value={outcome}
          data={OUTCOMES}
          onChange={(event) => setOutcome(event.currentTarget.value)}
        />
        <Button variant="default" loading={report.isPending} onClick={save}>
          Export CSV
        </Button>
      </div>
      <div className={styles.items} data-few={pages.count !== null && pages.count <= FEW ? '' : undefined}>
        <DataTable
          label={operation.isPlan ? 'Items of the plan' : 'Items of the report'}
          what="the items"
          columns={COLUMNS}
          compact={COMPACT_ITEMS}
          pages={pages}
          rowId={({ id, outcome: become }) => `${become} ${id}`}
          empty={
            <EmptyState title="No items" text={`The ${operation.isPlan ? 'plan' : 'report'} has no such items.`} />
          }
        />
      </div>
    </>
  );
}
