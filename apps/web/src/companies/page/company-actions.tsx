import type { CompanyDetail } from '@keepwatch/contract/companies/companies';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useMayChangeCompanies } from '../../entities/new-company.data.ts';
import styles from './company-details.module.css';

const EditCompany = lazy(() => import('./edit-company.tsx'));
const DeleteCompany = lazy(() => import('./delete-company.tsx'));

/** What can be done with a company, for users who may change companies. */
export function CompanyActions({ company, onDeleted }: { company: CompanyDetail; onDeleted: () => void }) {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const close = () => setOpen(null);
  if (!useMayChangeCompanies()) return null;
  return (
    <div className={styles.actions}>
      <Button variant="default" size="compact-sm" onClick={() => setOpen('edit')}>
        Edit
      </Button>
      <Button variant="default" size="compact-sm" onClick={() => setOpen('delete')}>
        Delete
      </Button>
      <Suspense fallback={null}>
        {open === 'edit' && <EditCompany company={company} onClose={close} />}
        {open === 'delete' && <DeleteCompany company={company} onClose={close} onDeleted={onDeleted} />}
      </Suspense>
    </div>
  );
}
