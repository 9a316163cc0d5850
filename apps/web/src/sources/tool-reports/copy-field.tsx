import { Button } from '@mantine/core';
import { useId, useRef } from 'react';
import { useToasts } from '../../kit/portal.tsx';
import styles from './copy-field.module.css';

/** A text to copy unchanged, with a button that copies it. */
export function CopyField({ label, text }: { label: string; text: string }) {
  const id = useId();
  const textRef = useRef<HTMLElement>(null);
  const toasts = useToasts();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toasts.success(`${label} copied to clipboard`);
    } catch {
      // Without https a browser has no clipboard; the text is marked, so that one key copies it.
      if (textRef.current !== null) window.getSelection()?.selectAllChildren(textRef.current);
      toasts.error('Your browser did not allow copying. The text is selected: copy it with the keyboard.');
    }
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in
    <div className={styles.field} role="group" aria-labelledby={id}>
      <span id={id} className={styles.label}>
        {label}
      </span>
      <code ref={textRef} className={styles.text}>
        {text}
      </code>
      <Button variant="default" aria-label={`Copy ${label}`} onClick={() => void copy()}>
        Copy
      </Button>
    </div>
  );
}
