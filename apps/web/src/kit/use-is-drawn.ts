import { startTransition, useEffect, useState } from 'react';

/**
 * Whether the component has been drawn once: what waits for it is drawn right after it, in small steps. `useDeferredValue` waits for nothing where the
 * component itself was drawn late.
 */
export function useIsDrawn(): boolean {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => startTransition(() => setDrawn(true)), []);
  return isDrawn;
}
