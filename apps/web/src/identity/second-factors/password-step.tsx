import type { ReactNode } from 'react';
import { Form, SubmitButton } from '../../kit/form/form.tsx';
import { PasswordField } from '../../kit/form/text-fields.tsx';
import type { CallForm } from '../../kit/form/use-call-form.ts';
import { OwnPassword } from '../proof.tsx';
import styles from './second-factors.module.css';

interface PasswordStepProps {
  form: CallForm<{ password: string }>;
  /** What happens then. */
  children: ReactNode;
  /** The deed, on the button. */
  action: string;
  isDanger?: boolean;
}

/** Asks for the own password before a second factor changes. */
export function PasswordStep({ form, children, action, isDanger = false }: PasswordStepProps) {
  const look = isDanger ? { color: 'red' } : {};
  return (
    <Form
      form={form}
      actions={
        <SubmitButton {...look} form={form}>
          {action}
        </SubmitButton>
      }
    >
      <p className={styles.hint}>{children}</p>
      <OwnPassword>
        <PasswordField isFocused form={form} name="password" label="Current password" autoComplete="current-password" />
      </OwnPassword>
    </Form>
  );
}
