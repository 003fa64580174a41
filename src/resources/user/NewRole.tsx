import Button from '@mui/material/Button'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { Suspense, useId, useState } from 'react'
import { useGetList, useTranslate } from 'react-admin'
import { LazyReferencePicker } from '../../engine/kinds/reference/LazyReferencePicker.ts'
import { byId, everyRowByName } from '../../records/wholeList.ts'
import type { RoleId } from '../../schemas/define/access.ts'
import type { Role } from '../../schemas/endpoints/roleEndpoints.ts'
import type { TeamRole } from '../../schemas/endpoints/teamEndpoints.ts'
import { roleInWords } from './names.ts'

/** Names where a role holds. */
export function useScopeNames(): (assignment: TeamRole) => string {
  const translate = useTranslate()
  const { data: servers = [] } = useGetList('server', everyRowByName)
  const { data: groups = [] } = useGetList('server-group', everyRowByName)
  const named = (ids: readonly number[], rows: typeof servers) =>
    ids.map((id) => String(byId(rows).get(String(id))?.name ?? `#${id}`))
  return ({ scope }) =>
    typeof scope === 'string'
      ? translate(scope === 'all' ? 'app.roles.everywhere' : 'app.teams.servers_of_team')
      : [...named(scope.groups, groups), ...named(scope.servers, servers)].join(', ')
}

const scopeTexts = {
  team: 'app.teams.servers_of_team',
  chosen: 'app.roles.chosen',
  all: 'app.roles.everywhere',
} as const

interface NewRoleProps {
  roles: readonly Role[]
  /** Whether it is for a team, which may have a role on its own servers. */
  isOfTeam?: boolean
  isBusy: boolean
  /** Whether it cannot be given yet, because something beside it is missing. */
  isIncomplete?: boolean
  onGive: (assignment: TeamRole) => void
}

/** Chooses a role, and where it holds. */
export function NewRole({ roles, isOfTeam = false, isBusy, isIncomplete = false, onGive }: NewRoleProps) {
  const translate = useTranslate()
  const [roleLabel, scopeLabel] = [useId(), useId()]
  const [role, setRole] = useState<RoleId>('viewer')
  const [where, setWhere] = useState<'team' | 'chosen' | 'all'>(isOfTeam ? 'team' : 'chosen')
  const [groups, setGroups] = useState<number[]>([])
  const [servers, setServers] = useState<number[]>([])
  const isNamed = where !== 'chosen' || groups.length + servers.length > 0
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
      <RadioGroup row aria-labelledby={scopeLabel} value={where}>
        {[...(isOfTeam ? (['team'] as const) : []), 'chosen' as const, 'all' as const].map((one) => (
          <FormControlLabel
            key={one}
            value={one}
            control={<Radio size="small" onChange={() => setWhere(one)} />}
            label={translate(scopeTexts[one])}
          />
        ))}
      </RadioGroup>
      {where === 'chosen' ? (
        <Suspense>
          <Picker to="server-group" chosen={groups} onChoose={setGroups} />
          <Picker to="server" chosen={servers} onChoose={setServers} />
        </Suspense>
      ) : null}
      <Button
        variant="contained"
        sx={{ marginTop: 2 }}
        disabled={!isNamed || isIncomplete}
        loading={isBusy}
        onClick={() => onGive({ role, scope: where === 'chosen' ? { groups, servers } : where })}
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
