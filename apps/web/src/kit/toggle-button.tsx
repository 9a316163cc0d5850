import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

interface ToggleButtonProps {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  /** What it does, where its words are few. */
  title?: string;
  children: ReactNode;
}

/** Something that is on or off. It looks like a button also while it is off. */
export function ToggleButton({ isOn, onChange, title, children }: ToggleButtonProps) {
  return (
    <Button title={title} variant={isOn ? 'light' : 'default'} aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      {children}
    </Button>
  );
}
