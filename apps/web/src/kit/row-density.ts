import { useLocalStorage } from '@mantine/hooks';

export type RowDensity = 'comfortable' | 'compact';

/** How tall the rows of long lists are, as the user last chose it in this browser. */
export function useRowDensity() {
  return useLocalStorage<RowDensity>({
    key: 'keepwatch.row-density',
    defaultValue: 'comfortable',
    getInitialValueInEffect: false,
    serialize: (density) => density,
    deserialize: (text) => (text === 'compact' ? 'compact' : 'comfortable'),
  });
}
