import type { ReactNode } from 'react';
import { Dialog } from '../dialog/dialog.tsx';
import { Form, SubmitButton } from './form.tsx';
import type { CallForm } from './use-call-form.ts';

interface FormDialogProps<V extends object> {
  form: CallForm<V>;
  title: string;
  /** The deed, on the button: `Add company`. */
  action: string;
  isDanger?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog that fills in and sends one form. */
export function FormDialog<V extends object>({
  form,
  title,
  action,
  isDanger = false,
  onClose,
  children,
}: FormDialogProps<V>) {
  const look = isDanger ? { color: 'red' } : {};
  return (
    <Dialog isForm size="md" title={title} onClose={onClose}>
      <Form
        form={form}
        actions={
          <SubmitButton {...look} form={form}>
            {action}
          </SubmitButton>
        }
      >
        {children}
      </Form>
    </Dialog>
  );
}
