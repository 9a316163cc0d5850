import { lazy, Suspense } from 'react';
import { useShortcut } from '../kit/shortcuts/use-shortcut.ts';

const Overlay = lazy(() => import('./shortcut-overlay.tsx'));

interface ShortcutHelpProps {
  isOpen: boolean;
  onOpen: () => void;
  onClose: () => void;
}

/** All shortcuts that work here, on `?`. Its code is loaded when it is first asked for. */
export function ShortcutHelp({ isOpen, onOpen, onClose }: ShortcutHelpProps) {
  useShortcut('?', 'Show the keyboard shortcuts', onOpen);
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <Overlay onClose={onClose} />
    </Suspense>
  );
}
