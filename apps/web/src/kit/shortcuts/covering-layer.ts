/** What can be open above the page: a panel, a dialog, and whatever has put the page behind it out of use. */
const LAYERS = '[popover], [aria-modal="true"], [inert]';

/**
 * Reports whether a layer is open above the page. That layer then receives all keys, wherever the focus is: no shortcut of
 * the page below may act. A layer that is on the page but not shown covers nothing.
 */
export function isPageCovered(): boolean {
  return [...document.querySelectorAll(LAYERS)].some(isShown);
}

/** The test page has no layout and knows no visibility: there, what is on the page is shown. */
function isShown(layer: Element): boolean {
  return layer.checkVisibility?.() ?? true;
}
