import { entities as ours } from '../../../../../i18n/entities/index.ts'
import { maintenance } from './maintenance.ts'

export const entities = {
  ...ours,
  maintenance,
}
