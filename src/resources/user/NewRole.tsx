import Button from '@mui/material/Button'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { Suspense, useId, useState } from 'react'
import { useGetList, useTranslate } from 'react-admin'
import { LazyReferencePicker } from '../../engine/kinds/reference/LazyReferencePicker.ts'
import { byId, everyRowByName } from '../../records/wholeList.ts'
import type { RoleAssignment, RoleId } from '../../schemas/define/roles.ts'
import type { Role } from '../../schemas/endpoints/roleEndpoints.ts'
import { roleInWords } from './roleNames.ts'

/** Names where a role holds. */
export function useScopeNames(): (assignment: RoleAssignment) => string {
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
  /** Whether it cannot be given yet, because something beside it is missing. */
  isIncomplete?: boolean
  onGive: (assignment: RoleAssignment) => void
}

/** Chooses a role, and where it holds. */
export function NewRole({ roles, isBusy, isIncomplete = false, onGive }: NewRoleProps) {
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
        disabled={!isNamed || isIncomplete}
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
