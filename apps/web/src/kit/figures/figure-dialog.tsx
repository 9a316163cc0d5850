import { Button } from '@mantine/core';
import { messageOf } from '../api.ts';
import { Dialog } from '../dialog/dialog.tsx';
import { formatCount } from '../format/numbers.ts';
import { ScreenLink } from '../screen-link.tsx';
import { ErrorState } from '../states/error-state.tsx';
import styles from './figure-dialog.module.css';
import type { FigureRow, useFigureRows } from './figure-rows.ts';

type Reading = ReturnType<typeof useFigureRows>;

interface FigureDialogProps {
  title: string;
  reading: Reading;
  onClose: () => void;
}

/** Lists what a figure of a dashboard counts. */
export function FigureDialog({ title, reading, onClose }: FigureDialogProps) {
  const { data, error, refetch, hasNextPage } = reading;
  return (
    <Dialog size="md" title={data === undefined ? title : `${title} (${formatCount(data.count)})`} onClose={onClose}>
      <div className={styles.body} aria-busy={data === undefined && error === null}>
        {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data?.count === 0 && <p className={styles.none}>There are none.</p>}
        <ul className={styles.list}>
          {data?.rows.map((row) => (
            <Row key={row.key} row={row} />
          ))}
        </ul>
        {hasNextPage && <More reading={reading} />}
      </div>
    </Dialog>
  );
}

/** What is there stays where more could not be read. */
function More({ reading: { error, isFetchNextPageError, isFetchingNextPage, fetchNextPage } }: { reading: Reading }) {
  return (
    <>
      {isFetchNextPageError && (
        <p className={styles.failure} role="alert">
          {`The rest could not be read. ${messageOf(error)}`}
        </p>
      )}
      <Button variant="subtle" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {isFetchNextPageError ? 'Try again' : 'Show more'}
      </Button>
    </>
  );
}

function Row({ row: { name, about, to, next } }: { row: FigureRow }) {
  const details = about.filter((part) => part !== null).join(' · ');
  return (
    <li className={styles.row}>
      {to === undefined ? (
        <span className={styles.name} title={name}>
          {name}
        </span>
      ) : (
        <ScreenLink to={to} className={styles.name} title={name}>
          {name}
        </ScreenLink>
      )}
      {details !== '' && <span className={styles.about}>{details}</span>}
      {next !== undefined && (
        <ScreenLink to={next.to} className={styles.next}>
          {next.text}
        </ScreenLink>
      )}
    </li>
  );
}
