import { Button } from '@mantine/core';
import { EmptyState } from './empty-state.tsx';

/** In the place of what a link is about, where one of its filters is malformed or names something that is not there. */
export function BrokenLink({ onReset }: { onReset: () => void }) {
  return (
    <EmptyState
      title="This link has a filter that does not exist."
      text="It may have been removed, or you may not have access to it."
    >
      <Button variant="default" onClick={onReset}>
        Reset filters
      </Button>
    </EmptyState>
  );
}
