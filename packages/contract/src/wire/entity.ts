import * as z from 'zod/mini';

/** The names of entities, by which the OpenAPI page refers to them. */
export const entityNames = z.registry<{ id: string }>();

/** Names what a schema describes, so that clients made from the OpenAPI page have a type of that name. */
/* @__NO_SIDE_EFFECTS__ */
export function entity<S extends z.ZodMiniType>(name: string, schema: S): S {
  entityNames.add(schema, { id: name });
  return schema;
}
