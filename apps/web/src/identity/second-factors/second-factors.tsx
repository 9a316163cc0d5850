import type { SecondFactors as Factors } from '@keepwatch/contract/identity/second-factors';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { messageOf } from '../../kit/api.ts';
import { Row, usedText } from './factor-row.tsx';
import { PasskeyRows } from './passkey-rows.tsx';
import { PhoneRow } from './phone-row.tsx';
import { useSecondFactors } from './second-factors.data.ts';
import styles from './second-factors.module.css';

const AddAuthenticator = lazy(() => import('./add-authenticator.tsx'));
const RemoveAuthenticator = lazy(() => import('./remove-authenticator.tsx'));
const RenewRecoveryCodes = lazy(() => import('./renew-recovery-codes.tsx'));

type Open = 'add' | 'remove' | 'codes' | null;

/** The own second factors, as a section of a page: what there is, and how to add and remove it. */
export function SecondFactors() {
  const { data, error } = useSecondFactors();
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  return (
    <section
      className={styles.section}
      aria-labelledby="second-factors"
      aria-busy={data === undefined && error === null}
    >
      <h2 id="second-factors">Second factors</h2>
      <p className={styles.hint}>With one of them your account stays yours, even if your password becomes known.</p>
      {error !== null && <p role="alert">{messageOf(error)}</p>}
      {data !== undefined && <Rows factors={data} onOpen={setOpen} />}
      <Suspense fallback={null}>
        {open === 'add' && <AddAuthenticator onClose={close} />}
        {open === 'remove' && <RemoveAuthenticator onClose={close} />}
        {open === 'codes' && <RenewRecoveryCodes onClose={close} />}
      </Suspense>
    </section>
  );
}

function Rows({ factors, onOpen }: { factors: Factors; onOpen: (open: Open) => void }) {
  const { authenticator, passkeys, phone, recoveryCodesLeft } = factors;
  const isProtected = authenticator !== null || passkeys.length > 0 || phone !== null;
  return (
    <>
      <Row title="Authenticator app" text={authenticator === null ? 'None' : usedText(authenticator)}>
        {authenticator === null ? (
          <Button onClick={() => onOpen('add')}>Add app</Button>
        ) : (
          <Button variant="default" onClick={() => onOpen('remove')}>
            Remove app
          </Button>
        )}
      </Row>
      <PasskeyRows passkeys={passkeys} />
      <PhoneRow phone={phone} canUsePhone={factors.canUsePhone} />
      {isProtected && (
        <Row title="Recovery codes" text={`${recoveryCodesLeft} of 10 left`}>
          <Button variant="default" onClick={() => onOpen('codes')}>
            Make new codes
          </Button>
        </Row>
      )}
    </>
  );
}
