import { z } from 'zod'
import { defineEntity, scopesOfAdmin } from './define/entity.ts'
import { moment } from './define/fields.ts'
import { numberFilter, periodFilter, searchFilter, textFilter } from './formats/listFilters.ts'

/**
 * What somebody did that others may have to account for: a line of the embedded server's audit log, which nobody can
 * change from here. `id` is the number of the line.
 */
export const audit = defineEntity({
  name: 'audit',
  nameField: 'action',
  scopes: scopesOfAdmin,
  form: z.object({}),
  computed: z.object({
    at: moment().optional(),
    /** `<area>.<verb>`, as `user.delete`. */
    action: z.string().optional(),
    /** Who did it, by the name of that day; absent for a failed sign-in. */
    user_id: z.int().optional(),
    username: z.string().optional(),
    /** Where from; absent when the server does not know addresses. */
    address: z.string().optional(),
    target: z.string().optional(),
    detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
    /** What stands in a line that cannot be read: half of one, after a crash. */
    unreadable: z.string().optional(),
  }),
  access: { list: 'admin' },
  api: {
    path: 'wheelhouse/audit',
    paging: 'window',
    verbs: [],
    announced: 'audit',
    filters: z.object({
      q: searchFilter(),
      user_id: numberFilter(),
      action: textFilter(),
      target: textFilter(),
      address: textFilter(),
      at: periodFilter(),
    }),
  },
})
