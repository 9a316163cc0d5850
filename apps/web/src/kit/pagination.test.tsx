import { MantineProvider } from '@mantine/core';
import { fireEvent, render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { linksAround, Pagination } from './pagination.tsx';

test.each([
  [1, 3, [1, 2, 3]],
  [1, 20, [1, 2, 3, 4, 5]],
  [10, 20, [8, 9, 10, 11, 12]],
  [20, 20, [16, 17, 18, 19, 20]],
])('at page %i of %i offers %j', (page, pages, links) => {
  expect(linksAround(page, pages)).toEqual(links);
});

function show(count: number, current: number) {
  const onPage = vi.fn();
  const page = render(<Pagination count={count} page={current} onPage={onPage} label="tokens" />, {
    wrapper: MantineProvider,
  });
  return { page, onPage };
}

test('says where one is, and goes back, on and to a page', () => {
  const { page, onPage } = show(95, 3);
  expect(page.getByText('21–30 of 95')).toBeDefined();
  expect(page.getByRole('button', { name: 'Page 3' }).getAttribute('aria-current')).toBe('page');
  fireEvent.click(page.getByRole('button', { name: 'Previous page' }));
  fireEvent.click(page.getByRole('button', { name: 'Next page' }));
  fireEvent.click(page.getByRole('button', { name: 'Page 5' }));
  expect(onPage.mock.calls).toEqual([[2], [4], [5]]);
});

test('goes no further than the last page, which may be a short one', () => {
  const { page } = show(95, 10);
  expect(page.getByText('91–95 of 95')).toBeDefined();
  expect(page.getByRole('button', { name: 'Next page' })).toHaveProperty('disabled', true);
});

test('is not shown when one page has all rows', () => {
  expect(show(10, 1).page.queryByRole('navigation')).toBeNull();
});
