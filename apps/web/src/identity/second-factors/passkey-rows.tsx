import type { SecondFactors } from '@keepwatch/contract/identity/second-factors';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Row, usedText } from './factor-row.tsx';

const AddPasskey = lazy(() => import('./add-passkey.tsx'));
const RenamePasskey = lazy(() => import('./rename-passkey.tsx'));
const RemovePasskey = lazy(() => import('./remove-passkey.tsx'));

type Passkey = SecondFactors['passkeys'][number];
type Open = { dialog: 'add' } | { dialog: 'rename' | 'remove'; passkey: Passkey } | null;

/** The passkeys of the user, each with its last use. */
export function PasskeyRows({ passkeys }: { passkeys: readonly Passkey[] }) {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  return (
    <>
      {passkeys.map((passkey) => (
        <Row key={passkey._id} title={passkey.name} text={usedText(passkey)}>
          <Button
            variant="default"
            aria-label={`Rename ${passkey.name}`}
            onClick={() => setOpen({ dialog: 'rename', passkey })}
          >
            Rename
          </Button>
          <Button
            variant="default"
            aria-label={`Remove ${passkey.name}`}
            onClick={() => setOpen({ dialog: 'remove', passkey })}
          >
            Remove
          </Button>
        </Row>
      ))}
      <Row title="Passkeys" text={passkeys.length === 0 ? 'None' : 'Add one for each of your devices'}>
        <Button variant={passkeys.length === 0 ? 'filled' : 'default'} onClick={() => setOpen({ dialog: 'add' })}>
          Add passkey
        </Button>
      </Row>
      <Suspense fallback={null}>
        {open?.dialog === 'add' && <AddPasskey onClose={close} />}
        {open?.dialog === 'rename' && <RenamePasskey passkey={open.passkey} onClose={close} />}
        {open?.dialog === 'remove' && <RemovePasskey passkey={open.passkey} onClose={close} />}
      </Suspense>
    </>
  );
}
