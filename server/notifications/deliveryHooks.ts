import { delivery as entity } from '../../src/schemas/delivery.ts'
import type { EntityHooks } from '../api/entityHooks.ts'
import { compileEntity } from '../entities/compileEntity.ts'
import { isAdmin } from '../person.ts'
import { withoutEmpty } from '../wire/withoutEmpty.ts'
import type { Deliveries } from './deliveries.ts'

/** The delivery log: administrators see all entries, members those of their own notifiers. */
export const deliveryHooks = (deliveries: Deliveries): EntityHooks => ({
  pagedRows: {
    async page(offset, limit, { person }, filter) {
      const owner = isAdmin(person) ? undefined : (person?.id ?? 0)
      const { rows, total } = deliveries.page(offset, Math.min(limit, maxPageSize), owner, filter?.matches)
      return { rows: rows.map((row) => withoutEmpty(compileEntity(entity).encodeRow(row))), total }
    },
  },
})

const maxPageSize = 1000
