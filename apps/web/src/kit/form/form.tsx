import { Button, type ButtonProps } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { messageOf } from '../api.ts';
import styles from './form.module.css';
import type { CallForm } from './use-call-form.ts';
import { useUnsaved } from './use-unsaved.tsx';

interface FormProps<V extends object> {
  form: CallForm<V>;
  /** What Enter does, where it is not sending. */
  onSubmit?: () => void;
  /** The buttons, and what is to be known before they are pressed. */
  actions: ReactNode;
  children: ReactNode;
}

/**
 * The fields one below the other, what the server says to them, and the buttons. It asks before unsaved input is lost,
 * also where the dialog around it is closed.
 */
export function Form<V extends object>({ form, onSubmit = form.submit, actions, children }: FormProps<V>) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  const question = useUnsaved(form);
  // The browser's own messages would go before those of the contract.
  return (
    <>
      <form ref={form.ref} className={styles.form} noValidate onSubmit={submit}>
        {children}
        {form.failure !== null && (
          <p className={styles.error} role="alert">
            {messageOf(form.failure)}
          </p>
        )}
        <div className={styles.actions}>{actions}</div>
      </form>
      {question}
    </>
  );
}

interface SubmitButtonProps<V extends object> extends ButtonProps {
  form: CallForm<V>;
  /** Stays enabled while something required is missing, and says then what. */
  saysWhatIsMissing?: boolean;
  children: ReactNode;
}

/** Sends the form. It shows that the form is on its way, and waits until what is required is there. */
export function SubmitButton<V extends object>(props: SubmitButtonProps<V>) {
  const { form, saysWhatIsMissing = false, children, ...look } = props;
  return (
    <Button type="submit" disabled={!saysWhatIsMissing && !form.isComplete} loading={form.isSending} {...look}>
      {children}
    </Button>
  );
}
