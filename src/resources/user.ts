import { DeleteUsersDialog } from '../custom/actions/lazyDialogs.ts'
import { endpoints } from '../schemas/endpoints/index.ts'
import { user } from '../schemas/user.ts'
import { action, column, defineResource } from './engine/define/defineResource.ts'

const resetSecondFactor = action('reset_second_factor', endpoints.resetSecondFactor, {
  confirm: true,
  when: ({ second_factor }) => second_factor === true,
  announced: 'second_factor',
})

export default defineResource(user, {
  path: 'settings/user',
  menu: { tabOf: 'settings' },
  nameField: 'username',
  columns: [
    'id',
    'username',
    'role',
    column('second_factor', undefined, { announced: 'second_factor' }),
    'reject_password',
    'created_at',
  ],
  filters: ['username', 'role', 'reject_password'],
  rowActions: [resetSecondFactor, 'delete'],
  form: ['username', 'role', 'password'],
  deleteDialog: { Dialog: DeleteUsersDialog, announced: 'user_records' },
  isProtected: (record, me) => record.id === me.id,
})
