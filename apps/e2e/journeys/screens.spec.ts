import { join } from 'node:path';
import { tries } from '../../../tools/soak.ts';
import { barriers, RULES, RULES_OF_COLOURS } from '../portal/barriers.ts';
import { cutOff } from '../portal/cut-off.ts';
import { expect } from '../portal/journey.ts';
import { LAYOUTS, type Layout, type LayoutPage, type Look, openLayout, settle } from '../portal/layouts.ts';
import { microsoft365 } from '../portal/microsoft365-portal.ts';
import { type ShownScreen, shownScreens } from '../portal/screens.ts';
import { test as base } from '../portal/things.ts';

const LOOKS = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 1440 },
  { colorScheme: 'dark', width: 390 },
  { colorScheme: 'light', width: 390 },
] as const satisfies readonly Look[];

const isWhole = tries(0, 1) === 1;
const SCREENS = shownScreens();

/** Of each screen: all looks in all layouts before a release, one otherwise. They are dealt out so that each look meets each layout. */
const looksIn = (layout: Layout, number: number): readonly Look[] => {
  if (isWhole) return LOOKS;
  return LAYOUTS.indexOf(layout) === number % LAYOUTS.length
    ? LOOKS.filter((_, at) => at === number % LOOKS.length)
    : [];
};

interface Shared {
  /** The page of the layout that is being looked at; that of the one before is closed. */
  pageIn: (layout: Layout) => Promise<LayoutPage>;
}

const test = base.extend<object, Shared>({
  pageIn: [
    async ({ browser }, use) => {
      let open: { layout: Layout; shown: LayoutPage } | null = null;
      await use(async (layout) => {
        if (open?.layout === layout) return open.shown;
        await open?.shown.page.context().close();
        open = { layout, shown: await openLayout(browser, { layout, portal: microsoft365() }) };
        return open.shown;
      });
    },
    { scope: 'worker' },
  ],
});

for (const layout of LAYOUTS) {
  for (const [number, screen] of SCREENS.entries()) {
    const looks = looksIn(layout, number);
    if (looks.length === 0) continue;
    test(`${screen.path} in the layout ${layout}`, async ({ pageIn, things }, { project }) => {
      const shown = await pageIn(layout);
      const pictures = join(project.outputDir, 'screens', layout);
      await shown.look(looks[0] ?? LOOKS[0]);
      await shown.show(screen, things);
      const found: string[] = [];
      for (const [at, look] of looks.entries()) {
        const { colorScheme, width } = look;
        await shown.look(look);
        await settle(shown.page, look);
        const rules = looks[at - 1]?.width === width ? RULES_OF_COLOURS : RULES;
        const wrong = [...(await cutOff(shown.page)), ...(await barriers(shown.page, rules)), ...shown.errors()];
        found.push(...wrong.map((text) => `${colorScheme}, ${width} px: ${text}`));
        const path = join(pictures, `${nameOf(screen)}-${colorScheme}-${width}.jpg`);
        await shown.page.screenshot({ path, type: 'jpeg', quality: 45, fullPage: true });
      }
      expect(found).toEqual([]);
    });
  }
}

function nameOf({ path }: ShownScreen): string {
  return path
    .slice(1)
    .replaceAll(/[^\w]+/g, '-')
    .replace(/-$/, '');
}
