import Button from '@mui/material/Button'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { Suspense, useId, useState } from 'react'
import { useGetList, useTranslate } from 'react-admin'
import { PlainTable } from '../../components/PlainTable.tsx'
import { LazyReferencePicker } from '../../engine/kinds/reference/LazyReferencePicker.ts'
import { byId, everyRowByName } from '../../records/wholeList.ts'
import type { RoleId } from '../../schemas/define/roles.ts'
import type { Role } from '../../schemas/endpoints/roleEndpoints.ts'
import type { TeamRole } from '../../schemas/endpoints/teamEndpoints.ts'
import { nameOfRole, roleInWords } from './roleNames.ts'

/** A role by a team, which is taken away there. */
export interface RoleByTeam {
  team: string
  assignment: TeamRole
}

interface AssignedRolesProps {
  given: readonly TeamRole[]
  /** What a person has by teams. */
  byTeams?: readonly RoleByTeam[]
  /** All roles that there are. */
  roles: readonly Role[]
  /** Whether these are the roles of a team, which may be for the servers of the team. */
  isOfTeam?: boolean
  isBusy: boolean
  /** Whether it is for the person who asks to change them. */
  mayChange: boolean
  onTake: (assignment: TeamRole) => void
  onGive: (assignment: TeamRole) => void
}

/** The roles of a person or a team, with where they hold: taken away one by one, and further ones given. */
export function AssignedRoles({ given, byTeams = [], roles, mayChange, isBusy, ...props }: AssignedRolesProps) {
  const { isOfTeam = false, onTake, onGive } = props
  const translate = useTranslate()
  const nameOfScope = useScopeNames()
  const nameOf = (role: RoleId) => {
    const found = roles.find((one) => one.id === role)
    return found ? nameOfRole(found, translate) : `#${role}`
  }
  const own = given.map((assignment) => ({
    key: JSON.stringify(assignment),
    cells: [
      nameOf(assignment.role),
      nameOfScope(assignment),
      <Button
        key="take"
        color="error"
        disabled={isBusy || !mayChange}
        aria-label={`${translate('app.roles.take')}: ${nameOf(assignment.role)}`}
        onClick={() => onTake(assignment)}
      >
        {translate('app.roles.take')}
      </Button>,
    ],
  }))
  const ofTeams = byTeams.map(({ team, assignment }) => ({
    key: JSON.stringify([team, assignment]),
    cells: [nameOf(assignment.role), nameOfScope(assignment), translate('app.teams.by_team', { name: team })],
  }))
  return (
    <>
      {own.length + ofTeams.length > 0 ? (
        <PlainTable
          headings={[translate('resources.user.fields.role'), translate('app.roles.where'), '']}
          rows={[...own, ...ofTeams]}
        />
      ) : null}
      {mayChange ? (
        // Empty again once a role was given.
        <NewRole key={JSON.stringify(given)} roles={roles} isOfTeam={isOfTeam} isBusy={isBusy} onGive={onGive} />
      ) : null}
    </>
  )
}

/** Names where a role holds. */
function useScopeNames(): (assignment: TeamRole) => string {
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
  isOfTeam: boolean
  isBusy: boolean
  onGive: (assignment: TeamRole) => void
}

function NewRole({ roles, isOfTeam, isBusy, onGive }: NewRoleProps) {
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
        disabled={!isNamed}
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
