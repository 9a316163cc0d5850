import type { SecondFactors } from '@keepwatch/contract/identity/second-factors';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Row, usedText } from './factor-row.tsx';

const AddPhone = lazy(() => import('./add-phone.tsx'));
const RemovePhone = lazy(() => import('./remove-phone.tsx'));

/** The own phone to which codes are sent. */
export function PhoneRow({ phone, canUsePhone }: Pick<SecondFactors, 'phone' | 'canUsePhone'>) {
  const [open, setOpen] = useState<'add' | 'remove' | null>(null);
  const close = () => setOpen(null);
  if (phone === null && !canUsePhone) return null;
  return (
    <>
      <Row title="Phone" text={phone === null ? 'None' : `${phone.number}. ${usedText(phone)}`}>
        {canUsePhone && (
          <Button variant={phone === null ? 'filled' : 'default'} onClick={() => setOpen('add')}>
            {phone === null ? 'Add phone' : 'Change number'}
          </Button>
        )}
        {phone !== null && (
          <Button variant="default" onClick={() => setOpen('remove')}>
            Remove phone
          </Button>
        )}
      </Row>
      <Suspense fallback={null}>
        {open === 'add' && <AddPhone onClose={close} />}
        {open === 'remove' && <RemovePhone onClose={close} />}
      </Suspense>
    </>
  );
}
