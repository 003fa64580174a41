import type { Resource } from '../../src/engine/define/defineResource.ts'
import { resources } from '../../src/resources/index.ts'

/** The definitions of all screens, in the order of the registry. */
export const definitions: readonly Resource[] = await Promise.all(
  resources.map(async ({ load }) => (await load()).default),
)
