import { user } from '../schemas/user.ts'
import { defineResource } from './engine/define/defineResource.ts'

export default defineResource(user, {
  path: 'settings/user',
  menu: { tabOf: 'settings' },
  nameField: 'username',
  columns: ['id', 'username', 'role', 'reject_password', 'created_at'],
  filters: ['username', 'role', 'reject_password'],
  form: ['username', 'role', 'password'],
  isProtected: (record, me) => record.id === me.id,
})
