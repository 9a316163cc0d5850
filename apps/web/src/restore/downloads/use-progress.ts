import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { loadedRows, type Pages } from '../../kit/data-table/pages.ts';
import { RESTORE_KEY } from '../points/points.data.ts';

const PROGRESS_MS = 3_000;

/** Reads a list again as long as something in it is under way. */
export function useProgress<Row>(pages: Pages<Row>, isActive: (row: Row) => boolean): void {
  const queries = useQueryClient();
  const isAny = loadedRows(pages).some(isActive);
  useEffect(() => {
    if (!isAny) return;
    const read = () => {
      for (const noun of ['downloads', 'operations'])
        void queries.invalidateQueries({ queryKey: [...RESTORE_KEY, noun, 'list'] });
    };
    const timer = setInterval(read, PROGRESS_MS);
    return () => clearInterval(timer);
  }, [isAny, queries]);
}
