import { useEffect, useRef } from 'react';
import { usePortal } from '../portal.tsx';

/**
 * Registers a keyboard shortcut while the component is on the page, and lists it in the help overlay (`?`) as `label`.
 * `keys`: `j`, `Escape`, `g d`. With `isOff` it does nothing and is not listed.
 */
export function useShortcut(keys: string, label: string, action: () => void, isOff = false): void {
  const { shortcuts } = usePortal();
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  useEffect(() => {
    if (isOff) return;
    return shortcuts.add({ keys, label, action: () => latest.current() });
  }, [shortcuts, keys, label, isOff]);
}
