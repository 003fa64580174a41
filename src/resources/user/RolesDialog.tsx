import Button from '@mui/material/Button'
import DialogContent from '@mui/material/DialogContent'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useId, useState } from 'react'
import { useDataProvider, useGetList, useRefresh, useTranslate } from 'react-admin'
import { ActionDialog } from '../../components/ActionDialog.tsx'
import { PlainTable } from '../../components/PlainTable.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { ActionDialogProps } from '../../engine/define/action.ts'
import { useScreen } from '../../engine/define/screen.ts'
import { LazyReferencePicker } from '../../engine/kinds/reference/LazyReferencePicker.ts'
import { CloseFooter } from '../../engine/parts/CloseFooter.tsx'
import { useIdentity } from '../../engine/parts/identity.tsx'
import { PendingData } from '../../engine/parts/PendingData.tsx'
import { useToast } from '../../engine/parts/useToast.ts'
import { byId, everyRowByName } from '../../records/wholeList.ts'
import type { RoleAssignment, RoleId } from '../../schemas/define/roles.ts'
import { sameValue } from '../../schemas/define/sameValue.ts'
import { type Role, roleEndpoints } from '../../schemas/endpoints/roleEndpoints.ts'
import { nameOfRole, roleInWords } from './roleNames.ts'

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

/** Names where a role holds. */
function useScopeNames(): (assignment: RoleAssignment) => string {
  const translate = useTranslate()
  const { data: servers = [] } = useGetList('server', everyRowByName)
  const { data: groups = [] } = useGetList('server-group', everyRowByName)
  const named = (ids: readonly number[], rows: typeof servers) =>
    ids.map((id) => String(byId(rows).get(String(id))?.name ?? `#${id}`))
  return ({ scope }) =>
    scope === 'all'
      ? translate('app.roles.everywhere')
      : [...named(scope.groups, groups), ...named(scope.servers, servers)].join(', ')
}

interface NewRoleProps {
  roles: readonly Role[]
  isBusy: boolean
  onGive: (assignment: RoleAssignment) => void
}

function NewRole({ roles, isBusy, onGive }: NewRoleProps) {
  const translate = useTranslate()
  const [roleLabel, scopeLabel] = [useId(), useId()]
  const [role, setRole] = useState<RoleId>('viewer')
  const [isAll, setAll] = useState(false)
  const [groups, setGroups] = useState<number[]>([])
  const [servers, setServers] = useState<number[]>([])
  const isNamed = isAll || groups.length + servers.length > 0
  return (
    <>
      <FormLabel id={roleLabel} sx={{ display: 'block', marginTop: 3 }}>
        {translate('resources.user.fields.role')}
      </FormLabel>
      <RadioGroup
        aria-labelledby={roleLabel}
        value={String(role)}
        onChange={({ target }) => setRole(roles.find(({ id }) => String(id) === target.value)?.id ?? role)}
      >
        {roles.map((one) => (
          <FormControlLabel
            key={one.id}
            value={String(one.id)}
            control={<Radio size="small" />}
            label={roleInWords(one, translate)}
            sx={{ alignItems: 'flex-start', marginBottom: 0.5, '& .MuiFormControlLabel-label': { paddingTop: 0.75 } }}
          />
        ))}
      </RadioGroup>
      <FormLabel id={scopeLabel} sx={{ display: 'block', marginTop: 2 }}>
        {translate('app.roles.where')}
      </FormLabel>
      <RadioGroup
        row
        aria-labelledby={scopeLabel}
        value={isAll ? 'all' : 'chosen'}
        onChange={({ target }) => setAll(target.value === 'all')}
      >
        {(['chosen', 'everywhere'] as const).map((where) => (
          <FormControlLabel
            key={where}
            value={where === 'everywhere' ? 'all' : where}
            control={<Radio size="small" />}
            label={translate(`app.roles.${where}`)}
          />
        ))}
      </RadioGroup>
      {isAll ? null : (
        <Suspense>
          <Picker to="server-group" chosen={groups} onChoose={setGroups} />
          <Picker to="server" chosen={servers} onChoose={setServers} />
        </Suspense>
      )}
      <Button
        variant="contained"
        sx={{ marginTop: 2 }}
        disabled={!isNamed}
        loading={isBusy}
        onClick={() => onGive({ role, scope: isAll ? 'all' : { groups, servers } })}
      >
        {translate('app.roles.give')}
      </Button>
    </>
  )
}

interface PickerProps {
  to: 'server' | 'server-group'
  chosen: readonly number[]
  onChoose: (ids: number[]) => void
}

function Picker({ to, chosen, onChoose }: PickerProps) {
  const translate = useTranslate()
  return (
    <LazyReferencePicker
      to={to}
      label={translate(`resources.${to}.name`, { smart_count: 2 })}
      multiple
      chosen={chosen}
      onChoose={onChoose}
    />
  )
}
