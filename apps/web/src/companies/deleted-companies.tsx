import { Button } from '@mantine/core';
import { useState } from 'react';
import { messageOf } from '../kit/api.ts';
import { Dialog } from '../kit/dialog/dialog.tsx';
import { SearchInput } from '../kit/filters/search-input.tsx';
import { formatDateTime } from '../kit/format/dates.ts';
import { formatCount } from '../kit/format/numbers.ts';
import { SkeletonRows } from '../kit/states/skeleton-rows.tsx';
import styles from './companies.module.css';
import { useDeletedCompanies, useRestoreCompany } from './deleted-companies.data.ts';

/** The companies that were deleted, with who did it and why, and the way back. */
export default function DeletedCompanies({ onClose }: { onClose: () => void }) {
  const [search, setSearch] = useState('');
  return (
    <Dialog size="xl" title="Deleted companies" onClose={onClose}>
      <SearchInput isFocused label="Search deleted companies" value={search} onChange={setSearch} />
      <Found search={search} />
    </Dialog>
  );
}

function Found({ search }: { search: string }) {
  const { data, error } = useDeletedCompanies(search);
  const { mutate, isPending } = useRestoreCompany();
  if (error !== null) return <p role="alert">{messageOf(error)}</p>;
  if (data === undefined) return <SkeletonRows rows={3} />;
  if (data.count === 0) return <p>{search === '' ? 'No company was deleted.' : 'No matching company.'}</p>;
  const more = data.count - data.data.length;
  return (
    <>
      <ul aria-label="Deleted companies" className={styles.deleted}>
        {data.data.map((company) => (
          <li key={company._id}>
            <div>
              <strong>{company.name}</strong>
              <p>
                {formatDateTime(company.deletedAt)}, {company.deletedBy ?? 'not recorded by whom'}
              </p>
              {company.reason !== null && <p>{company.reason}</p>}
            </div>
            <Button
              variant="default"
              size="compact-sm"
              aria-label={`Restore ${company.name}`}
              disabled={isPending}
              onClick={() => mutate(company)}
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
      {more > 0 && <p>{formatCount(more)} more. Search by name to find them.</p>}
    </>
  );
}
