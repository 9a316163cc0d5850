import type { Repository } from '@keepwatch/contract/inventory/repositories';
import { useElementSize } from '@mantine/hooks';
import { messageOf } from '../../kit/api.ts';
import { linePath } from '../../kit/chart/chart-scale.ts';
import { formatDay } from '../../kit/format/dates.ts';
import { formatBytes } from '../../kit/format/numbers.ts';
import { growthText } from './forecast.ts';
import { useRepositoryHistory } from './repositories.data.ts';
import styles from './repositories.module.css';

const HEIGHT_PX = 48;

/** How a repository came to be as full as it is. */
export default function RepositoryHistory({ repository }: { repository: Repository }) {
  const { data, error, refetch } = useRepositoryHistory(repository._id);
  const { ref, width } = useElementSize<HTMLDivElement>();
  const first = data?.[0];
  const last = data?.at(-1);
  return (
    <div className={styles.history}>
      <div ref={ref} className={styles.spark} style={{ height: HEIGHT_PX }}>
        {data !== undefined && (
          <Spark values={data.map(({ usedBytes }) => usedBytes)} top={topOf(data)} widthPx={width} />
        )}
      </div>
      {error === null ? (
        <p className={styles.story}>
          {first !== undefined && last !== undefined
            ? `${formatBytes(first.usedBytes)} used on ${formatDay(first.day)}, ${formatBytes(last.usedBytes)} on ` +
              `${formatDay(last.day)}; ${growthText(repository.growthBytesPerDay)}.`
            : data === undefined
              ? 'Loading…'
              : 'No history of the last 90 days.'}
          {repository.path !== null && <span className={styles.path}>{repository.path}</span>}
        </p>
      ) : (
        <p className={styles.story} role="alert">
          {messageOf(error)}{' '}
          <button type="button" className={styles.retry} onClick={() => void refetch()}>
            Try again
          </button>
        </p>
      )}
    </div>
  );
}

function Spark({ values, top, widthPx }: { values: readonly number[]; top: number; widthPx: number }) {
  const path = linePath(values, { widthPx, heightPx: HEIGHT_PX, top });
  return (
    <svg width="100%" height={HEIGHT_PX} className={styles.line} aria-hidden>
      <path d={path} />
    </svg>
  );
}

/** The upper edge is the capacity: a line near it is a repository near full. */
function topOf(days: readonly { capacityBytes: number; usedBytes: number }[]): number {
  return Math.max(1, ...days.map((day) => Math.max(day.capacityBytes, day.usedBytes)));
}
