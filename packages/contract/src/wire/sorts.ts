/** The fields by which a list can be sorted: what the server's map of columns must have. */
export type SortOf<C extends { sorts: readonly string[] }> = C['sorts'][number];

/** An order of a list: `field` ascending, `-field` descending. */
export type OrderOf<C extends { sorts: readonly string[] }> = SortOf<C> | `-${SortOf<C>}`;

/** Every order of a list, in both directions. */
export function ordersOf<const C extends { sorts: readonly string[] }>({ sorts }: C): readonly OrderOf<C>[] {
  return sorts.flatMap((field: SortOf<C>) => [field, `-${field}` as const]);
}
