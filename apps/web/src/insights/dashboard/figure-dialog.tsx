import { Button } from '@mantine/core';
import { calendar } from '../../entities/places.ts';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { formatCount } from '../../kit/format/numbers.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { ErrorState } from '../../kit/states/error-state.tsx';
import type { Subject } from './dashboard-filters.ts';
import styles from './figure-dialog.module.css';
import { type Figure, type FigureRow, useFigureList } from './figure-list.data.ts';

interface FigureDialogProps {
  figure: Figure;
  subject: Subject;
  onClose: () => void;
}

const TITLES: Readonly<Record<Figure, string>> = {
  companies: 'Companies',
  'never-ran': 'Never run',
  computers: 'Computers without agent',
};

/** Lists what a figure of the dashboard counts. */
export default function FigureDialog({ figure, subject, onClose }: FigureDialogProps) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useFigureList(figure, subject);
  const title = data === undefined ? TITLES[figure] : `${TITLES[figure]} (${formatCount(data.count)})`;
  return (
    <Dialog size="md" title={title} onClose={onClose}>
      <div className={styles.body} aria-busy={data === undefined && error === null}>
        {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data?.count === 0 && <p className={styles.none}>There are none.</p>}
        <ul className={styles.list}>
          {data?.rows.map((row) => (
            <Row key={row.id} row={row} />
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

function Row({ row: { name, about, companyId } }: { row: FigureRow }) {
  const details = about.filter((part) => part !== null).join(' · ');
  return (
    <li className={styles.row}>
      {companyId === null ? (
        <span className={styles.name} title={name}>
          {name}
        </span>
      ) : (
        <ScreenLink to={calendar.at({ company: [companyId] })} className={styles.name} title={name}>
          {name}
        </ScreenLink>
      )}
      {details !== '' && <span className={styles.about}>{details}</span>}
    </li>
  );
}
