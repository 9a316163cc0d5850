import { ActionIcon } from '@mantine/core';
import IconBaselineDensityMedium from '@tabler/icons-react/dist/esm/icons/IconBaselineDensityMedium.mjs';
import IconBaselineDensitySmall from '@tabler/icons-react/dist/esm/icons/IconBaselineDensitySmall.mjs';
import { useRowDensity } from '../kit/row-density.ts';
import styles from './density-button.module.css';

/** Between rows with two lines of the message and more rows with one. A phone has rows of its own. */
export function DensityButton() {
  const [density, setDensity] = useRowDensity();
  const isCompact = density === 'compact';
  const DensityIcon = isCompact ? IconBaselineDensitySmall : IconBaselineDensityMedium;
  return (
    <ActionIcon
      size={30}
      className={styles.button}
      aria-label="Compact rows"
      aria-pressed={isCompact}
      title={isCompact ? 'Show two lines of the message' : 'Show more rows'}
      onClick={() => setDensity(isCompact ? 'comfortable' : 'compact')}
    >
      <DensityIcon size={16} stroke={1.6} aria-hidden />
    </ActionIcon>
  );
}
