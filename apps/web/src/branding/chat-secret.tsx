import { type Brand, setChatSecret } from '@keepwatch/contract/branding/brands';
import { Button } from '@mantine/core';
import { Form, SubmitButton } from '../kit/form/form.tsx';
import { SecretField } from '../kit/form/text-fields.tsx';
import { useCallForm } from '../kit/form/use-call-form.ts';
import styles from './branding.module.css';
import { useRemoveChatSecret, useSetChatSecret } from './brands.data.ts';

/** The secret that the live chat checks identity tokens with. It can be set and removed, and is never shown. */
export function ChatSecret({ brand: { id, hasChatSecret } }: { brand: Brand }) {
  const remove = useRemoveChatSecret(id);
  const form = useCallForm(setChatSecret, {
    initial: { secret: '' },
    secrets: ['secret'],
    send: useSetChatSecret(id).mutateAsync,
    onDone: () => form.reset(),
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
    <section className={styles.section}>
      <h3>Live chat</h3>
      <Form form={form} actions={actions}>
        <SecretField
          form={form}
          name="secret"
          label="Secret of the live chat"
          description="The chat checks with it that a user is who the portal says. It is stored encrypted and never shown again."
          placeholder={hasChatSecret ? 'A secret is stored' : ''}
        />
      </Form>
    </section>
  );
}
