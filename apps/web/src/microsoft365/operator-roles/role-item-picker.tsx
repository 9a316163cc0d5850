import type { RoleItem } from '@keepwatch/contract/restore/roles';
import ItemPicker from '../jobs/item-picker.tsx';
import { KINDS, selectedOf } from '../jobs/objects.data.ts';

interface RoleItemPickerProps {
  organizationId: string;
  items: readonly RoleItem[];
  onChange: (items: readonly RoleItem[]) => void;
}

/** The objects of an organization, chosen whole: who may restore a person's mail may restore all that is theirs. */
export default function RoleItemPicker({ organizationId, items, onChange }: RoleItemPickerProps) {
  return (
    <ItemPicker
      isWhole
      organizationId={organizationId}
      items={items.map(({ type, id, name }) => selectedOf(type, { id, name }))}
      onChange={(chosen) =>
        onChange(
          chosen.flatMap(({ type, id, name }) => {
            const kind = KINDS.find((known) => known === type);
            return kind === undefined || id === null ? [] : [{ type: kind, id, name }];
          }),
        )
      }
    />
  );
}
