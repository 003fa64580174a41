import Button from '@mui/material/Button'
import DialogContent from '@mui/material/DialogContent'
import NativeSelect from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { PlainTable } from '../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { FieldFrame } from '../../engine/kinds/parts/kind.tsx'
import { ActionDialog, CloseFooter, PendingData, useToast } from '../../engine/parts/ActionDialog.tsx'
import { useRoleNames } from '../../resources/user/names.ts'
import { NewRole, useScopeNames } from '../../resources/user/RolesDialog.tsx'
import { type GroupRule, signInLimits } from '../../schemas/account/signInProvider.ts'
import { isWholeAdministrator, type RoleAssignment, roleAssignment } from '../../schemas/define/access.ts'
import { sameValue } from '../../schemas/define/values.ts'
import { roleEndpoints, teamEndpoints } from '../../schemas/endpoints/roleAndTeamEndpoints.ts'
import { signInProviderEndpoints } from '../../schemas/endpoints/signInProviderEndpoints.ts'
import { storedForm } from './providerKinds.ts'

interface GroupRulesDialogProps {
  /** The id of the provider. */
  id: number
  onClose: () => void
}

/** What people get by their groups at a provider: each role is added or removed by a call of its own. */
export default function GroupRulesDialog({ id, onClose }: GroupRulesDialogProps) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const nameOfScope = useScopeNames()
  const queryClient = useQueryClient()
  const groupId = useId()
  const [isBusy, setBusy] = useState(false)
  const teamId = useId()
  const [group, setGroup] = useState('')
  const [team, setTeam] = useState(0)
  const { data: known } = useQuery({ queryKey: ['roles'], queryFn: () => call(roleEndpoints.roles) })
  const { data: teams } = useQuery({ queryKey: ['teams'], queryFn: () => call(teamEndpoints.teams) })
  const { data, error, refetch } = useQuery({
    queryKey: ['sign-in providers'],
    queryFn: () => call(signInProviderEndpoints.signInProviders),
  })
  const provider = data?.providers.find((one) => one.id === id)
  const rules = provider?.groups ?? []
  const roles = known?.roles ?? []
  const nameOf = useRoleNames(roles)

  /** @param change makes the wanted rules of the present ones: what somebody else has just removed must not come back */
  async function save(change: (present: readonly GroupRule[]) => GroupRule[]) {
    setBusy(true)
    try {
      const { providers } = await call(signInProviderEndpoints.signInProviders)
      const present = providers.find((one) => one.id === id)
      if (present) {
        const form = { ...storedForm(present), groups: change(present.groups) }
        await call(signInProviderEndpoints.updateSignInProvider, { id, ...form })
      }
      toast.show({ key: 'app.site.saved' })
    } catch (failure) {
      toast.showError(failure)
    }
    setBusy(false)
    await queryClient.invalidateQueries({ queryKey: ['sign-in providers'] })
  }

  const remove = (label: string, change: (present: readonly GroupRule[]) => GroupRule[]) => (
    <Button
      key="remove"
      color="error"
      disabled={isBusy}
      aria-label={`${translate('ra.action.remove')}: ${label}`}
      onClick={() => void save(change)}
    >
      {translate('ra.action.remove')}
    </Button>
  )
  const teamRows = rules.flatMap(({ group: name, team: id }) => {
    if (id === 0 || !teams) return []
    // One that was deleted is named by its id, so that its rule can be removed.
    const team = teams.find((one) => one.id === id)?.name ?? `#${id}`
    return {
      key: JSON.stringify([name, id]),
      cells: [
        name,
        `${translate('app.invitations.team')}: ${team}`,
        '',
        remove(`${name}, ${team}`, (present) => withTeam(present, name, 0)),
      ],
    }
  })
  const roleRows = rules.flatMap((rule) => {
    const given: readonly RoleAssignment[] = rule.administrator
      ? [{ role: 'administrator', scope: 'all' }, ...rule.roles]
      : rule.roles
    return given.map((assignment) => ({
      key: JSON.stringify([rule.group, assignment]),
      cells: [
        rule.group,
        nameOf(assignment.role),
        nameOfScope(assignment),
        remove(`${rule.group}, ${nameOf(assignment.role)}`, (present) => without(present, rule.group, assignment)),
      ],
    }))
  })

  const rows = [...roleRows, ...teamRows]
  return (
    <ActionDialog title={`${translate('app.sign_in.groups')}: ${provider?.name ?? ''}`} width={720} onClose={onClose}>
      <DialogContent dividers>
        <p style={{ marginTop: 0 }}>{translate('app.sign_in.groups_hint')}</p>
        <PendingData data={data} error={error} onRetry={refetch} />
        {rows.length > 0 ? (
          <PlainTable
            headings={[
              translate('app.sign_in.group'),
              translate('resources.user.fields.role'),
              translate('app.roles.where'),
              '',
            ]}
            rows={rows}
          />
        ) : null}
        {provider && known ? (
          <div style={{ marginTop: 24 }}>
            <FieldFrame id={groupId} label={translate('app.sign_in.group')} required>
              <OutlinedInput
                id={groupId}
                size="small"
                value={group}
                onChange={({ target }) => setGroup(target.value)}
                slotProps={{ input: { maxLength: signInLimits.group } }}
              />
            </FieldFrame>
            <NewRole
              // Empty again once a role was added.
              key={rows.length}
              roles={roles}
              isBusy={isBusy}
              isIncomplete={group.trim() === ''}
              onGive={(added) => void save((present) => withRole(present, group.trim(), roleAssignment.parse(added)))}
            />
            {teams && teams.length > 0 ? (
              <div style={{ marginTop: 24 }}>
                <FieldFrame id={teamId} label={translate('app.invitations.team')} required={false}>
                  <NativeSelect
                    value={String(team)}
                    input={<OutlinedInput size="small" notched={false} />}
                    inputProps={{ id: teamId }}
                    onChange={({ target }) => setTeam(Number(target.value))}
                  >
                    <option value="0">{translate('app.invitations.no_team')}</option>
                    {teams.map(({ id, name }) => (
                      <option key={id} value={id}>
                        {name}
                      </option>
                    ))}
                  </NativeSelect>
                </FieldFrame>
                <Button
                  variant="contained"
                  sx={{ marginTop: 2 }}
                  disabled={isBusy || team === 0 || group.trim() === ''}
                  onClick={() => void save((present) => withTeam(present, group.trim(), team))}
                >
                  {translate('ra.action.add')}
                </Button>
              </div>
            ) : null}
          </div>
        ) : null}
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}

