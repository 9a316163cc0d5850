import { Button, Modal } from '@mantine/core';
import { useEffect } from 'react';
import styles from './confirm-dialog.module.css';
import type { Question } from './question.ts';

/** One question with two answers; closing it is a no. */
export default function ConfirmDialog({
  question,
  onAnswer,
}: {
  question: Question;
  onAnswer: (isYes: boolean) => void;
}) {
  const { title, text, confirmLabel, isDanger = false } = question;
  useEscape(() => onAnswer(false));
  return (
    <Modal
      opened
      centered
      size="sm"
      title={title}
      onClose={() => onAnswer(false)}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <p className={styles.text}>{text}</p>
      <div className={styles.answers}>
        <Button variant="default" onClick={() => onAnswer(false)}>
          Cancel
        </Button>
        <Button data-autofocus {...(isDanger ? { color: 'red' } : {})} onClick={() => onAnswer(true)}>
          {confirmLabel}
        </Button>
      </div>
    </Modal>
  );
}

/** The key is used then: a dialog below the question stays open. The library's own way leaves it to both. */
function useEscape(onEscape: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      onEscape();
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  });
}
