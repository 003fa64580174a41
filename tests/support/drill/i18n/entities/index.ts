import { entities as ours } from '../../../../../i18n/entities/index.ts'
import { drill } from './drill.ts'

export const entities = {
  ...ours,
  drill,
}
