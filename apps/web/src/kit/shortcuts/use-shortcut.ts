import { useEffect, useRef } from 'react';
import { usePortal } from '../portal.tsx';

/**
 * Registers a keyboard shortcut while the component is on the page, and lists it in the help overlay (`?`) as `label`.
 * `keys`: `j`, `Escape`, `g d`. With `isOff` it does nothing and is not listed; with
 * `isEverywhere` it works while a text is written, too.
 */
export function useShortcut(
  keys: string,
  label: string,
  action: () => void,
  isOff = false,
  isEverywhere = false,
): void {
  const { shortcuts } = usePortal();
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  useEffect(() => {
    if (isOff) return;
    return shortcuts.add({ keys, label, action: () => latest.current(), isEverywhere });
  }, [shortcuts, keys, label, isOff, isEverywhere]);
}
