import { type Brand, setChatSecret } from '@keepwatch/contract/branding/brands';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Form, SubmitButton } from '../kit/form/form.tsx';
import { SecretField } from '../kit/form/text-fields.tsx';
import { useCallForm } from '../kit/form/use-call-form.ts';
import styles from './branding.module.css';
import { useRemoveChatSecret, useSetChatSecret } from './brands.data.ts';

/** The secret that the live chat checks identity tokens with. It can be set and removed, and is never shown. */
export function ChatSecret({ brand }: { brand: Brand }) {
  // What was typed is gone with the form once it is stored.
  const [round, setRound] = useState(0);
  return (
    <section className={styles.section}>
      <h3>Live chat</h3>
      <SecretForm key={round} brand={brand} onDone={() => setRound(round + 1)} />
    </section>
  );
}

function SecretForm({ brand: { id, hasChatSecret }, onDone }: { brand: Brand; onDone: () => void }) {
  const remove = useRemoveChatSecret(id);
  const form = useCallForm(setChatSecret, {
    initial: { secret: '' },
    secrets: ['secret'],
    send: useSetChatSecret(id).mutateAsync,
    onDone,
  });
  const actions = (
    <>
      <SubmitButton form={form}>{hasChatSecret ? 'Replace secret' : 'Save secret'}</SubmitButton>
      {hasChatSecret && (
        <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
          Remove secret
        </Button>
      )}
    </>
  );
  return (
    <Form form={form} actions={actions}>
      <SecretField
        form={form}
        name="secret"
        label="Secret of the live chat"
        description="The chat checks with it that a user is who the portal says. It is stored encrypted and never shown again."
        placeholder={hasChatSecret ? 'A secret is stored' : ''}
      />
    </Form>
  );
}
