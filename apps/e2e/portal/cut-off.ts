import type { Page } from '@playwright/test';

/** What of a page is wider than the window, or beyond its edges and in nothing that can be scrolled there. */
export function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const main = document.querySelector('main');
    const isAround = (node: Element) => main !== null && node.contains(main);
    const nameOf = (node: Element) =>
      `${node.tagName.toLowerCase()} "${(node.getAttribute('aria-label') ?? node.textContent).trim().slice(0, 60)}"`;
    const tooWide = [document.documentElement, document.body, main].flatMap((node) =>
      node !== null && node.scrollWidth > node.clientWidth
        ? [`${node.tagName.toLowerCase()} has ${node.scrollWidth} px in ${node.clientWidth}`]
        : [],
    );
    const isShown = (node: Element) =>
      node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      node.closest('[aria-hidden="true"]') === null &&
      // What only screen readers find, or the Tab key.
      getComputedStyle(node).clipPath !== 'inset(50%)' &&
      node.parentElement?.closest('svg') === null;
    /** The nearest part around it, within the page, that shows or scrolls only what is in it. */
    const boxOf = (node: Element): Element | null => {
      const { parentElement: around } = node;
      if (around === null || isAround(around)) return null;
      return getComputedStyle(around).overflowX === 'visible' ? boxOf(around) : around;
    };
    const isBeyond = (node: Element) => {
      const { left, right, width, height } = node.getBoundingClientRect();
      return width > 0 && height > 0 && (left < -0.5 || right > innerWidth + 0.5);
    };
    const beyond = [...document.body.querySelectorAll('*')].filter(
      (node) => isBeyond(node) && isShown(node) && boxOf(node) === null,
    );
    return [...tooWide, ...beyond.map((node) => `${nameOf(node)} is beyond the edge`)];
  });
}
