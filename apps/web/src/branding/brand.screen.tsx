import { brand, brands } from '../entities/places.ts';
import { ScreenLink, usePlaceParams } from '../kit/screen-link.tsx';
import { EmptyState } from '../kit/states/empty-state.tsx';
import { ErrorState } from '../kit/states/error-state.tsx';
import { SkeletonRows } from '../kit/states/skeleton-rows.tsx';
import { BrandEditor } from './brand-editor.tsx';
import { useBrands } from './brands.data.ts';

/** One brand: its settings, and beside them what people will see. */
export default function BrandScreen() {
  const { id } = usePlaceParams(brand);
  const { data, error, refetch } = useBrands();
  if (data === undefined) {
    if (error === null) return <SkeletonRows rows={12} />;
    return <ErrorState what="the brand" error={error} onRetry={() => void refetch()} />;
  }
  const found = data.data.find((one) => String(one.id) === id);
  if (found === undefined)
    return (
      <EmptyState title="No such brand" text="It is not there, or another provider looks after it.">
        <ScreenLink to={brands.at()}>Show all brands</ScreenLink>
      </EmptyState>
    );
  return <BrandEditor key={id} brand={found} canSetDomain={data.canSetDomain} />;
}