/** Each group has one rule. */
const ruleOf = (rules: readonly GroupRule[], group: string): GroupRule =>
  rules.find((rule) => rule.group === group) ?? { group, roles: [], administrator: false, team: 0 }

function withRole(rules: readonly GroupRule[], group: string, added: RoleAssignment): GroupRule[] {
  const before = ruleOf(rules, group)
  const roles = before.roles.filter((one) => !sameValue(one, added))
  const rule = isWholeAdministrator(added)
    ? { ...before, administrator: true }
    : { ...before, roles: [...roles, added] }
  return [...rules.filter((one) => one.group !== group), rule]
}

/** @param team 0 for none */
const withTeam = (rules: readonly GroupRule[], group: string, team: number): GroupRule[] =>
  [...rules.filter((one) => one.group !== group), { ...ruleOf(rules, group), team }].filter(givesSomething)

/** A rule that gives nothing is none. */
const givesSomething = ({ roles, administrator, team }: GroupRule) => roles.length > 0 || administrator || team > 0

const without = (rules: readonly GroupRule[], group: string, taken: RoleAssignment): GroupRule[] =>
  rules
    .map((rule) => {
      if (rule.group !== group) return rule
      const roles = rule.roles.filter((one) => !sameValue(one, taken))
      return { ...rule, roles, administrator: rule.administrator && !isWholeAdministrator(taken) }
    })
    .filter(givesSomething)
