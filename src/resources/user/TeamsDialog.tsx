import Button from '@mui/material/Button'
import DialogContent from '@mui/material/DialogContent'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDataProvider, useGetList, useTranslate } from 'react-admin'
import { FormDialog } from '../../components/FormDialog.tsx'
import { PlainTable } from '../../components/Panel.tsx'
import { QuestionDialog } from '../../components/QuestionDialog.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { ActionDialog, CloseFooter, PendingData, useToast } from '../../engine/parts/ActionDialog.tsx'
import { byId, everyRowByName } from '../../records/queryRows.ts'
import { team as teamEntity, teamForm } from '../../schemas/define/team.ts'
import { sameValue } from '../../schemas/define/values.ts'
import {
  type Role,
  roleEndpoints,
  type Team,
  type TeamRole,
  teamEndpoints,
} from '../../schemas/endpoints/roleAndTeamEndpoints.ts'
import { useRoleNames } from './names.ts'
import { AssignedRoles } from './RolesDialog.tsx'

/** The teams: who is in each, its servers and its roles; made, changed and deleted here. */
export default function TeamsDialog({ onClose }: { onClose: () => void }) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const { data, error, refetch } = useQuery({
    queryKey: ['teams', 'with roles'],
    queryFn: async () => ({ ...(await call(roleEndpoints.roles)), teams: await call(teamEndpoints.teams) }),
  })
  const { data: servers = [] } = useGetList('server', everyRowByName)
  const [edited, setEdited] = useState<Team | 'new'>()
  const [withRoles, setWithRoles] = useState<number>()
  const [deleted, setDeleted] = useState<Team>()
  const teams = data?.teams ?? []
  const nameOfUser = (id: number) => data?.people.find((person) => person.id === id)?.username ?? `#${id}`
  const nameOfServer = (id: number) => String(byId(servers).get(String(id))?.name ?? `#${id}`)
  const nameOf = useRoleNames(data?.roles ?? [])
  const what = (name: string) => translate('app.confirm.quoted', { name })
  const listed = (names: readonly string[]) => [...new Set(names)].join(', ') || '—'

  async function remove({ id, name }: Team) {
    setDeleted(undefined)
    try {
      await call(teamEndpoints.deleteTeam, { id })
      toast.show({ key: 'app.toast.deleted', args: { what: what(name) } })
    } catch (failure) {
      toast.showError(failure)
    }
    await refetch()
  }

  const actions = (team: Team) => (
    <div key="actions">
      <Button aria-label={translate('app.roles.title', { name: team.name })} onClick={() => setWithRoles(team.id)}>
        {translate('app.teams.fields.roles')}
      </Button>
      <Button aria-label={translate('app.action.edit_named', { name: team.name })} onClick={() => setEdited(team)}>
        {translate('ra.action.edit')}
      </Button>
      <Button
        color="error"
        aria-label={translate('app.action.delete_named', { name: team.name })}
        onClick={() => setDeleted(team)}
      >
        {translate('app.action.delete')}
      </Button>
    </div>
  )
  const shown = teams.find(({ id }) => id === withRoles)
  return (
    <ActionDialog title={translate('app.teams.title')} onClose={onClose} width={900}>
      <DialogContent dividers>
        <p style={{ marginTop: 0 }}>{translate('app.teams.hint')}</p>
        <PendingData data={data} error={error} onRetry={refetch} />
        {teams.length > 0 ? (
          <PlainTable
            headings={[...fields.map((field) => translate(`app.teams.fields.${field}`)), '']}
            rows={teams.map((team) => ({
              key: team.id,
              cells: [
                team.name,
                listed([...team.users, ...team.signed_in_users].map(nameOfUser)),
                listed(team.servers.map(nameOfServer)),
                listed(team.roles.map(({ role }) => nameOf(role))),
                actions(team),
              ],
            }))}
          />
        ) : null}
        {data ? (
          <Button variant="contained" sx={{ marginTop: 2 }} onClick={() => setEdited('new')}>
            {translate('app.teams.create')}
          </Button>
        ) : null}
      </DialogContent>
      <CloseFooter onClose={onClose} />
      {edited ? (
        <TeamForm
          team={edited === 'new' ? undefined : edited}
          onSaved={() => void refetch()}
          onClose={() => setEdited(undefined)}
        />
      ) : null}
      {shown ? (
        <TeamRoles team={shown} roles={data?.roles ?? []} onChanged={refetch} onClose={() => setWithRoles(undefined)} />
      ) : null}
      {deleted ? (
        <QuestionDialog
          title={translate('app.confirm.delete_title', { what: what(deleted.name) })}
          button={translate('app.confirm.delete_button', { what: what(deleted.name) })}
          onConfirm={() => void remove(deleted)}
          onCancel={() => setDeleted(undefined)}
        >
          {translate('app.teams.delete_note')} {translate('app.confirm.irreversible')}
        </QuestionDialog>
      ) : null}
    </ActionDialog>
  )
}

