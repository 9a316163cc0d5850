import { Button } from '@mantine/core';
import { o365Jobs } from '../../entities/places.ts';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { formatCount } from '../../kit/format/numbers.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { ErrorState } from '../../kit/states/error-state.tsx';
import styles from './figure-dialog.module.css';
import { type Figure, type FigureRow, useFigureRows } from './protection.data.ts';

interface FigureDialogProps {
  figure: Figure;
  title: string;
  onClose: () => void;
}

/** Lists what a figure of the dashboard counts. */
export default function FigureDialog({ figure, title, onClose }: FigureDialogProps) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useFigureRows(figure);
  return (
    <Dialog size="md" title={data === undefined ? title : `${title} (${formatCount(data.count)})`} onClose={onClose}>
      <div className={styles.body} aria-busy={data === undefined && error === null}>
        {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data?.count === 0 && <p className={styles.about}>There are none.</p>}
        <ul className={styles.list}>
          {data?.rows.map((row) => (
            <Row key={row.key} row={row} />
          ))}
        </ul>
        {hasNextPage && (
          <Button variant="subtle" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function Row({ row: { name, about, jobId } }: { row: FigureRow }) {
  return (
    <li className={styles.row}>
      <span className={styles.name} title={name}>
        {name}
      </span>
      <span className={styles.about}>{about}</span>
      {jobId !== null && (
        <ScreenLink className={styles.job} to={o365Jobs.at({ open: jobId })}>
          Open job
        </ScreenLink>
      )}
    </li>
  );
}
