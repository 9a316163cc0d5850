import { ActionIcon } from '@mantine/core';
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs';
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import { formatCount } from './format/numbers.ts';
import styles from './pagination.module.css';

/** Rows a page and page links at a time (specification "portal", part 9). */
export const PAGE_SIZE = 10;
const LINKS_MAX = 5;

interface PaginationProps {
  /** Rows in all. */
  count: number;
  /** From 1. */
  page: number;
  onPage: (page: number) => void;
  /** What is paged, for screen readers: `Intake tokens`. */
  label: string;
  pageSize?: number;
}

/** For short lists whose pages are gone through; long ones use `DataTable`. */
export function Pagination({ count, page, onPage, label, pageSize = PAGE_SIZE }: PaginationProps) {
  const pages = Math.ceil(count / pageSize);
  if (pages < 2) return null;
  const first = (page - 1) * pageSize + 1;
  return (
    <nav className={styles.pagination} aria-label={`Pages of ${label}`}>
      <span className={styles.range}>
        {formatCount(first)}–{formatCount(Math.min(count, page * pageSize))} of {formatCount(count)}
      </span>
      <ActionIcon aria-label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <IconChevronLeft size={16} aria-hidden />
      </ActionIcon>
      {linksAround(page, pages).map((link) => (
        <button
          key={link}
          type="button"
          className={styles.link}
          aria-label={`Page ${link}`}
          aria-current={link === page ? 'page' : undefined}
          onClick={() => onPage(link)}
        >
          {formatCount(link)}
        </button>
      ))}
      <ActionIcon aria-label="Next page" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        <IconChevronRight size={16} aria-hidden />
      </ActionIcon>
    </nav>
  );
}

/** Up to five pages with the current one in their middle, as far as the ends allow. */
export function linksAround(page: number, pages: number): number[] {
  const links = Math.min(LINKS_MAX, pages);
  const first = Math.max(1, Math.min(page - Math.floor(links / 2), pages - links + 1));
  return Array.from({ length: links }, (_, place) => first + place);
}
