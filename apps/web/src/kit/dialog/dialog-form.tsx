import type { FormEvent, ReactNode } from 'react';
import { messageOf } from '../api.ts';
import styles from './dialog-form.module.css';

interface DialogFormProps {
  onSubmit: () => void;
  /** Why the server refused it; `null` if it did not, or if a field shows the reason. */
  error: unknown;
  /** The buttons, and what is to be known before they are pressed. */
  actions: ReactNode;
  children: ReactNode;
}

/** The form in a dialog: its fields one below the other, what the server says to them, and the buttons. */
export function DialogForm({ onSubmit, error, actions, children }: DialogFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {children}
      {error !== null && (
        <p className={styles.error} role="alert">
          {messageOf(error)}
        </p>
      )}
      <div className={styles.actions}>{actions}</div>
    </form>
  );
}