const fields = ['name', 'users', 'servers', 'roles'] as const

interface TeamFormProps {
  /** Absent for a new one. */
  team?: Team
  onSaved: () => void
  onClose: () => void
}

function TeamForm({ team, onSaved, onClose }: TeamFormProps) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  return (
    <FormDialog
      title={team ? translate('app.action.edit_named', { name: team.name }) : translate('app.teams.create')}
      entity={teamEntity}
      values={team ? { name: team.name, users: team.users, servers: team.servers } : {}}
      labelOf={(field) => translate(`app.teams.fields.${field}`)}
      helpOf={() => ''}
      submitLabel={translate('app.action.save')}
      onSubmit={async (values) => {
        const form = teamForm.parse(values)
        if (team) {
          const present = (await call(teamEndpoints.teams)).find(({ id }) => id === team.id) ?? team
          await call(teamEndpoints.updateTeam, {
            id: team.id,
            name: form.name === team.name ? present.name : form.name,
            users: withChanges(present.users, team.users, form.users),
            servers: withChanges(present.servers, team.servers, form.servers),
          })
        } else {
          await call(teamEndpoints.createTeam, form)
        }
        toast.show({ key: 'app.teams.saved' })
        onSaved()
      }}
      onClose={onClose}
    />
  )
}

/** A list as it is now, with what was changed of the one that was opened: whom somebody else took out stays out. */
const withChanges = (present: readonly number[], opened: readonly number[], wanted: readonly number[]): number[] => [
  ...present.filter((id) => wanted.includes(id) || !opened.includes(id)),
  ...wanted.filter((id) => !opened.includes(id) && !present.includes(id)),
]

interface TeamRolesProps {
  team: Team
  roles: readonly Role[]
  onChanged: () => Promise<unknown>
  onClose: () => void
}

/** The roles of a team: each is given or taken away by a call of its own. */
function TeamRoles({ team, roles, onChanged, onClose }: TeamRolesProps) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)

  /** @param change makes the wanted roles of the present ones: what somebody else has just taken away must not come back */
  async function save(change: (present: readonly TeamRole[]) => TeamRole[]) {
    setBusy(true)
    try {
      const present = (await call(teamEndpoints.teams)).find(({ id }) => id === team.id)?.roles ?? []
      await call(teamEndpoints.setTeamRoles, { id: team.id, roles: change(present) })
      toast.show({ key: 'app.roles.saved' })
    } catch (failure) {
      toast.showError(failure)
    }
    setBusy(false)
    await onChanged()
  }

  return (
    <ActionDialog title={translate('app.roles.title', { name: team.name })} onClose={onClose}>
      <DialogContent dividers>
        <p style={{ marginTop: 0 }}>{translate('app.teams.roles_hint')}</p>
        <AssignedRoles
          given={team.roles}
          roles={roles}
          of="team"
          isBusy={isBusy}
          mayChange
          onTake={(assignment) => void save((present) => present.filter((one) => !sameValue(one, assignment)))}
          onGive={(added) => void save((present) => [...present, added])}
        />
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}
