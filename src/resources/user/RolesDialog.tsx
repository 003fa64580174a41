import Button from '@mui/material/Button'
import DialogContent from '@mui/material/DialogContent'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDataProvider, useRefresh } from 'react-admin'
import { ActionDialog } from '../../components/ActionDialog.tsx'
import { PlainTable } from '../../components/PlainTable.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { ActionDialogProps } from '../../engine/define/action.ts'
import { useScreen } from '../../engine/define/screen.ts'
import { CloseFooter } from '../../engine/parts/CloseFooter.tsx'
import { useIdentity } from '../../engine/parts/identity.tsx'
import { PendingData } from '../../engine/parts/PendingData.tsx'
import { useToast } from '../../engine/parts/useToast.ts'
import type { RoleAssignment, RoleId } from '../../schemas/define/roles.ts'
import { sameValue } from '../../schemas/define/sameValue.ts'
import { roleEndpoints } from '../../schemas/endpoints/roleEndpoints.ts'
import { NewRole, useScopeNames } from './NewRole.tsx'
import { nameOfRole } from './roleNames.ts'

/** The roles of a user: each is given or taken away by a call of its own. */
export default function RolesDialog({ records: [record], onClose }: ActionDialogProps) {
  const { texts, translate } = useScreen()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const refresh = useRefresh()
  const nameOfScope = useScopeNames()
  const { identity } = useIdentity()
  const [isBusy, setBusy] = useState(false)
  const { data, error, refetch } = useQuery({ queryKey: ['roles'], queryFn: () => call(roleEndpoints.roles) })
  const id = Number(record?.id)
  // Somebody else has to change them.
  const isOwn = identity?.id === id
  const given = data?.people.find((person) => person.id === id)?.roles ?? []
  const roles = data?.roles ?? []
  const nameOf = (role: RoleId) => {
    const found = roles.find((one) => one.id === role)
    return found ? nameOfRole(found, translate) : `#${role}`
  }

  /** @param change makes the wanted roles of the present ones: what somebody else has just taken away must not come back */
  async function save(change: (present: readonly RoleAssignment[]) => RoleAssignment[]) {
    setBusy(true)
    try {
      const { people } = await call(roleEndpoints.roles)
      await call(roleEndpoints.setRoles, { id, roles: change(people.find((person) => person.id === id)?.roles ?? []) })
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
        {data && given.length === 0 ? <p>{translate('app.roles.none')}</p> : null}
        {given.length > 0 ? (
          <PlainTable
            headings={[translate('resources.user.fields.role'), translate('app.roles.where'), '']}
            rows={given.map((assignment) => ({
              key: JSON.stringify(assignment),
              cells: [
                nameOf(assignment.role),
                nameOfScope(assignment),
                <Button
                  key="take"
                  color="error"
                  disabled={isBusy || isOwn}
                  aria-label={`${translate('app.roles.take')}: ${nameOf(assignment.role)}`}
                  onClick={() => void save((present) => present.filter((one) => !sameValue(one, assignment)))}
                >
                  {translate('app.roles.take')}
                </Button>,
              ],
            }))}
          />
        ) : null}
        {data && !isOwn ? (
          // Empty again once a role was given.
          <NewRole
            key={JSON.stringify(given)}
            roles={roles}
            isBusy={isBusy}
            onGive={(added) => void save((present) => [...present, added])}
          />
        ) : null}
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}
