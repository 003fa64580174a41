import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogContent from '@mui/material/DialogContent'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import MenuItem from '@mui/material/MenuItem'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import TextField from '@mui/material/TextField'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { CopyButton } from '../../components/CopyButton.tsx'
import { formatDateTime } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { PlainTable } from '../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { ActionDialog, CloseFooter, PendingData, useToast } from '../../engine/parts/ActionDialog.tsx'
import { showOnce } from '../../engine/parts/ShownOnce.tsx'
import { useDialogOrder } from '../../engine/parts/useDialogOrder.ts'
import { isWholeAdministrator, type RoleAssignment, roleAssignment, roles } from '../../schemas/define/access.ts'
import type { ReplyOf } from '../../schemas/define/endpoint.ts'
import { sameValue } from '../../schemas/define/values.ts'
import { type Invitation, peopleEndpoints } from '../../schemas/endpoints/peopleEndpoints.ts'
import { roleEndpoints, type TeamRole, teamEndpoints } from '../../schemas/endpoints/roleAndTeamEndpoints.ts'
import { useRoleNames } from './names.ts'
import { AssignedRoles, useScopeNames } from './RolesDialog.tsx'

/** An invitation that was just made, with its link. */
type Made = Pick<ReplyOf<typeof peopleEndpoints.invite>, 'url' | 'mailed' | 'mail_error'>

const roleKeys = { [roles.user]: 'user', [roles.admin]: 'admin' } as const

/** Makes a link with which somebody makes their own account, and lists those that are still open. */
export default function InviteDialog({ onClose }: { onClose: () => void }) {
  const { locale, translate } = useLanguage()
  const labelId = useId()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const [role, setRole] = useState<0 | 1>(roles.user)
  const [given, setGiven] = useState<readonly RoleAssignment[]>([])
  const [team, setTeam] = useState(0)
  const [to, setTo] = useState('')
  const [mailer, setMailer] = useState<number>()
  const [made, setMade] = useState<Made>()
  const [isBusy, setBusy] = useState(false)
  const { isSending, isHeld, send } = useDialogOrder()
  const open = useQuery({ queryKey: ['invitations'], queryFn: () => call(peopleEndpoints.invitations) })
  const choices = useQuery({
    queryKey: ['invitations', 'choices'],
    queryFn: async () => ({
      teams: await call(teamEndpoints.teams),
      mailers: await call(peopleEndpoints.invitationMailers),
      furtherRoles: (await call(roleEndpoints.roles)).roles,
    }),
  })
  const { teams = [], mailers = [], furtherRoles = [] } = choices.data ?? {}
  const nameOfFurther = useRoleNames(furtherRoles)
  const nameOfScope = useScopeNames()
  const notifier = mailer ?? mailers[0]?.id
  const roleName = (value: 0 | 1) => translate(`resources.user.choices.role.${roleKeys[value]}`)

  async function attempt(act: () => Promise<void>) {
    setBusy(true)
    try {
      await act()
    } catch (error) {
      toast.showError(error)
    }
    setBusy(false)
    await open.refetch()
  }
  const invite = () => {
    const order = async () => {
      setMade(undefined)
      const mail = to.trim() && notifier ? { notification_id: notifier, to: to.trim(), language: locale } : undefined
      // An administrator has them all.
      const further = role === roles.admin ? [] : [...given]
      const reply = await call(peopleEndpoints.invite, { role, team, roles: further, ...(mail && { mail }) })
      void open.refetch()
      return reply
    }
    const show = (reply: Made) => {
      setMade(reply)
      setTo('')
    }
    return send(order, show, (reply) => showOnce((close) => <MadeInvitationDialog made={reply} onClose={close} />))
  }
  function give(added: TeamRole) {
    if (isWholeAdministrator(added)) return setRole(roles.admin)
    setGiven([...given.filter((one) => !sameValue(one, added)), roleAssignment.parse(added)])
  }
  const revoke = ({ id }: Invitation) =>
    attempt(async () => {
      await call(peopleEndpoints.revokeInvitation, { id })
      toast.show({ key: 'app.invitations.revoked' })
    })

  const headings = ['role', 'invited_by', 'expires_at'].map((field) => translate(`app.invitations.fields.${field}`))
  return (
    <ActionDialog title={translate('app.invitations.title')} onClose={isHeld ? () => {} : onClose} width={720}>
      <DialogContent dividers>
        <p style={{ marginTop: 0 }}>{translate('app.invitations.hint')}</p>
        <FormLabel id={labelId}>{translate('resources.user.fields.role')}</FormLabel>
        <RadioGroup
          row
          aria-labelledby={labelId}
          value={String(role)}
          onChange={({ target }) => setRole(target.value === String(roles.admin) ? roles.admin : roles.user)}
        >
          {([roles.user, roles.admin] as const).map((value) => (
            <FormControlLabel
              key={value}
              value={String(value)}
              control={<Radio size="small" />}
              label={roleName(value)}
            />
          ))}
        </RadioGroup>
        <PendingData data={choices.data} error={choices.error} onRetry={choices.refetch} />
        {choices.data && role === roles.user ? (
          <AssignedRoles
            of="invitation"
            given={given}
            roles={furtherRoles}
            isBusy={isBusy}
            mayChange
            onTake={(taken) => setGiven(given.filter((one) => !sameValue(one, taken)))}
            onGive={give}
          />
        ) : null}
        {teams.length > 0 ? (
          <Choice
            label={translate('app.invitations.team')}
            options={[{ id: 0, name: translate('app.invitations.no_team') }, ...teams]}
            chosen={team}
            onChoose={setTeam}
          />
        ) : null}
        {notifier === undefined ? null : (
          <>
            <TextField
              fullWidth
              margin="dense"
              size="small"
              type="email"
              label={translate('app.invitations.mail_to')}
              helperText={translate('app.invitations.mail_help')}
              value={to}
              onChange={({ target }) => setTo(target.value)}
            />
            {mailers.length > 1 && to.trim() !== '' ? (
              <Choice
                label={translate('app.invitations.mailer')}
                options={mailers}
                chosen={notifier}
                onChoose={setMailer}
              />
            ) : null}
          </>
        )}
        <Button variant="contained" sx={{ marginTop: 1 }} loading={isBusy || isSending} onClick={() => void invite()}>
          {translate('app.invitations.create')}
        </Button>
        {made ? <MadeInvitation made={made} /> : null}
        <h3 style={{ marginBottom: 4, fontSize: 14 }}>{translate('app.invitations.open')}</h3>
        <PendingData data={open.data} error={open.error} onRetry={open.refetch} />
        {open.data?.length === 0 ? <p>{translate('app.invitations.none')}</p> : null}
        {open.data?.length ? (
          <PlainTable
            headings={[...headings, ...(teams.length > 0 ? [translate('app.invitations.team')] : []), '']}
            rows={open.data.map((invitation) => ({
              key: invitation.id,
              cells: [
                <RoleLines
                  key="roles"
                  lines={[
                    roleName(invitation.role),
                    ...invitation.roles.map((one) => `${nameOfFurther(one.role)}: ${nameOfScope(one)}`),
                  ]}
                />,
                invitation.invited_by,
                formatDateTime(Date.parse(invitation.expires_at), locale),
                ...(teams.length > 0 ? [teams.find(({ id }) => id === invitation.team)?.name ?? '—'] : []),
                <Button key="revoke" color="error" disabled={isBusy} onClick={() => void revoke(invitation)}>
                  {translate('app.invitations.revoke')}
                </Button>,
              ],
            }))}
          />
        ) : null}
      </DialogContent>
      <CloseFooter onClose={onClose} isHeld={isHeld} />
    </ActionDialog>
  )
}

