import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogContent from '@mui/material/DialogContent'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useDataProvider } from 'react-admin'
import { ActionDialog } from '../../components/ActionDialog.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { formatDateTime } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { PlainTable } from '../../components/PlainTable.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { CloseFooter } from '../../engine/parts/CloseFooter.tsx'
import { PendingData } from '../../engine/parts/PendingData.tsx'
import { useToast } from '../../engine/parts/useToast.ts'
import { roles } from '../../schemas/define/access.ts'
import { type Invitation, peopleEndpoints } from '../../schemas/endpoints/peopleEndpoints.ts'

const roleKeys = { [roles.user]: 'user', [roles.admin]: 'admin' } as const

/** Makes a link with which somebody makes their own account, and lists those that are still open. */
export default function InviteDialog({ onClose }: { onClose: () => void }) {
  const { locale, translate } = useLanguage()
  const labelId = useId()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const [role, setRole] = useState<0 | 1>(roles.user)
  const [url, setUrl] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const open = useQuery({ queryKey: ['invitations'], queryFn: () => call(peopleEndpoints.invitations) })
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
  const invite = () => attempt(async () => setUrl((await call(peopleEndpoints.invite, { role })).url))
  const revoke = ({ id }: Invitation) =>
    attempt(async () => {
      await call(peopleEndpoints.revokeInvitation, { id })
      toast.show({ key: 'app.invitations.revoked' })
    })

  const headings = ['role', 'invited_by', 'expires_at'].map((field) => translate(`app.invitations.fields.${field}`))
  return (
    <ActionDialog title={translate('app.invitations.title')} onClose={onClose} width={720}>
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
        <Button variant="contained" loading={isBusy} onClick={() => void invite()}>
          {translate('app.invitations.create')}
        </Button>
        {url ? (
          <Alert severity="success" sx={{ marginTop: 2 }}>
            {translate('app.invitations.created')}
            <p style={{ overflowWrap: 'anywhere', margin: '8px 0 0' }}>
              <code>{url}</code> <CopyButton text={url} label={translate('app.invitations.copy')} />
            </p>
          </Alert>
        ) : null}
        <h3 style={{ marginBottom: 4, fontSize: 14 }}>{translate('app.invitations.open')}</h3>
        <PendingData data={open.data} error={open.error} onRetry={open.refetch} />
        {open.data?.length === 0 ? <p>{translate('app.invitations.none')}</p> : null}
        {open.data?.length ? (
          <PlainTable
            headings={[...headings, '']}
            rows={open.data.map((invitation) => ({
              key: invitation.id,
              cells: [
                roleName(invitation.role),
                invitation.invited_by,
                formatDateTime(Date.parse(invitation.expires_at), locale),
                <Button key="revoke" color="error" disabled={isBusy} onClick={() => void revoke(invitation)}>
                  {translate('app.invitations.revoke')}
                </Button>,
              ],
            }))}
          />
        ) : null}
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}
