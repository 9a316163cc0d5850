import { Modal } from '@mantine/core';
import { type KeyboardEventHandler, type ReactNode, useEffect, useState } from 'react';
import styles from './dialog.module.css';

interface DialogProps {
  title: string;
  size: 'md' | 'xl' | `${number}px`;
  onClose: () => void;
  /** Instead of closing at Escape by itself. */
  onKeyDown?: KeyboardEventHandler;
  /** Something has been typed that a click beside the dialog must not lose. */
  isForm?: boolean;
  children: ReactNode;
}

/**
 * A dialog with its title and a button that closes it. Its head is no `<header>`, as screen readers would take that for
 * a second head of the page.
 */
export function Dialog({ title, size, onClose, onKeyDown, isForm = false, children }: DialogProps) {
  useFocusReturn();
  return (
    <Modal.Root
      opened
      size={size}
      onClose={onClose}
      closeOnEscape={onKeyDown === undefined}
      closeOnClickOutside={!isForm}
    >
      <Modal.Overlay />
      <Modal.Content {...(onKeyDown === undefined ? {} : { onKeyDown })}>
        <div className={styles.head}>
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
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
