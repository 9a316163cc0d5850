import { Button, Modal } from '@mantine/core';
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
  return (
    <Modal opened centered size="sm" title={title} onClose={() => onAnswer(false)} withCloseButton={false}>
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
