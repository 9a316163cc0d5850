import { messageOf } from '../kit/api.ts';

/** Shown in the place of the portal when it could not start, before there is anything else to show it with. */
export function showStartFailure(root: HTMLElement, error: unknown): void {
  console.error(error);
  const page = document.createElement('main');
  page.className = 'start-failure';
  const text = document.createElement('p');
  text.textContent = messageOf(error);
  const again = document.createElement('button');
  again.textContent = 'Try again';
  again.addEventListener('click', () => window.location.reload());
  page.append(text, again);
  root.replaceChildren(page);
}
