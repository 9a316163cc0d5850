import { HIT_KINDS, type Hit, type HitKind } from '@keepwatch/contract/search/search';
import { useSetCompanyScope } from '../../entities/company-scope.ts';
import { useScopedTarget } from '../../entities/scoped-target.ts';
import { isOpen } from '../../kit/place.ts';
import { useBranding, useUser } from '../../kit/portal.tsx';
import { labelOf } from '../../kit/screen.ts';
import { useGo } from '../../kit/screen-link.tsx';
import { useOpenEntries } from '../../kit/use-screens.ts';
import { type Choice, fits } from './choice.ts';
import { HIT_GROUPS, HIT_PLACES } from './hit-places.ts';
import { useHits } from './palette.data.ts';
import { useRecent } from './recent.ts';
import { type FrameActions, useActions } from './use-actions.ts';

/** What the palette offers for a text: screens and actions that fit it, and what the server finds. Without one, the recent choices first. */
export function useChoices(typed: string, actions: FrameActions) {
  const text = typed.trim();
  const { hits, error, isWaiting } = useHits(text);
  const known = [...useScreenChoices(), ...useActions(actions)];
  const toChoices = useHitChoices();
  const { recent, remember } = useRecent();
  const found = HIT_KINDS.flatMap((kind) => hits.filter((hit) => hit.kind === kind).flatMap(toChoices));
  const again = recent.flatMap(({ key, label }) => {
    const [kind = '', id = ''] = key.split(' ');
    const choice =
      known.find((other) => other.key === key) ??
      (isHitKind(kind) ? toChoices({ kind, _id: id, name: label })[0] : undefined);
    return choice === undefined ? [] : [{ ...choice, group: 'Recent' }];
  });
  const others = known.filter(({ key }) => !again.some((choice) => choice.key === key));
  const choices = text === '' ? [...again, ...others] : [...known.filter((choice) => fits(choice, text)), ...found];
  return { choices, error, isWaiting, remember };
}

function isHitKind(text: string): text is HitKind {
  return HIT_KINDS.some((kind) => kind === text);
}

/** Every screen of the sidebars, of all applications. */
function useScreenChoices(): Choice[] {
  const go = useGo();
  const scoped = useScopedTarget();
  return useOpenEntries().map((screen) => ({
    key: `screen ${screen.path}`,
    group: 'Screens',
    label: labelOf(screen),
    detail: [screen.application?.name, screen.entry.group].filter((part) => part !== undefined).join(', '),
    run: () => go(scoped(screen)),
  }));
}

/** A hit opens at its place; a company can also be what all screens are narrowed to. */
function useHitChoices() {
  const go = useGo();
  const user = useUser();
  const branding = useBranding();
  const setScope = useSetCompanyScope();
  return (hit: Pick<Hit, 'kind' | '_id' | 'name'> & Partial<Hit>): Choice[] => {
    const { kind, _id, name, companyName = null, detail = null } = hit;
    const target = HIT_PLACES[kind](hit).find(({ place }) => isOpen(place, user, branding));
    const group = HIT_GROUPS[kind];
    const said = [detail, companyName].filter((part) => part !== null).join(', ');
    const choices: Choice[] = [];
    if (target !== undefined)
      choices.push({ key: `${kind} ${_id}`, group, label: name, detail: said, run: () => go(target) });
    if (kind === 'company')
      choices.push({
        key: `scope ${_id}`,
        group,
        label: `Show only ${name}`,
        detail: 'On all screens',
        run: () => setScope([_id]),
      });
    return choices;
  };
}
