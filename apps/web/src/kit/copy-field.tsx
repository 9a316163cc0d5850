import { Button } from '@mantine/core';
import { useId, useRef } from 'react';
import styles from './copy-field.module.css';
import { useToasts } from './portal.tsx';

interface CopyFieldProps {
  label: string;
  text: string;
  /** To be read from another device. */
  isLarge?: boolean;
}

/** A text to copy unchanged, with a button that copies it. */
export function CopyField({ label, text, isLarge = false }: CopyFieldProps) {
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
      <code ref={textRef} className={styles.text} data-large={isLarge || undefined}>
        {text}
      </code>
      <Button variant="default" aria-label={`Copy ${label}`} onClick={() => void copy()}>
        Copy
      </Button>
    </div>
  );
}
