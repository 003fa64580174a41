import { action } from '../../engine/define/action.ts'
import { column } from '../../engine/define/column.ts'
import { defineResource } from '../../engine/define/defineResource.ts'
import { note } from '../../engine/define/formNote.ts'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { roles } from '../../schemas/define/access.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { user } from '../../schemas/user.ts'

const resetSecondFactor = action('reset_second_factor', endpoints.resetSecondFactor, {
  confirm: true,
  when: ({ second_factor }) => second_factor === true,
  announced: 'second_factor',
})

export default defineResource(user, {
  columns: [
    'id',
    'username',
    'role',
    column('second_factor', { announced: 'second_factor' }),
    'reject_password',
    'created_at',
  ],
  filters: ['username', 'role', 'reject_password'],
  rowActions: [resetSecondFactor, 'delete'],
  form: ['username', 'role', 'password'],
  notes: [
    note('sees_own', ({ role }) => role !== roles.admin),
    note('sees_shared', ({ role }, { announced }) => role !== roles.admin && announced('server_shares')),
    note('sees_everything', ({ role }) => role === roles.admin),
  ],
  deleteDialog: { Dialog: lazyPart(() => import('./DeleteUsersDialog.tsx')), announced: 'user_records' },
  isProtected: (record, me) => record.id === me.id,
})
