import { delivery as entity } from '../../src/schemas/delivery.ts'
import type { Behaviour } from '../api/entityHooks.ts'
import { compileEntity } from '../entities/compileEntity.ts'
import { isAdmin } from '../person.ts'
import { withoutEmpty } from '../wire/withoutEmpty.ts'
import type { Deliveries } from './deliveries.ts'

/** What became of notices: of everybody's for administrators, of their own notifiers' for the others. */
export const deliveryBehaviour = (deliveries: Deliveries): Behaviour => ({
  window: {
    async page(offset, limit, { person }) {
      const owner = isAdmin(person) ? undefined : (person?.id ?? 0)
      const { rows, total } = deliveries.page(offset, Math.min(limit, mostAtOnce), owner)
      return { rows: rows.map((row) => withoutEmpty(compileEntity(entity).encodeRow(row))), total }
    },
  },
})

/** Lines of one page: what a screen can show, and a server holds without noticing. */
const mostAtOnce = 1000
