import { ActionIcon } from '@mantine/core';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { lazy, Suspense, useState } from 'react';
import { useShortcut } from '../../kit/shortcuts/use-shortcut.ts';
import type { FrameActions } from './use-actions.ts';

const Palette = lazy(() => import('./palette.tsx'));

/** Opens the command palette, as Ctrl+K and Command+K do. Its code is loaded when it is first asked for. */
export function PaletteButton(actions: FrameActions) {
  const [isOpen, setOpen] = useState(false);
  useShortcut('Control+k', 'Search or run an action', () => setOpen(true), false, true);
  return (
    <>
      <ActionIcon
        aria-label="Search"
        title="Search or run an action (Ctrl+K)"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <IconSearch size={18} stroke={1.6} aria-hidden />
      </ActionIcon>
      {isOpen && (
        <Suspense fallback={null}>
          <Palette {...actions} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
