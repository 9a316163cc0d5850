import { z } from 'zod';

export const restoredAbout = z.object({
  object: z.string(),
  objectName: z.string(),
  to: z.string(),
  toName: z.string(),
});

/** What a restore is of and where it writes, for those who look at its journal. */
export type RestoredAbout = z.infer<typeof restoredAbout>;

/** What the first line of a journal says of its restore; `null` where it says nothing. */
export function aboutOf(firstLine: string): RestoredAbout | null {
  const known = z.object({ about: restoredAbout }).safeParse(jsonOrNull(firstLine));
  return known.success ? known.data.about : null;
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
