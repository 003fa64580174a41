import DialogContent from '@mui/material/DialogContent'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDataProvider, useRefresh } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { ActionDialogProps } from '../../engine/define/action.ts'
import { useScreen } from '../../engine/define/screen.ts'
import { ActionDialog, CloseFooter, PendingData } from '../../engine/parts/ActionDialog.tsx'
import { useIdentity } from '../../engine/parts/identity.tsx'
import { useToast } from '../../engine/parts/useToast.ts'
import { type RoleAssignment, roleAssignment } from '../../schemas/define/access.ts'
import { sameValue } from '../../schemas/define/values.ts'
import { roleEndpoints } from '../../schemas/endpoints/roleEndpoints.ts'
import { teamEndpoints } from '../../schemas/endpoints/teamEndpoints.ts'
import { AssignedRoles } from './AssignedRoles.tsx'

/** The roles of a user: each is given or taken away by a call of its own. Those by teams are shown, and changed there. */
export default function RolesDialog({ records: [record], onClose }: ActionDialogProps) {
  const { texts, translate } = useScreen()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const refresh = useRefresh()
  const { identity } = useIdentity()
  const [isBusy, setBusy] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['roles', 'with teams'],
    queryFn: async () => ({ ...(await call(roleEndpoints.roles)), teams: await call(teamEndpoints.teams) }),
  })
  const id = Number(record?.id)
  const given = data?.people.find((person) => person.id === id)?.roles ?? []
  const byTeams = (data?.teams ?? [])
    .filter(({ users, signed_in_users }) => [...users, ...signed_in_users].includes(id))
    .flatMap(({ name, roles }) => roles.map((assignment) => ({ team: name, assignment })))

  /** @param change makes the wanted roles of the present ones: what somebody else has just taken away must not come back */
  async function save(change: (present: readonly RoleAssignment[]) => RoleAssignment[]) {
    setBusy(true)
    try {
      const { people } = await call(roleEndpoints.roles)
      const present = people.find((person) => person.id === id)?.roles ?? []
      await call(roleEndpoints.setRoles, { id, roles: change(present.map((one) => roleAssignment.parse(one))) })
      toast.show({ key: 'app.roles.saved' })
      refresh()
    } catch (failure) {
      toast.showError(failure)
    }
    setBusy(false)
    await refetch()
  }

  return (
    <ActionDialog title={translate('app.roles.title', { name: record ? texts.nameOf(record) : '' })} onClose={onClose}>
      <DialogContent dividers>
        <p style={{ marginTop: 0 }}>{translate('app.roles.hint')}</p>
        <PendingData data={data} error={error} onRetry={refetch} />
        {data && given.length + byTeams.length === 0 ? <p>{translate('app.roles.none')}</p> : null}
        {data ? (
          <AssignedRoles
            given={given}
            byTeams={byTeams}
            roles={data.roles}
            isBusy={isBusy}
            // Somebody else has to change them.
            mayChange={identity?.id !== id}
            onTake={(taken) => void save((present) => present.filter((one) => !sameValue(one, taken)))}
            onGive={(added) => void save((present) => [...present, roleAssignment.parse(added)])}
          />
        ) : null}
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}
