import { Modal } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import styles from './dialog.module.css';

interface DialogProps {
  title: string;
  size: 'md' | 'xl' | `${number}px`;
  onClose: () => void;
  /** It shows what is gone once it is closed: Escape does not close it. */
  staysAtEscape?: boolean;
  /** Something has been typed that a click beside the dialog must not lose. */
  isForm?: boolean;
  children: ReactNode;
}

/**
 * A dialog with its title and a close button. Its head is not a `<header>`, which screen readers would announce as a
 * second page header.
 */
export function Dialog({ title, size, onClose, staysAtEscape = false, isForm = false, children }: DialogProps) {
  useFocusReturn();
  useEscape(onClose, staysAtEscape);
  return (
    <Modal.Root opened size={size} onClose={onClose} closeOnEscape={false} closeOnClickOutside={!isForm}>
      <Modal.Overlay />
      <Modal.Content>
        <div className={styles.head}>
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Closes the dialog at Escape, unless a panel within it has had the key: the library's own way does not ask. */
function useEscape(onClose: () => void, isOff: boolean): void {
  useEffect(() => {
    if (isOff) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) onClose();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [onClose, isOff]);
}

/** Gives the focus back to what had it: the library does so only for a dialog that was there, closed, before. */
function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    },
    [before],
  );
}
