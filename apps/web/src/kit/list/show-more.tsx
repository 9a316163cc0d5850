import { Button } from '@mantine/core';

/** What is read in pages, as far as this needs it. */
interface PagedReading {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage(): Promise<unknown>;
}

/** The last item of a list of which not all is there yet. */
export function ShowMore({ reading: { hasNextPage, isFetchingNextPage, fetchNextPage } }: { reading: PagedReading }) {
  if (!hasNextPage) return null;
  return (
    <li>
      <Button variant="subtle" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        Show more
      </Button>
    </li>
  );
}
