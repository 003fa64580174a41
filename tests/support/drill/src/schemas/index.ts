import { entities as ours } from '../../../../../src/schemas/index.ts'
import { drill } from './drill.ts'

export const entities = {
  ...ours,
  drill,
} as const
