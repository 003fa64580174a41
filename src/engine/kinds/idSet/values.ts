import type { KindValues } from '../parts/kind.ts'
import { referenceValues } from '../reference/values.ts'

/** `{ "3": true, "4": false }` holds 3. */
export const idSetValues: KindValues = referenceValues((value) =>
  Object.entries((value as Record<string, unknown> | null | undefined) ?? {}).flatMap(([id, on]) =>
    on === true ? [id] : [],
  ),
)
