import { Button } from '@mantine/core';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import { formatCount } from '../format/numbers.ts';
import styles from './export-button.module.css';
import type { CsvExport } from './use-csv-export.ts';

/** Saves the list as CSV; while it does, says how far it is and stops on a click. */
export function ExportButton({ exported, count }: { exported: CsvExport; count: number | null }) {
  const { isRunning, rows, noun, start, stop } = exported;
  const ButtonIcon = isRunning ? IconX : IconDownload;
  return (
    <Button
      variant="default"
      className={styles.button}
      leftSection={<ButtonIcon size={15} stroke={1.6} aria-hidden />}
      disabled={count === 0}
      onClick={isRunning ? stop : start}
      title={isRunning ? 'Stops the export; nothing is saved then.' : 'Export CSV'}
    >
      {isRunning ? (
        <>
          Stop export<span className={styles.rows}>{`${formatCount(rows)} ${noun}`}</span>
        </>
      ) : (
        <span className={styles.label}>Export CSV</span>
      )}
    </Button>
  );
}
