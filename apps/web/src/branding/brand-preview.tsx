import { accentShades } from '@keepwatch/contract/branding/accents';
import type { Brand } from '@keepwatch/contract/branding/brands';
import { EntryFrame } from '../entities/entry-frame.tsx';
import layouts from '../entities/sidebar-layout.module.css';
import { styleVariables } from '../kit/style-variables.ts';
import type { BrandDraft } from './brand-draft.ts';
import styles from './branding.module.css';
import { colourOf } from './colour-of.ts';

interface BrandPreviewProps {
  draft: BrandDraft;
  logo: Brand['logo'];
}

/** The sign-in page and the sidebar as they will look, in the present colours of the page. Nothing in them can be used. */
export function BrandPreview({ draft, logo }: BrandPreviewProps) {
  return (
    <section className={styles.preview} aria-label="Preview">
      <h3>Preview</h3>
      <div className={styles.shades} style={styleVariables(shadeVariables(draft))} inert aria-hidden>
        <div className={styles.small}>
          <SignIn draft={draft} logo={logo} />
        </div>
        <Sidebar draft={draft} logo={logo} />
      </div>
    </section>
  );
}

/** The component library's variables of the accent, as the theme would set them. */
function shadeVariables({ accent, layout }: BrandDraft): Record<`--${string}`, string> {
  const shades = accentShades({ accent: colourOf(accent), layout });
  return Object.fromEntries(shades.map((shade, index) => [`--mantine-primary-color-${index}` as const, shade]));
}

function SignIn({ draft, logo }: BrandPreviewProps) {
  const brand = {
    ...draft,
    supportEmail: draft.supportEmail || null,
    supportPhone: draft.supportPhone || null,
    sidebarLogoUrl: logo?.url ?? null,
    sidebarLogoWidth: null,
  };
  return (
    <EntryFrame brand={brand} title={`Log in to ${draft.name}`}>
      <div className={styles.fields}>
        <input className={styles.field} readOnly tabIndex={-1} value="User name" />
        <input className={styles.field} readOnly tabIndex={-1} value="Password" />
        <button type="submit" className={styles.button} tabIndex={-1}>
          Log in
        </button>
      </div>
    </EntryFrame>
  );
}

const ENTRIES = ['Dashboard', 'Calendar view', 'Daily checks', 'Companies'];

function Sidebar({ draft, logo }: BrandPreviewProps) {
  return (
    <div className={`${styles.sidebar} ${layouts.sidebar}`} data-layout={draft.layout}>
      <div className={styles.sidebarBrand}>
        {logo === null ? <span className={styles.mark} /> : <img src={logo.url} alt="" className={styles.logo} />}
        {draft.sidebarTitle}
      </div>
      {ENTRIES.map((entry, index) => (
        <div key={entry} className={styles.entry} data-current={index === 0 || undefined}>
          {entry}
        </div>
      ))}
    </div>
  );
}
