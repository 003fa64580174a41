import { useTranslate } from 'react-admin'
import { DialogButton } from '../../components/DialogButton.tsx'
import { useSetting } from '../../components/useSetting.ts'
import { action, dialog } from '../../engine/define/action.ts'
import { column, defineResource } from '../../engine/define/defineResource.ts'
import { note } from '../../engine/define/form.ts'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { roles } from '../../schemas/define/access.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { peopleEndpoints } from '../../schemas/endpoints/peopleEndpoints.ts'
import { user } from '../../schemas/user.ts'

const disable = action('disable', peopleEndpoints.disableUser, {
  confirm: true,
  isReversible: true,
  when: ({ disabled }) => disabled !== true,
  announced: 'people',
})

const enable = action('enable', peopleEndpoints.enableUser, {
  when: ({ disabled }) => disabled === true,
  announced: 'people',
})

const endAccess = action('end_access', peopleEndpoints.endAccess, { confirm: true, announced: 'people' })

const resetSecondFactor = action('reset_second_factor', endpoints.resetSecondFactor, {
  confirm: true,
  when: ({ second_factor }) => second_factor === true,
  announced: 'second_factor',
})

const furtherRoles = dialog('roles', async () => ({ default: (await import('./RolesDialog.tsx')).RolesDialog }), {
  access: 'admin',
  announced: 'roles',
})

export default defineResource(user, {
  columns: [
    'id',
    'username',
    'role',
    column('second_factor', { announced: 'second_factor' }),
    'reject_password',
    column('disabled', { announced: 'people' }),
    column('last_seen_at', { announced: 'people' }),
    'created_at',
  ],
  card: { beside: ['role'], metrics: ['second_factor', 'last_seen_at'], below: [] },
  filters: ['username', 'role', 'reject_password'],
  rowActions: [furtherRoles, disable, enable, endAccess, resetSecondFactor, 'delete'],
  toolbar: [InviteButton, OwnRolesButton, TeamsButton],
  form: ['username', 'role', 'password'],
  notes: [
    note('sees_own', ({ role }) => role !== roles.admin),
    note('sees_shared', ({ role }, { announced }) => role !== roles.admin && announced('server_shares')),
    note('sees_everything', ({ role }) => role === roles.admin),
  ],
  deleteDialog: { Dialog: lazyPart(() => import('./DeleteUsersDialog.tsx')), announced: 'user_records' },
  isProtected: (record, me) => record.id === me.id,
})

const InviteDialog = lazyPart(() => import('./InviteDialog.tsx'))
const TeamsDialog = lazyPart(() => import('./TeamsDialog.tsx'))
const OwnRolesDialog = lazyPart(() => import('./OwnRolesDialog.tsx'))

/** Opens the dialog for inviting people. Nezha servers have no invitations. */
function InviteButton() {
  const translate = useTranslate()
  if (!useSetting()?.wheelhouse?.people) return null
  return <DialogButton label={translate('app.invitations.invite')} dialog={InviteDialog} />
}

/** Opens the roles that people made. */
function OwnRolesButton() {
  const translate = useTranslate()
  if (!useSetting()?.wheelhouse?.roles) return null
  return <DialogButton label={translate('app.roles.own')} dialog={OwnRolesDialog} />
}

/** Opens the teams. */
function TeamsButton() {
  const translate = useTranslate()
  if (!useSetting()?.wheelhouse?.roles) return null
  return <DialogButton label={translate('app.teams.title')} dialog={TeamsDialog} />
}
