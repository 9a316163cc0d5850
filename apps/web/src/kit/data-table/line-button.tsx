import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

interface LineButtonProps {
  /** With what it is about, as many lines have a button of one word. */
  label: string;
  isPending: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** A button as high as a line of a table, which cuts off what is higher. */
export function LineButton({ label, isPending, onClick, children }: LineButtonProps) {
  return (
    <Button variant="default" size="compact-xs" h={20} aria-label={label} loading={isPending} onClick={onClick}>
      {children}
    </Button>
  );
}
