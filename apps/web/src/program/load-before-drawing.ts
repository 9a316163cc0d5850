import type { createPortalRouter } from './router.tsx';

/**
 * Loads the screen at the address: with the screen known the first drawing is of the screen, in small steps. Found out while drawing, it would be drawn
 * a second time, and in one step. A change of the address is followed meanwhile, as the router begins to do so only once it is drawn.
 */
export async function loadBeforeDrawing(router: ReturnType<typeof createPortalRouter>): Promise<void> {
  // Not `load` itself: the router subscribes with that, and the same function is held once, and let go for both.
  const leave = router.history.subscribe(() => void router.load());
  const stop = router.subscribe('onRendered', () => {
    leave();
    stop();
  });
  await router.load();
}
