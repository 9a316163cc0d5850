import type { Branding } from '@keepwatch/contract/branding/branding';

export const LAYOUT_CHOICES: readonly { value: Branding['layout']; label: string }[] = [
  { value: 'keepwatch', label: 'Keepwatch: a quiet card' },
  { value: 'vmo', label: 'VMO: a band across the top' },
  { value: 'hunter-tech', label: 'Hunter Tech: a wall on the left' },
  { value: 'different-dev', label: 'Different Dev: frosted glass' },
  { value: 'managecast', label: 'Managecast: a sheet on the left' },
];
