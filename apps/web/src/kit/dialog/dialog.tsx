import { Modal } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './dialog.module.css';
import { type LeaveGuard, LeaveGuardContext } from './leave-guard.ts';

interface DialogProps {
  title: string;
  size: 'md' | 'xl' | `${number}px`;
  onClose: () => void;
  /** It shows what is gone once it is closed: Escape does not close it. */
  staysAtEscape?: boolean;
  /** A click beside the dialog does not close it. Unsaved input asks before any way of closing loses it. */
  isForm?: boolean;
  children: ReactNode;
}

/**
 * A dialog with its title and a close button. Its head is not a `<header>`, which screen readers would announce as a
 * second page header.
 */
export function Dialog({ title, size, onClose, staysAtEscape = false, isForm = false, children }: DialogProps) {
  const guard = useRef<LeaveGuard | null>(null);
  const close = () => (guard.current === null ? onClose() : guard.current(onClose));
  useFocusReturn();
  useEscape(close, staysAtEscape);
  return (
    <Modal.Root opened size={size} onClose={close} closeOnEscape={false} closeOnClickOutside={!isForm}>
      <Modal.Overlay />
      <Modal.Content>
        <div className={styles.head}>
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </div>
        <Modal.Body>
          <LeaveGuardContext value={guard}>{children}</LeaveGuardContext>
        </Modal.Body>
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
