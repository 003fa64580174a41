import Button from '@mui/material/Button'
import DialogContent from '@mui/material/DialogContent'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useId, useState } from 'react'
import { useDataProvider, useGetList, useRefresh, useTranslate } from 'react-admin'
import { PlainTable } from '../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { ActionDialogProps } from '../../engine/define/action.ts'
import { useScreen } from '../../engine/define/screen.ts'
import { MomentCell } from '../../engine/kinds/cells.tsx'
import { LazyReferencePicker } from '../../engine/kinds/reference/LazyReferencePicker.ts'
import { ActionDialog, CloseFooter, PendingData, useToast } from '../../engine/parts/ActionDialog.tsx'
import { useIdentity } from '../../engine/parts/identity.tsx'
import { byId, everyRowByName } from '../../records/queryRows.ts'
import { type RoleAssignment, type RoleId, roleAssignment } from '../../schemas/define/access.ts'
import { sameValue } from '../../schemas/define/values.ts'
import {
  type GivenRole,
  type Role,
  roleEndpoints,
  type TeamRole,
  teamEndpoints,
} from '../../schemas/endpoints/roleAndTeamEndpoints.ts'
import { roleInWords, useRoleNames } from './names.ts'

/** The roles of a user: each is given or taken away by a call of its own. Those by teams are shown, and changed there. */
export function RolesDialog({ records: [record], onClose }: ActionDialogProps) {
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

/** A role by a team, which is taken away there. */
export interface RoleByTeam {
  team: string
  assignment: TeamRole
}

/** Who gave a role, and when; '' for what is not known. */
type Gift = Partial<Pick<GivenRole, 'given_by' | 'given_at'>>

interface AssignedRolesProps {
  given: readonly (TeamRole & Gift)[]
  /** What a person has by teams. */
  byTeams?: readonly RoleByTeam[]
  /** All roles that there are. */
  roles: readonly Role[]
  /**
   * Whose they are. A team may have a role for its servers. Those of an invitation are given with it, by who makes it: a
   * further one is chosen in a dialog of its own, so that a choice that was not given is not taken for one that was.
   */
  of?: 'person' | 'team' | 'invitation'
  isBusy: boolean
  /** Whether it is for the person who asks to change them. */
  mayChange: boolean
  onTake: (assignment: TeamRole) => void
  onGive: (assignment: TeamRole) => void
}

/** The roles of a person or a team, with where they hold: taken away one by one, and further ones given. */
export function AssignedRoles({ given, byTeams = [], roles, mayChange, isBusy, ...props }: AssignedRolesProps) {
  const { of = 'person', onTake, onGive } = props
  const translate = useTranslate()
  const nameOfScope = useScopeNames()
  const nameOf = useRoleNames(roles)
  const [isChoosing, setChoosing] = useState(false)
  // Empty again once a role was given.
  const choice = (
    <NewRole
      key={JSON.stringify(given)}
      roles={roles}
      isOfTeam={of === 'team'}
      isBusy={isBusy}
      onGive={(assignment) => {
        setChoosing(false)
        onGive(assignment)
      }}
    />
  )
  const own = given.map(({ given_by, given_at, ...assignment }) => ({
    key: JSON.stringify(assignment),
    cells: [
      nameOf(assignment.role),
      nameOfScope(assignment),
      ...(of === 'person'
        ? [
            <span key="given">
              {given_by || translate('app.roles.giver_unknown')}
              {given_at ? (
                <small style={{ display: 'block' }}>
                  <MomentCell value={given_at} entity="user" />
                </small>
              ) : null}
            </span>,
          ]
        : []),
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
    cells: [nameOf(assignment.role), nameOfScope(assignment), '', translate('app.teams.by_team', { name: team })],
  }))
  return (
    <>
      {own.length + ofTeams.length > 0 ? (
        <PlainTable
          headings={[
            translate('resources.user.fields.role'),
            translate('app.roles.where'),
            ...(of === 'person' ? [translate('app.roles.given_by')] : []),
            '',
          ]}
          rows={[...own, ...ofTeams]}
        />
      ) : null}
      {mayChange && of !== 'invitation' ? choice : null}
      {mayChange && of === 'invitation' ? (
        // On a line of its own, apart from the button that ends the dialog's work.
        <div style={{ marginBlock: 8 }}>
          <Button variant="outlined" disabled={isBusy} onClick={() => setChoosing(true)}>
            {translate('app.roles.give')}
          </Button>
        </div>
      ) : null}
      {isChoosing ? (
        <ActionDialog title={translate('app.roles.give')} onClose={() => setChoosing(false)}>
          <DialogContent dividers>{choice}</DialogContent>
          <CloseFooter onClose={() => setChoosing(false)} />
        </ActionDialog>
      ) : null}
    </>
  )
}

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
