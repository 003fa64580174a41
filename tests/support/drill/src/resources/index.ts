import { type ResourceEntry, resource } from '../../../../../src/engine/define/page.tsx'
import { resources as ours } from '../../../../../src/resources/index.ts'
import { entities } from '../schemas/index.ts'

export const resources: readonly ResourceEntry[] = [
  ...ours,
  // The last entry of the navigation.
  resource(entities.drill, () => import('./drill/index.ts')),
]
