import type { JobSession } from '@keepwatch/contract/microsoft365/jobs';
import { RESULT_LOOKS } from '../../entities/result-badge.tsx';
import { partHeight } from '../../kit/chart/chart-scale.ts';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatDuration } from '../../kit/format/durations.ts';
import { useClock } from '../../kit/portal.tsx';
import { styleVariables } from '../../kit/style-variables.ts';
import styles from './session-history.module.css';

interface SessionHistoryProps {
  /** Newest first. */
  sessions: readonly JobSession[];
  chosen: string;
  onChoose: (id: string) => void;
}

const SHOWN_MAX = 40;
const HEIGHT_PX = 56;

/** The runs of a job as bars, oldest first: how long each took, and in the colour of how it ended. */
export function SessionHistory({ sessions, chosen, onChoose }: SessionHistoryProps) {
  const now = useClock().now().getTime();
  const shown = sessions.slice(0, SHOWN_MAX).toReversed();
  const durationOf = ({ creationTime, endTime }: JobSession) =>
    (endTime === null ? now : Date.parse(endTime)) - Date.parse(creationTime);
  const plot = { top: Math.max(...shown.map(durationOf), 1), heightPx: HEIGHT_PX };
  if (shown.length < 2) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div className={styles.history} role="group" aria-label="Runs, by how long each took">
      {shown.map((session) => {
        const { word, tone } = RESULT_LOOKS[session.status];
        const text = `${word}, ${formatDateTime(session.creationTime)}, ${formatDuration(durationOf(session))}`;
        return (
          <button
            key={session.id}
            type="button"
            className={styles.slot}
            title={text}
            aria-label={text}
            aria-pressed={session.id === chosen}
            style={styleVariables({
              '--height': `${partHeight(Math.max(durationOf(session), 1), plot)}px`,
              '--tone': `var(--status-${tone})`,
            })}
            onClick={() => onChoose(session.id)}
          />
        );
      })}
    </div>
  );
}
