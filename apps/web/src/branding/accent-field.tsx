import { accentShades } from '@keepwatch/contract/branding/accents';
import { CONTRAST_MIN, contrast } from '@keepwatch/contract/branding/colours';
import { Button } from '@mantine/core';
import { TextField } from '../kit/form/text-fields.tsx';
import type { BrandForm } from './brand-draft.ts';
import styles from './branding.module.css';
import { colourOf } from './colour-of.ts';

/** The accent as a colour that is typed or picked, and whether text on it can be read. */
export function AccentField({ form }: { form: BrandForm }) {
  const { accent, layout } = form.values;
  const colour = colourOf(accent);
  const shown = colour ?? accentShades({ accent: null, layout })[7] ?? '';
  return (
    <div className={styles.accentField}>
      <div className={styles.accentInput}>
        <TextField form={form} name="accent" label="Accent colour" placeholder="That of the layout" />
        <input
          type="color"
          aria-label="Pick the accent colour"
          value={shown}
          onChange={(event) => form.set('accent', event.currentTarget.value)}
        />
        {accent !== '' && (
          <Button variant="default" onClick={() => form.set('accent', '')}>
            Use the layout’s
          </Button>
        )}
      </div>
      <p className={styles.note} aria-live="polite">
        {colour === null ? 'The layout’s own colour is used.' : contrastText(colour)}
      </p>
    </div>
  );
}

/** Says whether white text can be read on a colour, and what the portal does where it cannot. */
export function contrastText(colour: string): string {
  const ratio = contrast(colour, '#ffffff');
  // Rounded down: 4.49 is not enough.
  const said = `White text on ${colour} has a contrast of ${(Math.floor(ratio * 10) / 10).toFixed(1)} : 1, which is ${wordOf(ratio)}.`;
  const used = accentShades({ accent: colour, layout: 'keepwatch' })[7];
  return used === colour ? said : `${said} Buttons and links get the darker ${used}.`;
}

function wordOf(ratio: number): string {
  if (ratio >= 7) return 'very good (WCAG level AAA)';
  if (ratio >= CONTRAST_MIN) return 'good (WCAG level AA)';
  return `too little to be read (WCAG level AA needs ${CONTRAST_MIN} : 1)`;
}
