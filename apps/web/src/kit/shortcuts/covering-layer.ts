/** What can be open above the page: a panel, a dialog, and whatever has put the page behind it out of use. */
const LAYERS = '[popover], [aria-modal="true"], [inert]';

/**
 * Whether something is open above the page. It has the keyboard to itself then, wherever the focus is: no key of the page may
 * act on what lies below. A layer that is on the page and not shown covers nothing.
 */
export function isPageCovered(): boolean {
  return [...document.querySelectorAll(LAYERS)].some(isShown);
}

/** The test page has no layout and knows no visibility: there, what is on the page is shown. */
function isShown(layer: Element): boolean {
  return layer.checkVisibility?.() ?? true;
}
