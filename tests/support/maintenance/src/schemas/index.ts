import { entities as ours } from '../../../../../src/schemas/index.ts'
import { maintenance } from './maintenance.ts'

export const entities = {
  ...ours,
  maintenance,
} as const
