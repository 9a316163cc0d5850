import { lazy, Suspense } from 'react';
import { Panel } from '../panel/panel.tsx';
import { SkeletonRows } from '../states/skeleton-rows.tsx';
import { FilterButton } from './filter-button.tsx';
import type { SearchChoicesProps } from './search-choices.tsx';

const SearchChoices = lazy(() =>
  import('./search-choices.tsx').then(({ SearchChoices: component }) => ({ default: component })),
);

interface SearchFilterProps extends SearchChoicesProps {
  /** What is chosen, as the button says it. */
  chosen: readonly string[];
}

/** Any number of things, found by name on the server. The list and its code are loaded once the button is pressed. */
export function SearchFilter(props: SearchFilterProps) {
  const { label, pluralLabel, chosen } = props;
  return (
    <Panel label={pluralLabel} trigger={(button) => <FilterButton {...button} label={label} chosen={chosen} />}>
      {(close) => (
        <Suspense fallback={<SkeletonRows rows={4} />}>
          <SearchChoices {...props} isFocused close={close} />
        </Suspense>
      )}
    </Panel>
  );
}
