import { Button, type ButtonProps } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { Panel } from './panel.tsx';

interface ShortcutPanelProps extends ButtonProps {
  /** On the button. */
  word: string;
  /** Read out as the panel's name, and in the list of shortcuts. */
  label: string;
  keys: string;
  /** Where the same key belongs to something else at the moment. */
  isShortcutOff?: boolean;
  content: (close: () => void) => ReactNode;
}

/** A button with a panel that a key opens too. */
export function ShortcutPanel({ word, label, keys, isShortcutOff = false, content, ...button }: ShortcutPanelProps) {
  const placeRef = useRef<HTMLSpanElement>(null);
  useShortcut(keys, label, () => placeRef.current?.querySelector('button')?.click(), isShortcutOff);
  return (
    <span ref={placeRef}>
      <Panel
        label={label}
        trigger={(props) => (
          <Button variant="default" {...button} {...props} title={`${label} (${keys})`}>
            {word}
          </Button>
        )}
      >
        {content}
      </Panel>
    </span>
  );
}