const RoleLines = ({ lines }: { lines: readonly string[] }) =>
  lines.map((line) => (
    <span key={line} style={{ display: 'block' }}>
      {line}
    </span>
  ))

/** The link of an invitation, which is shown once, and what became of its mail. */
function MadeInvitation({ made: { url, mailed, mail_error } }: { made: Made }) {
  const translate = useTranslate()
  return (
    <>
      {mailed === false ? (
        <Alert severity="warning" sx={{ marginTop: 2, overflowWrap: 'anywhere' }}>
          {translate('app.invitations.not_mailed', { reason: mail_error ?? '' })}
        </Alert>
      ) : null}
      <Alert severity="success" sx={{ marginTop: 2 }}>
        {translate(mailed ? 'app.invitations.mailed' : 'app.invitations.created')}
        <p style={{ overflowWrap: 'anywhere', margin: '8px 0 0' }}>
          <code>{url}</code> <CopyButton text={url} label={translate('app.invitations.copy')} />
        </p>
      </Alert>
    </>
  )
}

/** An invitation whose answer came after the dialog in which it was made was left. */
function MadeInvitationDialog({ made, onClose }: { made: Made; onClose: () => void }) {
  const translate = useTranslate()
  return (
    <ActionDialog title={translate('app.invitations.title')} onClose={() => {}} width={560}>
      <DialogContent dividers>
        <MadeInvitation made={made} />
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}

interface ChoiceProps {
  label: string
  options: readonly { id: number; name: string }[]
  chosen: number
  onChoose: (id: number) => void
}

function Choice({ label, options, chosen, onChoose }: ChoiceProps) {
  return (
    <TextField
      select
      fullWidth
      margin="dense"
      size="small"
      label={label}
      value={chosen}
      onChange={({ target }) => onChoose(Number(target.value))}
    >
      {options.map(({ id, name }) => (
        <MenuItem key={id} value={id}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  )
}
