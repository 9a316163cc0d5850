import type { JobExecution } from '@keepwatch/contract/executions/job-executions';
import type { Icon } from '@tabler/icons-react';
import IconNote from '@tabler/icons-react/dist/esm/icons/IconNote.mjs';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import IconQuestionMark from '@tabler/icons-react/dist/esm/icons/IconQuestionMark.mjs';
import IconRepeat from '@tabler/icons-react/dist/esm/icons/IconRepeat.mjs';
import { useContext } from 'react';
import { UnsavedNotes } from '../../entities/notes/note-drafts.data.ts';
import styles from './execution-marks.module.css';
import { type Mark, marksOf } from './execution-marks.ts';

const ICONS: Readonly<Record<Mark['kind'], Icon>> = {
  doubtful: IconQuestionMark,
  retries: IconRepeat,
  unsaved: IconPencil,
  note: IconNote,
};

/** What should be known of a run besides its result, as symbols before its message. Without any, they use no space. */
export function ExecutionMarks({ run }: { run: JobExecution }) {
  const isUnsaved = useContext(UnsavedNotes).has(run._id);
  return marksOf(run, isUnsaved).map(({ kind, word }) => {
    const MarkIcon = ICONS[kind];
    return (
      <span key={word} className={styles.mark} data-kind={kind} role="img" aria-label={word} title={word}>
        <MarkIcon size={14} stroke={1.8} aria-hidden />
        {kind === 'retries' && run.attempts}
      </span>
    );
  });
}
